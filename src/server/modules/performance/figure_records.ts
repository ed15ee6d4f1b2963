import type { FilterExpression } from '../../../descriptor/types.ts';
import type { FigureOwner, RecordFigure } from '../../engine/record_figure.ts';
import type { ReportCall } from '../../engine/reports/report_source.ts';

/** The figure of an owner over some days. */
interface FigureOf {
  kind: FigureOwner;
  owner: number;
  first: string;
  last: string;
}

/** The filter with the days in place of their names. */
function filled(filter: unknown, days: FigureOf): unknown {
  if (Array.isArray(filter)) return filter.map((part) => filled(part, days));
  return filter === ':first' ? days.first : filter === ':last' ? days.last : filter;
}

/** The filter of the records behind a figure of an owner over some days; null = no field tells the owner. */
export function recordsFilter(
  { by, filter }: NonNullable<RecordFigure['records']>,
  of: FigureOf,
): FilterExpression | null {
  const inDays = filled(filter, of) as FilterExpression;
  if (of.kind === 'entity') return inDays;
  const field = by[of.kind];
  return field === undefined ? null : (['and', [field, 'eq', of.owner], inDays] as FilterExpression);
}

/** The address of the list of the records behind a figure; null = there is none, or the reader may not open it. */
export function recordsBehind(
  { session, screens, recordFigures }: ReportCall,
  name: string,
  of: FigureOf,
): string | null {
  const records = recordFigures?.get(name)?.records;
  const screen = records && screens.get(records.type);
  if (!records || !screen?.routes.landing || session.rights.refuse(screen, 'landing') !== null) return null;
  const filter = recordsFilter(records, of);
  return filter && `${screen.routes.landing}?filter=${encodeURIComponent(JSON.stringify(filter))}`;
}
