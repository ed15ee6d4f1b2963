import { monthTitle } from '../../../domain/month_names.ts';
import type { LinkChoice, MoveLink, Relink } from '../../../domain/performance/move_links.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { rowScope } from '../../access/rights/scope.ts';
import { existingTables } from '../../db/existing_tables.ts';
import { childTable, tableName } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { WHOLE, intoParts, partKeyOf, partKeySql, placeKey } from './line_part.ts';
import type { Place } from './rolled_up.ts';
import { followBelow, rollUpInto } from './rolled_up.ts';
import type { SheetLine } from './sheet_lines.ts';
import { linesOf } from './sheet_lines.ts';

const SHEET = 'kpi_sheet';
/** Sheets whose links may change. */
const OPEN = `('draft', 'submitted', 'approved', 'acknowledged', 'disputed')`;

/** A member gets another manager from a day on. */
export interface MoveOfMember {
  employee: number;
  manager: number | null;
  from: string;
}

interface Found extends Record<string, unknown> {
  sheet_id: number;
  kpi_id: number;
  part_key: string;
  kpi: string;
  owner: string;
  into_id: number | null;
  into: string | null;
  is_unit: boolean;
  to_id: number | null;
  name: string | null;
  month: string | null;
  has_updates: boolean;
}

/**
 * The KPIs of a member's sheets that count into sheets of the manager, and the sheets of the new manager with the same
 * KPI, as far as the reader may change them. A figure that is frozen anywhere in between stays where it counts: each
 * choice has the first month after that (performance.md §2.7).
 * @param which `all`: also KPIs that count into no sheet, so that a move can be undone
 */
export async function linksOfMove(
  session: Session,
  screens: ReadonlyMap<string, Screen>,
  { employee, manager, from }: MoveOfMember,
  which: 'counting' | 'all' = 'counting',
): Promise<MoveLink[]> {
  const { db, schema } = session.tenant;
  const screen = screens.get(SHEET);
  if (!screen || session.rights.refuse(screen, 'add_screen') !== null) return [];
  if (!(await existingTables(db, schema)).has('kpi_actual')) return [];
  const table = (type: string) => tableName(schema, type);
  const lines = childTable(schema, SHEET, 'lines');
  const values = new SqlParams();
  const seen = (alias: string) =>
    [`${alias}.active`, ...rowScope(session, screen, screens as Map<string, Screen>, alias, values)].join(' and ');
  const person = values.bind(employee);
  const [to, day] = [values.bind(manager), values.bind(from)];
  const of = (alias: string, owner: string) =>
    `(${alias}.employee_id = ${owner} or (${alias}.employee_id is null and ${alias}.responsible_id = ${owner}))`;
  const rows = await db.query<Found>(
    preparedStatement(
      `with own as (
         select s.id as sheet_id, l.kpi_id, ${partKeySql('l')} as part_key, concat_ws(', ', k.name, l.part) as kpi, coalesce(o.name, s.unit_name) as owner, s.financial_year,
           p.id as into_id, coalesce(po.name, p.unit_name) as into, p.employee_id is null as is_unit
         from ${table(SHEET)} s join ${lines} l on l.parent_id = s.id join ${table('kpi')} k on k.id = l.kpi_id
         join ${table('employee')} e on e.id = ${person} left join ${table('employee')} o on o.id = s.employee_id
         left join ${table(SHEET)} p on p.id = l.parent_sheet_id left join ${table('employee')} po on po.id = p.employee_id
         where ${of('s', 'e.id')} and s.status in ${OPEN} and s.valid_to >= ${day}::date and ${seen('s')} and k.org_rollup <> 'none'
           and ${which === 'all' ? '(p.id is null or ' : '('}${of('p', 'e.reporting_to_id')})),
       choices as (
         select own.*, q.id as to_id, coalesce(qo.name, q.unit_name) as name from own
         join ${table(SHEET)} q on ${of('q', to)} and q.financial_year = own.financial_year and q.status in ${OPEN}
           and q.valid_to >= ${day}::date and q.id <> own.sheet_id and q.id is distinct from own.into_id and ${seen('q')}
         join ${lines} l on l.parent_id = q.id and l.kpi_id = own.kpi_id and ${partKeySql('l')} in (own.part_key, '${WHOLE}')
         left join ${table('employee')} qo on qo.id = q.employee_id
         -- What counts into the sheet itself cannot take it up.
         where not exists (
           with recursive up as (
             select a.parent_sheet_id as sheet, 1 as steps from ${lines} a where a.parent_id = q.id and a.kpi_id = own.kpi_id
             union all
             select a.parent_sheet_id, u.steps + 1 from up u join ${lines} a on a.parent_id = u.sheet and a.kpi_id = own.kpi_id
             where u.steps < 20)
           select 1 from up where up.sheet = own.sheet_id)
         union all select own.*, null, null from own)
       select c.sheet_id, c.kpi_id, c.part_key, c.kpi, c.owner, c.into_id, c.into, c.is_unit, c.to_id, c.name,
         (${firstMonth(table, { sheet: 'c.sheet_id', kpi: 'c.kpi_id', part: 'c.part_key', others: 'c.into_id, c.to_id', day })}) as month,
         exists (select 1 from ${table('kpi_actual')} a where a.sheet_id = c.sheet_id and a.kpi_id = c.kpi_id and a.part_key = c.part_key and a.active) as has_updates
       from choices c order by c.owner, c.kpi, c.to_id nulls last`,
      values.list,
    ),
  );
  return [...Map.groupBy(rows, (row) => `${row.sheet_id} ${placeKey(row.kpi_id, row.part_key)}`).values()].flatMap(
    (all) => {
      const [{ sheet_id, kpi_id, part_key, kpi, owner, into_id: into, into: name, is_unit: isUnit }] = all as [Found];
      const choices = all.flatMap(({ to_id, name: whose, month, has_updates: has }): LinkChoice[] =>
        has && month === null ? [] : [{ sheet_id: to_id, name: whose ?? 'None', from: has ? month : null }],
      );
      return choices.length === 0
        ? []
        : [
            {
              sheet_id,
              kpi_id,
              part_key,
              kpi,
              owner,
              into: { sheet_id: into ?? 0, name: name ?? '', isUnit },
              choices,
            },
          ];
    },
  );
}

/** The first month of a sheet's KPI that ends from a day on and is frozen neither there nor in the sheets that it counts into. */
const firstMonth = (
  table: (type: string) => string,
  { sheet, kpi, part, others, day }: { sheet: string; kpi: string; part: string; others: string; day: string },
): string =>
  `select min(a.month) from ${table('kpi_actual')} a where a.sheet_id = ${sheet} and a.kpi_id = ${kpi} and a.part_key = ${part} and a.active
     and a.ends_on >= ${day}::date and a.month > coalesce((
       select max(f.month) from ${table('kpi_actual')} f where f.sheet_id in (${sheet}, ${others}) and f.kpi_id = ${kpi}
         and f.part_key in (${part}, '${WHOLE}') and f.active and f.status = 'frozen'), '')`;

/** What is wrong with decisions about links; null = nothing. */
export function wrongRelink(given: readonly Relink[], offered: readonly MoveLink[]): string | null {
  for (const { sheet_id: sheet, kpi_id: kpi, part_key: part = WHOLE, to } of given) {
    const link = offered.find((one) => one.sheet_id === sheet && one.kpi_id === kpi && one.part_key === part);
    if (!link) return 'This KPI does not count into a sheet of the manager any more, or you may not change its sheet.';
    if (!link.choices.some((one) => one.sheet_id === to))
      return `${link.kpi} of ${link.owner} cannot count into this sheet. Choose another, or none.`;
  }
  return null;
}

/** The decisions about links as their page shows them, a line each. */
export const wordsOfRelinks = (given: readonly Relink[], offered: readonly MoveLink[]): string =>
  given
    .flatMap(({ sheet_id: sheet, kpi_id: kpi, part_key: part = WHOLE, to }) => {
      const link = offered.find((one) => one.sheet_id === sheet && one.kpi_id === kpi && one.part_key === part);
      const choice = link?.choices.find((one) => one.sheet_id === to);
      if (!link || !choice) return [];
      const where = to === null ? 'counts nowhere' : `counts into ${choice.name}`;
      const start = choice.from === null ? '' : ` from ${monthTitle(choice.from)}`;
      return [`${link.kpi} of ${link.owner}: ${where}${start}`];
    })
    .join('\n');

/** Lets KPIs count into other sheets from their first month that is not frozen. @returns how many */
export async function relinkKpis(person: Unit, links: readonly Relink[], from: string): Promise<number> {
  const unit = person.elevated();
  const sheets = links.flatMap(({ sheet_id: id, to }) => (to === null ? [id] : [id, to]));
  await unit.lock([...new Set(sheets)].toSorted((a, b) => a - b).map((id) => ({ type: SHEET, id })));
  let changed = 0;
  for (const { sheet_id: id, kpi_id: kpi, part_key: part = WHOLE, to } of links) {
    const sheet = await unit.read(SHEET, id);
    const isMoved = (one: SheetLine) => one.kpi_id === kpi && partKeyOf(one) === part;
    const line = linesOf(sheet).find(isMoved);
    const before = typeof line?.parent_sheet_id === 'number' ? line.parent_sheet_id : null;
    if (!line || before === to) continue;
    const updates = await unit.query<{ id: number; month: string }>(
      `select a.id, a.month from {kpi_actual} a where a.sheet_id = $1 and a.kpi_id = $2 and a.part_key = $6 and a.active and a.month >= (${firstMonth(
        (type) => `{${type}}`,
        { sheet: '$1', kpi: '$2', part: '$6', others: '$3::bigint, $4::bigint', day: '$5' },
      )}) order by a.id`,
      [id, kpi, before, to, from, part],
    );
    const wasInto = (await intoParts(unit, id)).get(placeKey(kpi, part)) ?? WHOLE;
    await unit.update(SHEET, id, {
      lines: linesOf(sheet).map((one) => (isMoved(one) ? { ...one, parent_sheet_id: to } : { ...one })),
    });
    const into = (await intoParts(unit, id)).get(placeKey(kpi, part)) ?? WHOLE;
    await unit.changeMany(
      'kpi_actual',
      updates.map((update) => ({ id: update.id, set: { parent_sheet_id: to, into_part_key: into } })),
    );
    changed++;
    if (updates.length === 0) continue;
    if (before !== null) {
      const left = { sheet_id: before, kpi_id: kpi, part_key: wasInto };
      await rollUpInto(unit, left, null);
      await enteredAgain(unit, left);
    }
    if (to === null) continue;
    const first = updates.reduce((least, { month }) => (month < least ? month : least), updates[0]!.month);
    const reached = { sheet_id: to, kpi_id: kpi, part_key: into };
    await followBelow(unit, reached, first);
    await rollUpInto(unit, reached, null);
  }
  return changed;
}

/** Months of a KPI into which nothing counts any more, and which have no part of their own, are entered by hand again. */
async function enteredAgain(unit: Unit, { sheet_id: sheet, kpi_id: kpi, part_key: part }: Place): Promise<void> {
  const updates = await unit.query<{ id: number; source: string; needs_approval: boolean }>(
    `select a.id, k.source, k.approval_required and k.source = 'manual' as needs_approval from {kpi_actual} a join {kpi} k on k.id = a.kpi_id
     where a.sheet_id = $1 and a.kpi_id = $2 and a.part_key = $3 and a.active and a.source = 'rollup' and a.own_status is null
       and a.status in ('to_enter', 'returned') and k.dimension is null and k.frequency not in ('daily', 'weekly')
       and not exists (select 1 from {kpi_actual} b where b.parent_sheet_id = a.sheet_id and b.kpi_id = a.kpi_id and b.into_part_key = a.part_key
         and b.month = a.month and b.active)`,
    [sheet, kpi, part],
  );
  await unit.changeMany(
    'kpi_actual',
    updates.map(({ id, source, needs_approval: needs }) => ({
      id,
      set: { source, needs_approval: needs, remark: null },
    })),
  );
}
