import type { ScoreRow, Scorecard, ScorecardLine, ScorecardScore } from '../../../../domain/performance/scorecard.ts';
import { tableName } from '../../../db/names.ts';
import { SqlParams, preparedStatement } from '../../../db/sql_text.ts';
import { performanceFacts } from '../../../platform/features/performance_facts.ts';
import { recordsBehind } from '../figure_records.ts';
import type { Frequency } from '../kpi_months.ts';
import { MONTHS_OF, addMonths } from '../kpi_months.ts';
import type { OwnerKind, SheetOwner } from '../sheet_owner.ts';
import { belongsTo, ownerColumns, ownerOf } from '../sheet_owner.ts';
import type { ReportCall, ReportSource } from '../../../engine/reports/report_source.ts';

const MONTHS = 12;
const EMPTY: Scorecard = {
  owner: null,
  month: null,
  months: [],
  score: null,
  rank: null,
  decimals: 2,
  past: [],
  lines: [],
  below: [],
  units: [],
  explains: true,
};

/** A line as read, with what tells the records behind it. */
type StoredLine = Omit<ScorecardLine, 'past' | 'off_since' | 'records'> & {
  kpi_id: number;
  sheet_id: number;
  source: string;
  ends_on: string;
  frequency: Frequency;
  figure: string | null;
};

type Past = { kpi_id: number; month: string; achievement: string | null; colour: string | null };

/** The first month of the current run of red months; null = the last month with a figure is not red. */
function offSince(past: readonly Past[]): string | null {
  const known = past.filter(({ colour }) => colour !== null);
  if (known.at(-1)?.colour !== 'red') return null;
  const good = known.findLastIndex(({ colour }) => colour !== 'red');
  return known[good + 1]!.month;
}

/** Reads updates and scores that the reader may see. */
class Reader {
  readonly #call: ReportCall;
  constructor(call: ReportCall) {
    this.#call = call;
  }

  table(type: string): string {
    return tableName(this.#call.session.tenant.schema, type);
  }

  query<Row extends object>(text: (values: SqlParams) => string): Promise<Row[]> {
    const values = new SqlParams();
    const statement = text(values);
    return this.#call.session.tenant.db.query<Row & Record<string, unknown>>(preparedStatement(statement, values.list));
  }

  seen(type: string, alias: string, values: SqlParams): string {
    return [`${alias}.active`, ...this.#call.scoped(type, alias, values)].join(' and ');
  }
}

interface Shown {
  default_period: 'last_closed' | 'current';
  show_rank: 'none' | 'peers' | 'all';
  peer_group: keyof typeof PEERS;
  score_decimals: number;
}

const USUAL: Shown = { default_period: 'last_closed', show_rank: 'none', peer_group: 'designation', score_decimals: 2 };
const PEERS = {
  designation: { column: 'designation_id', among: 'with this designation' },
  department: { column: 'department_id', among: 'in the department' },
  branch: { column: 'branch_id', among: 'in the branch' },
  grade: { column: 'employee_grade_id', among: 'in the grade' },
} as const;

/** What the company's scorecards show. */
async function shownSettings(reader: Reader, company: number | null): Promise<Shown> {
  const [known] = await reader.query<{ there: boolean }>(
    (values) => `select to_regclass(${values.bind(reader.table('calc_settings'))}) is not null as there`,
  );
  if (!known!.there) return USUAL;
  const [stored] = await reader.query<Shown>(
    (
      values,
    ) => `select coalesce(default_period, 'last_closed') as default_period, coalesce(show_rank, 'none') as show_rank,
        coalesce(peer_group, 'designation') as peer_group, coalesce(score_decimals, 2) as score_decimals
      from ${reader.table('calc_settings')} where entity_id = ${values.bind(company)} order by id limit 1`,
  );
  return stored ?? USUAL;
}

/** The place of a member's score of a month: of everybody, whatever the reader sees of them; null = it is not shown. */
async function rankOf(
  reader: Reader,
  { show_rank: shown, peer_group: group }: Shown,
  company: number | null,
  member: number,
  month: string,
): Promise<Scorecard['rank']> {
  if (shown === 'none') return null;
  const { column, among } = PEERS[group];
  const [found] = await reader.query<{ place: number; of: number }>(
    (values) => `select r.place, r.of from (
        select s.employee_id, dense_rank() over (order by max(s.score) desc)::int as place, count(*) over ()::int as of
        from ${reader.table('kpi_score')} s join ${reader.table('employee')} e on e.id = s.employee_id
        where s.entity_id = ${values.bind(company)} and s.month = ${values.bind(month)} and s.active and s.score is not null
          ${shown === 'all' ? '' : `and e.${column} = (select m.${column} from ${reader.table('employee')} m where m.id = ${values.bind(member)})`}
        group by s.employee_id) r where r.employee_id = ${values.bind(member)}`,
  );
  return found ? { ...found, among: shown === 'all' ? 'in the company' : among } : null;
}

/** The address of the list of updates that count into a KPI of a sheet. */
const updatesBelow = (sheet: number, kpi: number, month: string): string =>
  `/actual_ViewLanding?filter=${encodeURIComponent(
    JSON.stringify(['and', ['parent_sheet_id', 'eq', sheet], ['kpi_id', 'eq', kpi], ['month', 'eq', month]]),
  )}`;

const KINDS: Record<OwnerKind, string> = {
  employee: 'Member',
  department: 'Department',
  branch: 'Branch',
  store: 'Store',
  entity: 'Company',
};

/** Whose scorecard it is: that of the sheet, of the chosen member, or the reader's own. */
async function ownerOfCard({ session, parameters }: ReportCall, reader: Reader): Promise<SheetOwner | null> {
  if (typeof parameters.sheet_id === 'number') {
    const [sheet] = await reader.query<SheetOwner>(
      (values) => `select ${ownerColumns('s')} from ${reader.table('kpi_sheet')} s
        where s.id = ${values.bind(parameters.sheet_id)} and ${reader.seen('kpi_sheet', 's', values)}`,
    );
    return sheet ?? null;
  }
  const employee = (parameters.employee_id as number | null) ?? session.employeeId;
  return employee === null ? null : ownerOf({ employee_id: employee });
}

/** The heading of a scorecard. */
async function heading(reader: Reader, owner: SheetOwner): Promise<Scorecard['owner']> {
  const [person] = await reader.query<{
    name: string;
    designation: string | null;
    manager: string | null;
    branch: string | null;
  }>(
    (values) => `select e.name, d.name as designation, m.name as manager, b.name as branch
      from ${reader.table('employee')} e left join ${reader.table('designation')} d on d.id = e.designation_id
      left join ${reader.table('employee')} m on m.id = e.reporting_to_id left join ${reader.table('branch')} b on b.id = e.branch_id
      where e.id = ${values.bind(owner.responsible_id)}`,
  );
  if (owner.owner_kind !== 'employee')
    return {
      name: owner.unit_name ?? '',
      about: [KINDS[owner.owner_kind]],
      person: person?.name ?? null,
      isUnit: true,
    };
  if (!person) return null;
  const about = [person.designation, person.branch].filter((one) => one !== null);
  return { name: person.name, about, person: person.manager, isUnit: false };
}

/** Sheets with their score of a month and the updates to enter, by name. @param which `t` is the sheet */
function scoresOf(reader: Reader, month: string, which: (values: SqlParams) => string): Promise<ScoreRow[]> {
  return reader.query<ScoreRow>(
    (values) => `select '/scorecard_new?sheet_id=' || t.id || '&month=' || ${values.bind(month)} as "to",
        coalesce(e.name, t.unit_name) as name, s.score::text, s.band,
        (select count(*)::int from ${reader.table('kpi_actual')} o where o.sheet_id = t.id and o.month = ${values.bind(month)} and o.active
          and o.status in ('to_enter', 'returned') and o.source = 'manual') as open
      from ${reader.table('kpi_sheet')} t left join ${reader.table('employee')} e on e.id = t.employee_id
      left join ${reader.table('kpi_score')} s on s.sheet_id = t.id and s.month = ${values.bind(month)} and s.active
      where ${reader.seen('kpi_sheet', 't', values)} and ${which(values)} order by s.score nulls last, 2 limit 200`,
  );
}

/** The units whose sheets the reader sees, with their score of a month. */
const unitsOf = (reader: Reader, month: string): Promise<ScoreRow[]> =>
  scoresOf(
    reader,
    month,
    (values) => `t.owner_kind <> 'employee' and exists (
      select 1 from ${reader.table('kpi_actual')} a where a.sheet_id = t.id and a.month = ${values.bind(month)} and a.active)`,
  );

/** The scorecard of a member or a unit: what is off target, since when, and the causes (performance.md §2.7). */
const scorecard: ReportSource = {
  reads: {
    kpi_actual: ['value', 'achievement', 'score', 'weighted', 'target', 'weight'],
    kpi_score: ['score', 'band'],
  },
  async rows(call) {
    const { session, parameters } = call;
    const reader = new Reader(call);
    const owner = await ownerOfCard(call, reader);
    if (owner === null) return { rows: [], widget: EMPTY };
    const whose = (alias: string, values: SqlParams) => {
      const { sql, values: own } = belongsTo(alias, owner, session.entityId, values.list.length + 1);
      for (const value of own) values.bind(value);
      return sql;
    };
    const months = await reader.query<{ month: string }>(
      (values) => `select distinct a.month from ${reader.table('kpi_actual')} a
        where ${whose('a', values)} and ${reader.seen('kpi_actual', 'a', values)} order by a.month desc limit 36`,
    );
    const { calc_settings: shown } = await performanceFacts(session.tenant.db, session.tenant.schema, session.entityId);
    const explains = shown[0].show;
    const settings = await shownSettings(reader, session.entityId);
    const running = call.today.slice(0, 7);
    const isShown = (one: string) => (settings.default_period === 'current' ? one <= running : one < running);
    const month =
      (parameters.month as string | null) ??
      months.find((one) => isShown(one.month))?.month ??
      months.at(-1)?.month ??
      null;
    const isSeen = months.length > 0 || owner.employee_id === session.employeeId;
    const head = isSeen ? await heading(reader, owner) : null;
    if (!head || month === null) {
      const [latest] = await reader.query<{ month: string | null }>(
        (values) => `select max(a.month) as month from ${reader.table('kpi_actual')} a
          where a.employee_id is null and a.month < ${values.bind(running)} and ${reader.seen('kpi_actual', 'a', values)}`,
      );
      const units = latest?.month ? await unitsOf(reader, latest.month) : [];
      return { rows: [], widget: { ...EMPTY, owner: head, units, explains } };
    }
    const lines = await reader.query<StoredLine>(
      (
        values,
      ) => `select a.id, a.kpi_id, a.sheet_id, a.source, k.name as kpi, t.name as type, u.name as unit, k.decimals, a.method, a.weight::text,
          a.target::text, a.target_day::text, case when a.range_low is null then null else jsonb_build_array(a.range_low::text, a.range_high::text) end as range,
          a.value::text as actual, a.done_on::text, a.done, a.achievement::text, a.score::text, a.weighted::text, a.colour, a.status, a.remark,
          a.not_applicable, a.ends_on::text, k.frequency, case when a.source = 'system' then k.figure end as figure, coalesce(a.threshold_percent, 50)::text as threshold,
          coalesce(a.cap_percent, 120)::text as cap
        from ${reader.table('kpi_actual')} a join ${reader.table('kpi')} k on k.id = a.kpi_id
        join ${reader.table('kpi_type')} t on t.id = k.kpi_type_id join ${reader.table('uom')} u on u.id = k.uom_id
        where ${whose('a', values)} and a.month = ${values.bind(month)} and ${reader.seen('kpi_actual', 'a', values)}
        order by t.sort_order, t.name, a.weight desc, k.name`,
    );
    const past = await reader.query<Past>(
      (values) => `select a.kpi_id, a.month, a.achievement::text, a.colour from ${reader.table('kpi_actual')} a
        where ${whose('a', values)} and a.month <= ${values.bind(month)} and ${reader.seen('kpi_actual', 'a', values)}
        order by a.month desc limit ${MONTHS * 40}`,
    );
    const scores = await reader.query<ScorecardScore & { trend: string | null }>(
      (
        values,
      ) => `select s.month, s.score::text, s.covered::text, s.band, s.trend, s.frozen from ${reader.table('kpi_score')} s
        where ${whose('s', values)} and s.month <= ${values.bind(month)} and ${reader.seen('kpi_score', 's', values)}
        order by s.month desc limit ${MONTHS}`,
    );
    const below = await scoresOf(reader, month, (values) =>
      head.isUnit
        ? `t.id in (select a.sheet_id from ${reader.table('kpi_actual')} a where a.month = ${values.bind(month)} and a.active
            and a.parent_sheet_id = any(${values.bind(lines.map((line) => line.sheet_id))}))`
        : `e.reporting_to_id = ${values.bind(owner.employee_id)} and e.active and e.status <> 'left' and exists (
            select 1 from ${reader.table('kpi_actual')} a where a.sheet_id = t.id and a.month = ${values.bind(month)} and a.active)`,
    );
    const units = head.isUnit ? [] : await unitsOf(reader, month);
    const widget: Scorecard = {
      owner: head,
      month,
      months: months.map((one) => one.month),
      score: scores[0]?.month === month ? scores[0] : null,
      rank:
        scores[0]?.month === month && owner.employee_id !== null
          ? await rankOf(reader, settings, session.entityId, owner.employee_id, month)
          : null,
      decimals: settings.score_decimals,
      past: scores.toReversed(),
      lines: lines.map(({ kpi_id: kpiId, sheet_id: sheet, source, figure, frequency, ends_on: last, ...line }) => {
        const own = past.filter((one) => one.kpi_id === kpiId).toReversed();
        const first = `${addMonths(month, 1 - MONTHS_OF[frequency])}-01`;
        const records =
          source === 'rollup'
            ? updatesBelow(sheet, kpiId, month)
            : figure === null || owner.employee_id === null
              ? null
              : recordsBehind(call, figure, { person: owner.employee_id, first, last });
        return { ...line, records, past: own.slice(-MONTHS).map((one) => one.achievement), off_since: offSince(own) };
      }),
      below,
      units,
      explains,
    };
    return { rows: [], widget };
  },
};

export default scorecard;
