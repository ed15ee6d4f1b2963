import type { FilterExpression } from '../../../descriptor/types.ts';
import type { ReportCall } from '../../engine/reports/report_source.ts';

/** The figure of a person over some days. */
interface FigureOf {
  person: number;
  first: string;
  last: string;
}

/** The filter with the person and the days in place of their names. */
function filled(filter: unknown, of: FigureOf): unknown {
  if (Array.isArray(filter)) return filter.map((part) => filled(part, of));
  return filter === ':person' ? of.person : filter === ':first' ? of.first : filter === ':last' ? of.last : filter;
}

/** The filter of the records behind a figure of a person over some days. */
export const recordsFilter = (filter: FilterExpression, of: FigureOf): FilterExpression =>
  filled(filter, of) as FilterExpression;

/** The address of the list of the records behind a figure; null = there is none, or the reader may not open it. */
export function recordsBehind(
  { session, screens, personFigures }: ReportCall,
  name: string,
  of: FigureOf,
): string | null {
  const records = personFigures?.get(name)?.records;
  const screen = records && screens.get(records.type);
  if (!records || !screen?.routes.landing || session.rights.refuse(screen, 'landing') !== null) return null;
  return `${screen.routes.landing}?filter=${encodeURIComponent(JSON.stringify(recordsFilter(records.filter, of)))}`;
}
