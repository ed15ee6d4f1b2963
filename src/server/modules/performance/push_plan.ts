import { Decimal } from 'decimal.js';
import { treeTable } from '../../db/names.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { growthTarget } from '../../../domain/performance/phasing.ts';
import { yearSpan } from '../../../descriptor/financial_year.ts';
import { baseKey, baseSettings, basesFor, ofMembers } from './kpi_base.ts';
import { addMonths } from './kpi_months.ts';
import { WHOLE, partKeySql } from './line_part.ts';
import { MAPPED_TO, isMappedSql } from './mapped_kpis.ts';
import { startMonthOf } from './sheet_lines.ts';
import { dayOfRecord } from '../../engine/records/day_of_record.ts';
import { formatDate } from '../../../descriptor/format.ts';

type Row = Record<string, unknown>;

/** The planned change of a push to a member's KPI. */
export interface PushLine extends Row {
  employee_id: number;
  kpi_id: number;
  change: 'add' | 'change' | 'skip' | 'conflict';
  weight: string;
  weight_before: string | null;
  year_target: string | null;
  phasing_profile_id: number | null;
  note: string | null;
  sheet_id: number | null;
  /** The first day of the draft that takes the place of an approved sheet; null = the sheet itself is changed or made. */
  revise_from: string | null;
}

/** From when an approved sheet may be revised, or why it may not. */
type Revision = { from: string } | { wrong: string };

/**
 * The months from which approved sheets may be revised: the next month, or a later one without figures. A push changes
 * what is expected from then on.
 */
async function revisionsOf(unit: Unit, sheets: readonly number[]): Promise<Map<number, Revision>> {
  const rows = await unit.query<{
    id: number;
    number: string;
    first: string;
    last: string;
    entered: string | null;
    below: string | null;
  }>(
    `select s.id, s.sheet_no as number, to_char(s.valid_from, 'YYYY-MM') as first, s.valid_to::text as last,
       (select max(a.month) from {kpi_actual} a where a.sheet_id = s.id and a.active
          and (a.counts or a.status in ('submitted', 'approved', 'frozen') and a.source = 'manual')) as entered,
       (select b.sheet_no from {kpi_sheet.lines} l join {kpi_sheet} b on b.id = l.parent_id
        where l.parent_sheet_id = s.id and b.active and b.status <> 'cancelled' limit 1) as below
     from {kpi_sheet} s where s.id = any($1) and s.status in ('approved', 'acknowledged', 'disputed')`,
    [[...new Set(sheets)]],
  );
  const today = dayOfRecord(unit, {}).slice(0, 7);
  return new Map(
    rows.map(({ id, number, first, last, entered, below }): [number, Revision] => {
      const after = [today, first, ...(entered === null ? [] : [entered])].toSorted().at(-1)!;
      const from = `${addMonths(after, 1)}-01`;
      if (below !== null) return [id, { wrong: `${below} counts into ${number}, which is not changed.` }];
      if (from > last) return [id, { wrong: `${number} ends on ${formatDate(last)} and is not changed.` }];
      return [id, { from }];
    }),
  );
}

interface Mapped extends Row {
  employee_id: number;
  kpi_id: number;
  kpi: string;
  decimals: number;
  weight: string;
  target_basis: 'manual' | 'fixed' | 'growth_on_base' | 'per_head';
  year_target: string | null;
  phasing_profile_id: number | null;
  /** The people who report to the member, over all levels. */
  team: number;
  growth_percent: string | null;
  sheet_id: number | null;
  sheet_status: string | null;
  sheet_no: string | null;
  weight_before: string | null;
  is_there: boolean;
  /** The KPI is on the sheet by parts, which no mapping knows. */
  has_parts: boolean;
}

/** The target of a mapping, and the remark about it. */
function targetOf(
  { target_basis: basis, year_target: fixed, growth_percent: growth, team, decimals }: Mapped,
  base: string | undefined,
  usual: string | null,
) {
  const rounded = (target: Decimal.Value) =>
    new Decimal(target).toDecimalPlaces(decimals, Decimal.ROUND_HALF_UP).toFixed();
  if (basis === 'manual') return { target: null, note: 'Enter the target on the sheet.' };
  if (basis === 'fixed') return { target: fixed, note: null };
  if (basis === 'per_head')
    return team === 0
      ? { target: null, note: 'Nobody reports to the member. Enter the target on the sheet.' }
      : { target: rounded(new Decimal(fixed ?? 0).times(team)), note: `For ${team} members of the team.` };
  if (base === undefined)
    return { target: null, note: 'There is no figure for the base year. Enter the target on the sheet.' };
  return { target: rounded(growthTarget(base, growth ?? usual ?? 0)), note: null };
}

/**
 * The plan of a push: the KPIs mapped to each member's role, designation, grade, function, department and branch, against
 * the sheet of the year. If several mappings name a KPI, the most specific one applies.
 */
export async function pushPlan(unit: Unit, push: Readonly<Row>): Promise<PushLine[]> {
  const year = String(push.financial_year);
  const { from, to } = yearSpan(Number(year.slice(0, 4)), await startMonthOf(unit));
  const rows = await unit.query<Mapped>(
    `select distinct on (e.name, e.id, k.name, k.id) e.id as employee_id, k.id as kpi_id, k.name as kpi, coalesce(k.decimals, 0)::int as decimals, m.weight::text, m.target_basis,
       m.year_target::text, m.growth_percent::text, m.phasing_profile_id,
       case when m.target_basis = 'per_head' then (select count(*) from ${treeTable(unit.session.tenant.schema, 'employee')} t join {employee} b on b.id = t.descendant_id
         where t.ancestor_id = e.id and b.id <> e.id and b.active and b.status = 'active')::int else 0 end as team,
       s.id as sheet_id, s.status as sheet_status, s.sheet_no, l.weight::text as weight_before, l.id is not null as is_there, coalesce(${partKeySql('l')} <> '${WHOLE}', false) as has_parts
     from {employee} e
     join {kpi_mapping} m on ${isMappedSql('$2', '$3')}
     join {kpi} k on k.id = m.kpi_id and k.active
     left join {kpi_sheet} s on s.employee_id = e.id and s.financial_year = $4 and s.active and s.status not in ('cancelled', 'closed')
     left join {kpi_sheet.lines} l on l.parent_id = s.id and l.kpi_id = k.id
     where e.entity_id = $1 and e.active and e.status = 'active'
       and (cardinality($5::bigint[]) = 0 or e.department_id = any($5)) and (cardinality($6::bigint[]) = 0 or e.designation_id = any($6))
       and (cardinality($7::bigint[]) = 0 or e.id = any($7))
     order by e.name, e.id, k.name, k.id, array_position($8::text[], m.map_to), s.valid_from desc
     limit 5000`,
    [
      unit.session.entityId,
      from,
      to,
      year,
      push.department_ids ?? [],
      push.designation_ids ?? [],
      push.employee_ids ?? [],
      MAPPED_TO,
    ],
  );
  const settings = await baseSettings(unit);
  const grown = rows.filter((row) => row.target_basis === 'growth_on_base');
  const bases = await basesFor(
    unit,
    year,
    { whose: ofMembers(grown.map((row) => row.employee_id)), kpis: [...new Set(grown.map((row) => row.kpi_id))] },
    settings,
  );
  const revisions = await revisionsOf(
    unit,
    rows.flatMap(({ sheet_id: id }) => id ?? []),
  );
  return rows.map((row) => {
    const base = bases.get(baseKey(row.employee_id, row.kpi_id));
    const { target, note } = targetOf(row, base, settings.growth_default);
    const line = {
      employee_id: row.employee_id,
      kpi_id: row.kpi_id,
      weight: row.weight,
      weight_before: row.weight_before,
      year_target: target,
      phasing_profile_id: row.phasing_profile_id,
      sheet_id: row.sheet_id,
      revise_from: null,
    };
    const isDraft = row.sheet_status === null || row.sheet_status === 'draft';
    if (row.has_parts && push.mode !== 'replace_drafts')
      return {
        ...line,
        change: 'skip' as const,
        note: 'The KPI is on the sheet by parts. Change their weights there.',
      };
    if (row.is_there && push.mode === 'add_missing')
      return { ...line, change: 'skip' as const, note: 'The KPI is already on the sheet.' };
    if (row.is_there && Number(row.weight) === Number(row.weight_before) && push.mode === 'update_weights')
      return { ...line, change: 'skip' as const, note: 'The weight is unchanged.' };
    const change = row.is_there ? ('change' as const) : ('add' as const);
    if (isDraft) return { ...line, change, note };
    const revision = push.mode === 'replace_drafts' ? undefined : revisions.get(row.sheet_id!);
    if (revision === undefined || 'wrong' in revision)
      return {
        ...line,
        change: 'conflict' as const,
        note: revision?.wrong ?? `${row.sheet_no} is ${row.sheet_status} and is not changed.`,
      };
    const says = `A draft takes the place of ${row.sheet_no} from ${formatDate(revision.from)} on.`;
    return { ...line, change, revise_from: revision.from, note: note === null ? says : `${says} ${note}` };
  });
}
