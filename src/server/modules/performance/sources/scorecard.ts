import type { Scorecard, ScorecardLine, ScorecardScore } from '../../../../domain/performance/scorecard.ts';
import { tableName } from '../../../db/names.ts';
import { SqlParams, preparedStatement } from '../../../db/sql_text.ts';
import { performanceFacts } from '../../../platform/features/performance_facts.ts';
import { recordsBehind } from '../figure_records.ts';
import type { Frequency } from '../kpi_months.ts';
import { MONTHS_OF, addMonths } from '../kpi_months.ts';
import type { ReportCall, ReportSource } from '../../../engine/reports/report_source.ts';

const MONTHS = 12;
const EMPTY: Scorecard = {
  member: null,
  month: null,
  months: [],
  score: null,
  rank: null,
  decimals: 2,
  past: [],
  lines: [],
  reportees: [],
  explains: true,
};

/** A line as read, with what tells the records behind it. */
type StoredLine = Omit<ScorecardLine, 'past' | 'off_since' | 'records'> & {
  kpi_id: number;
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

/** Reads one member's updates and scores that the reader may see. */
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

/** The scorecard of a member: what is off target, since when, and the causes (performance.md §2.7). */
const scorecard: ReportSource = {
  reads: {
    kpi_actual: ['value', 'achievement', 'score', 'weighted', 'target', 'weight'],
    kpi_score: ['score', 'band'],
  },
  async rows(call) {
    const { session, parameters } = call;
    const reader = new Reader(call);
    const chosen = (parameters.employee_id as number | null) ?? session.employeeId;
    if (chosen === null) return { rows: [], widget: EMPTY };
    const months = await reader.query<{ month: string }>(
      (values) => `select distinct a.month from ${reader.table('kpi_actual')} a
        where a.employee_id = ${values.bind(chosen)} and ${reader.seen('kpi_actual', 'a', values)} order by a.month desc limit 36`,
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
    const [member] = await reader.query<NonNullable<Scorecard['member']>>(
      (values) => `select e.id, e.name, d.name as designation, m.name as manager, b.name as branch
        from ${reader.table('employee')} e left join ${reader.table('designation')} d on d.id = e.designation_id
        left join ${reader.table('employee')} m on m.id = e.reporting_to_id left join ${reader.table('branch')} b on b.id = e.branch_id
        where e.id = ${values.bind(chosen)} and ${
          months.length > 0 || chosen === session.employeeId ? 'true' : 'false'
        }`,
    );
    if (!member || month === null) return { rows: [], widget: { ...EMPTY, member: member ?? null, explains } };
    const lines = await reader.query<StoredLine>(
      (
        values,
      ) => `select a.id, a.kpi_id, k.name as kpi, t.name as type, u.name as unit, k.decimals, a.method, a.weight::text,
          a.target::text, a.target_day::text, case when a.range_low is null then null else jsonb_build_array(a.range_low::text, a.range_high::text) end as range,
          a.value::text as actual, a.done_on::text, a.done, a.achievement::text, a.score::text, a.weighted::text, a.colour, a.status, a.remark,
          a.not_applicable, a.ends_on::text, k.frequency, case when a.source = 'system' then k.figure end as figure, coalesce(a.threshold_percent, 50)::text as threshold,
          coalesce(a.cap_percent, 120)::text as cap
        from ${reader.table('kpi_actual')} a join ${reader.table('kpi')} k on k.id = a.kpi_id
        join ${reader.table('kpi_type')} t on t.id = k.kpi_type_id join ${reader.table('uom')} u on u.id = k.uom_id
        where a.employee_id = ${values.bind(chosen)} and a.month = ${values.bind(month)} and ${reader.seen('kpi_actual', 'a', values)}
        order by t.sort_order, t.name, a.weight desc, k.name`,
    );
    const past = await reader.query<Past>(
      (values) => `select a.kpi_id, a.month, a.achievement::text, a.colour from ${reader.table('kpi_actual')} a
        where a.employee_id = ${values.bind(chosen)} and a.month <= ${values.bind(month)} and ${reader.seen('kpi_actual', 'a', values)}
        order by a.month desc limit ${MONTHS * 40}`,
    );
    const scores = await reader.query<ScorecardScore & { trend: string | null }>(
      (
        values,
      ) => `select s.month, s.score::text, s.covered::text, s.band, s.trend, s.frozen from ${reader.table('kpi_score')} s
        where s.employee_id = ${values.bind(chosen)} and s.month <= ${values.bind(month)} and ${reader.seen('kpi_score', 's', values)}
        order by s.month desc limit ${MONTHS}`,
    );
    const reportees = await reader.query<Scorecard['reportees'][number]>(
      (
        values,
      ) => `select e.id, e.name, s.score::text, s.band, (select count(*)::int from ${reader.table('kpi_actual')} o
          where o.employee_id = e.id and o.month = ${values.bind(month)} and o.status in ('to_enter', 'returned') and ${reader.seen('kpi_actual', 'o', values)}) as open
        from ${reader.table('employee')} e left join ${reader.table('kpi_score')} s on s.employee_id = e.id and s.month = ${values.bind(month)} and ${reader.seen('kpi_score', 's', values)}
        where e.reporting_to_id = ${values.bind(chosen)} and e.active and e.status <> 'left'
          and exists (select 1 from ${reader.table('kpi_actual')} x where x.employee_id = e.id and ${reader.seen('kpi_actual', 'x', values)})
        order by s.score nulls last, e.name limit 200`,
    );
    const widget: Scorecard = {
      member,
      month,
      months: months.map((one) => one.month),
      score: scores[0]?.month === month ? scores[0] : null,
      rank: scores[0]?.month === month ? await rankOf(reader, settings, session.entityId, chosen, month) : null,
      decimals: settings.score_decimals,
      past: scores.toReversed(),
      lines: lines.map(({ kpi_id: kpiId, figure, frequency, ends_on: last, ...line }) => {
        const own = past.filter((one) => one.kpi_id === kpiId).toReversed();
        const first = `${addMonths(month, 1 - MONTHS_OF[frequency])}-01`;
        const records = figure === null ? null : recordsBehind(call, figure, { person: chosen, first, last });
        return { ...line, records, past: own.slice(-MONTHS).map((one) => one.achievement), off_since: offSince(own) };
      }),
      reportees,
      explains,
    };
    return { rows: [], widget };
  },
};

export default scorecard;
