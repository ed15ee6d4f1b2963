import { kpiFormula } from '../../../domain/performance/kpi_formula.ts';
import type { Session } from '../../access/context.ts';
import { existingTables } from '../../db/existing_tables.ts';
import { childTable, tableName } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

/** Formulas named in a message; the rest is counted. */
const NAMED = 3;

type Row = Readonly<Record<string, unknown>>;

/** Where a KPI is used: in formulas, by its code, and on sheets that are not closed; null = nowhere. */
async function usesOf({ tenant }: Session, id: number, code: string): Promise<string | null> {
  const { db, schema } = tenant;
  const formulas = await db.query<{ code: string; formula: string }>(
    preparedStatement(
      `select code, formula from ${tableName(schema, 'kpi')} where active and id <> $1 and source = 'formula' and formula is not null order by code`,
      [id],
    ),
  );
  const users = formulas.flatMap(({ code: user, formula }) => {
    const read = kpiFormula(formula);
    return 'wrong' in read || !read.looks.some((look) => look.code === code) ? [] : [user];
  });
  const hasSheets = (await existingTables(db, schema)).has('kpi_sheet');
  const [sheets] = hasSheets
    ? await db.query<{ count: number }>(
        preparedStatement(
          `select count(distinct s.id)::int as count from ${tableName(schema, 'kpi_sheet')} s
             join ${childTable(schema, 'kpi_sheet', 'lines')} l on l.parent_id = s.id
           where l.kpi_id = $1 and s.active and s.status not in ('closed', 'cancelled')`,
          [id],
        ),
      )
    : [];
  const count = sheets?.count ?? 0;
  const used = [
    ...users.slice(0, NAMED),
    ...(users.length > NAMED ? [`${users.length - NAMED} more formulas`] : []),
    ...(count > 0 ? [`${count} ${count === 1 ? 'sheet' : 'sheets'}`] : []),
  ];
  if (used.length === 0) return null;
  return `${code} is used in ${used.length === 1 ? used[0] : `${used.slice(0, -1).join(', ')} and ${used.at(-1)}`}.`;
}

/** The methods whose actuals are no numbers, by the dimension of their units. */
const METHOD_OF: Readonly<Record<string, readonly [method: string, title: string]>> = {
  date: ['milestone', 'By a date'],
  boolean: ['binary', 'Done or not'],
};

/** Why the unit does not fit the achievement of a KPI: dates are for milestones, yes or no for what is done or not. */
async function unitMisfit({ tenant }: Session, record: Row, stored: Row | null): Promise<string | null> {
  const { uom_id: id, achievement_method: method } = record;
  if (typeof id !== 'number' || (stored?.uom_id === id && stored.achievement_method === method)) return null;
  const [unit] = await tenant.db.query<{ code: string; dimension: string }>(
    preparedStatement(`select code, dimension from ${tableName(tenant.schema, 'uom')} where id = $1`, [id]),
  );
  const [fits, title] = METHOD_OF[unit?.dimension ?? ''] ?? [];
  if (!unit || fits === undefined || fits === method) return null;
  const what = unit.dimension === 'date' ? 'counts dates' : 'says yes or no';
  return `${unit.code} ${what}. Choose the achievement “${title}”, or another unit.`;
}

/** Formulas name a KPI by its code: a KPI in use keeps it, and ends by a date (performance.md §10). */
export default defineHooks({
  async check(session, record, stored) {
    const misfit = await unitMisfit(session, record, stored);
    if (misfit !== null) return [{ field: 'uom_id', message: misfit }];
    if (stored === null || record.code === stored.code) return [];
    const used = await usesOf(session, stored.id, String(stored.code));
    return used === null ? [] : [{ field: 'code', message: `${used} Keep its code; the name can be changed.` }];
  },
  async leave(session, stored, how) {
    if (how === 'activate') return null;
    const used = await usesOf(session, stored.id, String(stored.code));
    return used === null ? null : `${used} Enter the day until which it is valid instead.`;
  },
});
