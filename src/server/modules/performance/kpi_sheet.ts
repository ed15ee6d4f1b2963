import { defineHooks } from '../../engine/records/hooks.ts';
import type { FieldError } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { tableName } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import { targetColumn } from './kpi_months.ts';
import { WHOLE, dimensionsOf, partKeyOf } from './line_part.ts';
import type { SheetLine } from './sheet_lines.ts';
import { linesOf } from './sheet_lines.ts';
import { decimalErrors, isOther, unitsOf } from './unit_decimals.ts';

const TARGETS = ['year_target', ...Array.from({ length: 12 }, (_month, place) => targetColumn(place))];

/** The words of dimensions in messages. */
const BY: Record<string, string> = { subchannel: 'sub-channel', subdivision: 'sub-division' };

/** Lines by dimensions that their KPI does not have, and KPIs that are on a sheet both as a whole and by parts. */
async function wrongParts(session: Session, lines: readonly SheetLine[]): Promise<FieldError[]> {
  const limited = lines.filter((line) => partKeyOf(line) !== WHOLE);
  if (limited.length === 0) return [];
  const { db, schema } = session.tenant;
  const kpis = await db.query<{ id: number; name: string; source: string; dimensions: string[] }>(
    preparedStatement(
      `select id, name, source, coalesce(dimensions, '{}') as dimensions from ${tableName(schema, 'kpi')} where id = any($1)`,
      [limited.map(({ kpi_id: id }) => id)],
    ),
  );
  return lines.flatMap((line, at): FieldError[] => {
    const kpi = kpis.find(({ id }) => id === line.kpi_id);
    if (!kpi) return [];
    if (partKeyOf(line) === WHOLE)
      return [
        {
          field: `lines.${at}.kpi_id`,
          message: `${kpi.name} is on the sheet by parts as well. Limit this line too, or remove the other lines.`,
        },
      ];
    const other = dimensionsOf(line).find((one) => !kpi.dimensions.includes(one));
    if (other === undefined) return [];
    const message = `${kpi.name} has no lines by ${BY[other] ?? other}. Empty this, or add it to “Lines by” of the KPI.`;
    return [{ field: `lines.${at}.${other}_id`, message }];
  });
}

/**
 * Targets have no more decimals than their KPI (performance.md §10): those that were changed, because a KPI may have had
 * more once. A revision takes over the targets of its sheet as they are. A line is limited to what its KPI has lines by.
 */
export default defineHooks({
  async check(session, record, stored) {
    if (stored === null && typeof record.revises_id === 'number') return [];
    const keyOf = (line: SheetLine) => `${String(line.kpi_id)} ${partKeyOf(line)}`;
    const before = new Map(linesOf(stored).map((line) => [keyOf(line), line]));
    const changed = linesOf(record).map((line, at) => ({
      kpi: line.kpi_id as number,
      figures: TARGETS.filter((name) => isOther(line[name], before.get(keyOf(line))?.[name])).map((name) => ({
        field: `lines.${at}.${name}`,
        value: line[name],
      })),
    }));
    const units = await unitsOf(
      session,
      changed.flatMap(({ kpi, figures }) => (figures.length > 0 ? [kpi] : [])),
    );
    return [
      ...(await wrongParts(session, linesOf(record))),
      ...changed.flatMap(({ kpi, figures }) => decimalErrors(units.get(kpi), figures)),
    ];
  },
});
