import type {
  PastMonth,
  Scorecard,
  ScorecardBand,
  ScorecardLine,
  ScorecardTab,
} from '../../../../domain/performance/scorecard.ts';
import { weightedScore } from '../../../../domain/performance/achievement.ts';
import { paceOf } from '../../../../domain/performance/over_time.ts';
import type { PeriodSpan } from '../../../../domain/performance/scorecard_period.ts';
import {
  SCORECARD_PERIODS,
  SHORT_PERIODS,
  periodWith,
  shortPeriodWith,
} from '../../../../domain/performance/scorecard_period.ts';
import type { SqlParams } from '../../../db/sql_text.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';
import { worksOn } from '../../../access/people/working_calendar.ts';
import { cardOfDays, enteredDays } from '../days_of_scorecard.ts';
import { recordsBehind } from '../figure_records.ts';
import { kpiTitleSql } from '../line_part.ts';
import { MONTHS_OF, addMonths, daysAfter, lastDay } from '../kpi_months.ts';
import type { PerformanceSettings } from '../performance_settings.ts';
import { colourOf, settingsSql, withUsual } from '../performance_settings.ts';
import { figuresOfPeriod, lineKey } from '../scorecard_figures.ts';
import type { Chosen } from '../scorecard_rows.ts';
import { reporteesOf, sheetsBelow, unitsOf } from '../scorecard_rows.ts';
import type { StoredLine } from '../stored_line.ts';
import { BANDS_SQL } from '../month_score.ts';
import type { OwnerKind, SheetOwner } from '../sheet_owner.ts';
import { belongsTo, ownerColumns, ownerIdOf, ownerOf } from '../sheet_owner.ts';
import { teamFigures } from '../team_figures.ts';
import type { ReportCall, ReportSource } from '../../../engine/reports/report_source.ts';

const MONTHS = 12;
const EMPTY: Scorecard = {
  owner: null,
  tab: 'own',
  tabs: [],
  period: 'month',
  hasDays: false,
  month: null,
  title: '',
  choices: [],
  score: null,
  rank: null,
  decimals: 2,
  bands: [],
  most: 120,
  updated: { done: 0, of: 0 },
  lines: [],
  below: [],
  isCut: false,
  team: null,
  company: null,
  units: [],
  leads: false,
  acknowledge: null,
  update: null,
  feedback: null,
  explains: true,
};

type Past = PastMonth & { kpi_id: number; part_key: string; colour: string | null; remark: string | null };

/** The first month of the current run of red months; null = the last month with a figure is not red. */
function offSince(past: readonly Past[]): string | null {
  const known = past.filter(({ colour }) => colour !== null);
  if (known.at(-1)?.colour !== 'red') return null;
  const good = known.findLastIndex(({ colour }) => colour !== 'red');
  return known[good + 1]!.month;
}

/** The last remark on a KPI since it is red. */
function offRemark(past: readonly Past[], since: string | null): ScorecardLine['off_remark'] {
  const last = since === null ? undefined : past.findLast(({ month, remark }) => month >= since && remark !== null);
  if (!last) return null;
  return { text: last.remark!, month: last.month === past.at(-1)!.month ? null : last.month };
}

interface Shown {
  default_period: 'last_closed' | 'current' | 'ytd';
  show_rank: 'none' | 'peers' | 'all';
  peer_group: keyof typeof PEERS;
  score_decimals: number;
  explains: boolean;
  /** The first month of the financial year. */
  start: number;
  settings: PerformanceSettings;
}

const USUAL: Omit<Shown, 'start'> = {
  default_period: 'last_closed',
  show_rank: 'none',
  peer_group: 'designation',
  score_decimals: 2,
  explains: true,
  settings: withUsual(undefined),
};
const PEERS = {
  designation: { column: 'designation_id', among: 'with this designation' },
  department: { column: 'department_id', among: 'in the department' },
  branch: { column: 'branch_id', among: 'in the branch' },
  grade: { column: 'employee_grade_id', among: 'in the grade' },
} as const;

/** What the company's scorecards show, and how they count. */
async function shownSettings(reader: SourceReader, company: number | null): Promise<Shown> {
  // The tables of settings that nobody has opened yet do not exist.
  const [known] = await reader.query<{ there: boolean }>(
    () =>
      `select to_regclass('{calc_settings}') is not null and to_regclass('{base_performance}') is not null as there`,
  );
  if (!known!.there) {
    const [own] = await reader.query<{ start: number }>(
      (values) => `select fy_start_month as start from {entity} where id = ${values.bind(company)}`,
    );
    return { ...USUAL, start: own?.start ?? 4 };
  }
  const [stored] = await reader.query<Omit<Shown, 'settings'> & { settings: Partial<PerformanceSettings> }>(
    (values) => {
      const own = values.bind(company);
      return `select coalesce(c.default_period, 'last_closed') as default_period, coalesce(c.show_rank, 'none') as show_rank,
        coalesce(c.peer_group, 'designation') as peer_group, coalesce(c.score_decimals, 2) as score_decimals,
        coalesce(c.show, 'yes') <> 'no' as explains, coalesce(e.fy_start_month, 4) as start, n.settings
      from (${settingsSql(own)}) n left join {entity} e on e.id = ${own}
      left join lateral (select * from {calc_settings} where entity_id = ${own} order by id limit 1) c on true`;
    },
  );
  return { ...stored!, settings: withUsual(stored!.settings) };
}

/** The place of a member's score of a month: of everybody, whatever the reader sees of them; null = it is not shown. */
async function rankOf(
  reader: SourceReader,
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
        from {kpi_score} s join {employee} e on e.id = s.employee_id
        where s.entity_id = ${values.bind(company)} and s.month = ${values.bind(month)} and s.active and s.score is not null
          ${shown === 'all' ? '' : `and e.${column} = (select m.${column} from {employee} m where m.id = ${values.bind(member)})`}
        group by s.employee_id) r where r.employee_id = ${values.bind(member)}`,
  );
  return found ? { ...found, among: shown === 'all' ? 'in the company' : among } : null;
}

const updatesWhere = (...conditions: unknown[][]): string =>
  `/actual_ViewLanding?filter=${encodeURIComponent(JSON.stringify(['and', ...conditions]))}`;

const FEEDBACK = 'tbl_emp_kpi_feedback_dtls';

/** The feedback on a member's KPI, and the form for more, as far as the reader may open them. */
function feedbackOf(
  { session, screens }: ReportCall,
  member: number,
  kpi: number,
  month: string,
): ScorecardLine['feedback'] {
  const screen = screens.get(FEEDBACK);
  if (!screen || session.rights.refuse(screen, 'landing') !== null) return null;
  const filter = JSON.stringify(['and', ['employee_id', 'eq', member], ['kpi_id', 'eq', kpi]]);
  const mayGive = member !== session.employeeId && session.rights.refuse(screen, 'add_screen') === null;
  return {
    list: `/${FEEDBACK}?filter=${encodeURIComponent(filter)}`,
    give: mayGive ? `/${FEEDBACK}/add?employee_id=${member}&kpi_id=${kpi}&month=${month}` : null,
  };
}

/** The reader's own sheet, or one that they answer for, among these that waits for their acknowledgement. */
async function sheetToAcknowledge(
  { session }: ReportCall,
  reader: SourceReader,
  sheets: readonly number[],
): Promise<string | null> {
  if (session.employeeId === null) return null;
  const [sheet] = await reader.query<{ id: number }>(
    (values) => `select s.id from {kpi_sheet} s where s.id = any(${values.bind(sheets)}) and s.status = 'approved'
      and ${values.bind(session.employeeId)} in (s.employee_id, s.responsible_id) and ${reader.seen('kpi_sheet', 's', values)}
      order by s.valid_from desc limit 1`,
  );
  return sheet ? `/employee_kpi/view/${sheet.id}` : null;
}

/** A period as a filter of updates. */
function within({ from, to }: PeriodSpan): unknown[] {
  const months = [from];
  while (months.at(-1)! < to) months.push(addMonths(months.at(-1)!, 1));
  return from === to ? ['month', 'eq', to] : ['month', 'in', months];
}

const KINDS: Record<OwnerKind, string> = {
  employee: 'Member',
  department: 'Department',
  branch: 'Branch',
  store: 'Store',
  board_unit: 'Board unit',
  entity: 'Company',
};

/** Whose scorecard it is: that of the sheet, of the chosen member, or the reader's own. */
async function ownerOfCard({ session, parameters }: ReportCall, reader: SourceReader): Promise<SheetOwner | null> {
  if (typeof parameters.sheet_id === 'number') {
    const [sheet] = await reader.query<SheetOwner>(
      (values) => `select ${ownerColumns('s')} from {kpi_sheet} s
        where s.id = ${values.bind(parameters.sheet_id)} and ${reader.seen('kpi_sheet', 's', values)}`,
    );
    return sheet ?? null;
  }
  const employee = (parameters.employee_id as number | null) ?? session.employeeId;
  return employee === null ? null : ownerOf({ employee_id: employee });
}

/** The heading of a scorecard. */
async function heading(reader: SourceReader, owner: SheetOwner): Promise<Scorecard['owner']> {
  const [person] = await reader.query<{
    name: string;
    designation: string | null;
    manager: string | null;
    branch: string | null;
    photo: number | null;
  }>(
    (values) => `select e.name, d.name as designation, m.name as manager, b.name as branch, e.photo
      from {employee} e left join {designation} d on d.id = e.designation_id
      left join {employee} m on m.id = e.reporting_to_id left join {branch} b on b.id = e.branch_id
      where e.id = ${values.bind(owner.responsible_id)}`,
  );
  if (owner.owner_kind !== 'employee')
    return {
      name: owner.unit_name ?? '',
      photo: null,
      about: [KINDS[owner.owner_kind]],
      person: person?.name ?? null,
      isUnit: true,
    };
  if (!person) return null;
  const about = [person.designation, person.branch].filter((one) => one !== null);
  return { name: person.name, photo: person.photo, about, person: person.manager, isUnit: false };
}

/** The working days of a running period, and those before today; null = it has ended or has not begun. */
async function daysOfRunning({ session, today }: ReportCall, owner: SheetOwner, { from, to }: PeriodSpan) {
  const [first, last] = [`${from}-01`, lastDay(to)];
  if (today <= first || today > last) return null;
  const place = { entityId: session.entityId, branchId: owner.branch_id };
  const works = await worksOn(session.tenant, place, first, last);
  const days = { gone: 0, all: 0 };
  for (let day = first; day <= last; day = daysAfter(day, 1)) {
    if (!works(day)) continue;
    days.all++;
    if (day < today) days.gone++;
  }
  return days;
}

/** The figures of a line over several months. */
function overPeriod(
  line: StoredLine,
  figures: ReturnType<Awaited<ReturnType<typeof figuresOfPeriod>>>,
  settings: PerformanceSettings,
) {
  const own = figures.lines.find((one) => lineKey(one) === lineKey(line));
  const months = figures.months.get(lineKey(line));
  if (!own || !months) return line;
  const { target, actual, achievement, score, weight } = own;
  return {
    ...line,
    target,
    actual,
    alone: null,
    achievement,
    score,
    weight,
    not_applicable: months.isLeftOut,
    weighted: score === null ? null : weightedScore(score, weight),
    colour: achievement === null ? null : colourOf(achievement, settings),
    together: { as: months.aggregation, months: months.entered, of: months.of },
  };
}

/** The last update of each KPI in a period, as a line. @param whose the condition on an update's owner */
const storedLines = (
  reader: SourceReader,
  whose: (alias: string, values: SqlParams) => string,
  shown: Shown,
  span: { from: string; to: string },
): Promise<StoredLine[]> =>
  reader.query<StoredLine>(
    (
      values,
    ) => `select * from (select distinct on (a.sheet_id, a.kpi_id, a.part_key) a.id, a.kpi_id, a.part_key, a.sheet_id, a.source, a.part, ${kpiTitleSql('a')} as kpi, t.name as type,
        u.name as unit, jsonb_build_object('symbol', u.symbol, 'scale', coalesce(u.display_scale, 'one')) as style,
        k.measure = 'metric' as "isMetric", k.decimals, a.method, a.weight::text, t.sort_order,
        a.target::text, a.target_day::text, case when a.range_low is null then null else jsonb_build_array(a.range_low::text, a.range_high::text) end as range,
        a.value::text as actual, k.benchmark::text, case when y.behaviour = 'cumulative' then (a.value - coalesce((
          select b.value from {kpi_actual} b where b.sheet_id = a.sheet_id and b.kpi_id = a.kpi_id and b.part_key = a.part_key and b.month < a.month and b.active
            and b.value is not null order by b.month desc limit 1), 0))::text end as alone, a.done_on::text, a.done, a.achievement::text, a.score::text, a.weighted::text, a.colour, a.status, a.remark, k.data_source, o.name as owner, k.dimension, k.period_aggregation as aggregation, k.direction, a.stretch_percent::text as stretch,
        a.not_applicable, a.ends_on::text, k.frequency, a.base_value::text as base, coalesce(a.tolerance, k.tolerance)::text as tolerance, case when a.source = 'system' then k.figure end as figure, coalesce(a.threshold_percent, ${values.bind(shown.settings.threshold_percent)})::text as threshold,
        coalesce(a.cap_percent, ${values.bind(shown.settings.cap_percent)})::text as cap
      from {kpi_actual} a join {kpi} k on k.id = a.kpi_id
      join {kpi_type} t on t.id = k.kpi_type_id join {uom} u on u.id = k.uom_id left join {employee} o on o.id = k.owner_id
      left join {target_type} y on y.id = k.target_type_id
      where ${whose('a', values)} and a.month between ${values.bind(span.from)} and ${values.bind(span.to)}
        and ${reader.seen('kpi_actual', 'a', values)}
      order by a.sheet_id, a.kpi_id, a.part_key, a.counts desc, a.month desc) l
    order by l.sort_order, l.type, l.weight::numeric desc, l.kpi`,
  );

/** The updates of an owner in a period: their score, and each KPI where the tab shows them. */
async function cardOf(
  call: ReportCall,
  reader: SourceReader,
  owner: SheetOwner,
  shown: Shown,
  { period, span, month }: Chosen,
) {
  const whose = whoseOf(call, owner);
  const lines = await storedLines(reader, whose, shown, span);
  const sheets = [...new Set(lines.map((line) => line.sheet_id))];
  const figures = period === 'month' ? null : (await figuresOfPeriod(reader, sheets, span, shown.settings))(sheets);
  const [stored] = figures
    ? []
    : await reader.query<NonNullable<Scorecard['score']>>(
        (values) => `select s.month, s.score::text, s.covered::text, s.band, s.trend, s.frozen from {kpi_score} s
          where ${whose('s', values)} and s.month = ${values.bind(month)} and ${reader.seen('kpi_score', 's', values)} limit 1`,
      );
  const counted = figures ? lines.map((one) => overPeriod(one, figures, shown.settings)) : lines;
  return {
    sheets,
    score: figures ? { ...figures.scored, trend: null } : (stored ?? null),
    updated: {
      done: counted.filter((line) => line.colour !== null || line.not_applicable).length,
      of: counted.length,
    },
    /** The KPIs with their last months. */
    async lines(): Promise<ScorecardLine[]> {
      const past = await reader.query<Past>(
        (
          values,
        ) => `select a.kpi_id, a.part_key, a.month, a.achievement::text, a.value::text as actual, a.target::text, a.colour, a.remark from {kpi_actual} a
          where ${whose('a', values)} and a.month <= ${values.bind(span.to)} and ${reader.seen('kpi_actual', 'a', values)}
          order by a.month desc limit ${MONTHS * 40}`,
      );
      // The approved figures of a longer period lag behind its days.
      const gone = period === 'month' ? await daysOfRunning(call, owner, span) : null;
      return counted.map((line) => {
        const own = past.filter((one) => one.kpi_id === line.kpi_id && one.part_key === line.part_key).toReversed();
        const {
          kpi_id: kpiId,
          part_key: _key,
          part,
          sheet_id: sheet,
          source,
          dimension,
          aggregation,
          direction,
          figure,
          frequency,
          ends_on: last,
          base: _base,
          tolerance: _tolerance,
          ...rest
        } = line;
        const ownerId = ownerIdOf(owner, call.session.entityId);
        const ofMember = owner.employee_id === null ? '' : `&employee_id=${owner.employee_id}`;
        const first = figures ? `${span.from}-01` : `${addMonths(month, 1 - MONTHS_OF[frequency])}-01`;
        const hasPace = gone !== null && aggregation === 'sum' && direction === 'higher' && MONTHS_OF[frequency] === 1;
        const ofKpi = [['kpi_id', 'eq', kpiId], ...(part === null ? [] : [['part', 'eq', part]]), within(span)];
        const records =
          source === 'rollup'
            ? updatesWhere(['parent_sheet_id', 'eq', sheet], ...ofKpi)
            : figure === null || ownerId === null
              ? null
              : recordsBehind(call, figure, { kind: owner.owner_kind, owner: ownerId, first, last });
        const since = offSince(own);
        return {
          ...rest,
          together: line.together ?? null,
          pace: hasPace && line.actual !== null && line.target !== null ? paceOf(line.actual, line.target, gone) : null,
          records,
          parts: dimension === null ? null : `/kpi_by_part?kpi_id=${kpiId}${ofMember}`,
          feedback: ofMember === '' ? null : feedbackOf(call, owner.employee_id!, kpiId, month),
          opens: figures ? updatesWhere(['sheet_id', 'eq', sheet], ...ofKpi) : `/actual_updation/view/${line.id}`,
          past: own
            .slice(-MONTHS)
            .map(({ kpi_id: _kpi, part_key: _part, colour: _colour, remark: _remark, ...one }) => one),
          off_since: since,
          off_remark: offRemark(own, since),
        };
      });
    },
  };
}

/** The condition on the owner of an update or a score. */
const whoseOf =
  ({ session }: ReportCall, owner: SheetOwner) =>
  (alias: string, values: SqlParams): string => {
    const { sql, values: own } = belongsTo(alias, owner, session.entityId, values.list.length + 1);
    for (const value of own) values.bind(value);
    return sql;
  };

/** Which tabs beside the owner's own KPIs have something to show. */
async function tabsOf(
  { session }: ReportCall,
  reader: SourceReader,
  owner: SheetOwner | null,
  hasOwn: boolean,
): Promise<ScorecardTab[]> {
  const isMember = owner?.owner_kind === 'employee';
  const isReader = owner === null || (isMember && owner.employee_id === session.employeeId);
  const [has] = await reader.query<{ reportees: boolean; team: boolean; board: boolean }>((values) => {
    const member = values.bind(isMember ? owner.employee_id : null);
    const unit = owner && !isMember ? belongsTo('s', owner, session.entityId, values.list.length + 1) : null;
    for (const value of unit?.values ?? []) values.bind(value);
    const below = `select b.descendant_id from {employee_tree} b where b.ancestor_id = ${member} and b.depth > 0`;
    return `select ${
      unit
        ? `exists (select 1 from {kpi_actual} a where a.active and a.parent_sheet_id in (
             select s.id from {kpi_sheet} s where ${unit.sql}))`
        : `exists (select 1 from {employee} e where e.id in (${below}) and e.status <> 'left' and ${reader.seen('employee', 'e', values)})
             or exists (select 1 from {kpi_sheet} s where s.employee_id in (${below}) and ${reader.seen('kpi_sheet', 's', values)})`
    } as reportees,
      exists (select 1 from {kpi_actual} a where a.employee_id in (${below}) and ${reader.seen('kpi_actual', 'a', values)}) as team,
      ${isReader} and exists (select 1 from {kpi_sheet} s where s.owner_kind <> 'employee' and ${reader.seen('kpi_sheet', 's', values)}
        and exists (select 1 from {kpi_actual} a where a.sheet_id = s.id and a.active)) as board`;
  });
  return [...(hasOwn ? ['own' as const] : []), ...(['reportees', 'team', 'board'] as const).filter((tab) => has![tab])];
}

/** The sheet of the company in a period. */
async function companyCard(call: ReportCall, reader: SourceReader, shown: Shown, chosen: Chosen) {
  const [owner] = await reader.query<SheetOwner>(
    (values) => `select ${ownerColumns('s')} from {kpi_sheet} s
      where s.owner_kind = 'entity' and ${reader.seen('kpi_sheet', 's', values)} order by s.valid_from desc limit 1`,
  );
  if (!owner) return null;
  const card = await cardOf(call, reader, owner, shown, chosen);
  return card.updated.of === 0 ? null : { score: card.score, lines: await card.lines() };
}

/** The bands of scores, the lowest first; none before somebody has opened the ratings. */
async function bandsOf(reader: SourceReader): Promise<ScorecardBand[]> {
  const [known] = await reader.query<{ there: boolean }>(
    () => `select to_regclass('{performance_rating}') is not null as there`,
  );
  if (!known!.there) return [];
  const bands = await reader.query<ScorecardBand>(() => BANDS_SQL);
  return bands.toSorted((a, b) => a.from - b.from);
}

/** Months in which scores of anybody are in sight, the latest first: for those who have none of their own. */
const scoredMonths = (reader: SourceReader) =>
  reader.query<{ month: string }>(
    (values) => `select distinct s.month from {kpi_score} s where ${reader.seen('kpi_score', 's', values)}
      order by s.month desc limit 36`,
  );

/** What the reader may do for the owner of a card. */
function actsOf({ session, screens }: ReportCall, { employee_id: member }: SheetOwner) {
  const may = (type: string, page: 'landing' | 'add_screen') => {
    const screen = screens.get(type);
    return screen !== undefined && session.rights.refuse(screen, page) === null;
  };
  const isOwn = member !== null && member === session.employeeId;
  const open = [
    ['employee_id', 'eq', member],
    ['status', 'in', ['to_enter', 'returned']],
  ];
  const given = JSON.stringify(['and', ['employee_id', 'eq', member]]);
  return {
    update: isOwn && may('kpi_actual', 'landing') ? updatesWhere(...open) : null,
    feedback:
      member === null || !may(FEEDBACK, 'landing')
        ? null
        : !isOwn && may(FEEDBACK, 'add_screen')
          ? { to: `/${FEEDBACK}/add?employee_id=${member}`, gives: true }
          : { to: `/${FEEDBACK}?filter=${encodeURIComponent(given)}`, gives: false },
  };
}

/** The scorecard of a member or a unit: what is off target, since when, and the causes (performance.md §2.7). */
const scorecard: ReportSource = {
  reads: {
    kpi_actual: ['value', 'achievement', 'score', 'weighted', 'target', 'weight'],
    kpi_score: ['score', 'band'],
  },
  async rows(call) {
    const { session, parameters } = call;
    const reader = new SourceReader(call);
    const owner = await ownerOfCard(call, reader);
    if (owner === null && typeof parameters.sheet_id === 'number') return { rows: [], widget: EMPTY };
    const own = owner && whoseOf(call, owner);
    const ownMonths = own
      ? await reader.query<{ month: string }>(
          (values) => `select distinct a.month from {kpi_actual} a
            where ${own('a', values)} and ${reader.seen('kpi_actual', 'a', values)} order by a.month desc limit 36`,
        )
      : [];
    const tabs = await tabsOf(call, reader, owner, ownMonths.length > 0);
    const isSeen = tabs.length > 0 || owner?.employee_id === session.employeeId;
    const head = owner && isSeen ? await heading(reader, owner) : null;
    const shown = await shownSettings(reader, session.entityId);
    const { explains } = shown;
    const leads = Object.values(session.flags).some(Boolean);
    const tab = tabs.find((one) => one === parameters.tab) ?? tabs[0] ?? 'own';
    const base: Scorecard = {
      ...EMPTY,
      owner: head,
      tab,
      tabs,
      explains,
      leads,
      decimals: shown.score_decimals,
      most: Number(shown.settings.sheet_cap_percent),
    };
    const months = ownMonths.length > 0 || tabs.length === 0 ? ownMonths : await scoredMonths(reader);
    const period =
      SCORECARD_PERIODS.find((one) => one === parameters.period) ?? (shown.default_period === 'ytd' ? 'ytd' : 'month');
    const running = call.today.slice(0, 7);
    const isShown = (one: string) => (shown.default_period === 'current' ? one <= running : one < running);
    const month =
      (parameters.month as string | null) ??
      months.find((one) => isShown(one.month))?.month ??
      months.at(-1)?.month ??
      null;
    if (month === null || tabs.length === 0) return { rows: [], widget: base };
    const span = periodWith(month, period, shown.start);
    const until = period === 'month' || span.to < running ? span.to : running;
    const chosen: Chosen = { period, span, month, until, settings: shown.settings };
    const days =
      own && tab === 'own'
        ? await enteredDays(
            reader,
            (values) => `${own('a', values)} and ${reader.seen('kpi_actual', 'a', values)}`,
            call.today,
          )
        : [];
    const acts = owner && head ? actsOf(call, owner) : null;
    const short = SHORT_PERIODS.find((one) => one === parameters.period);
    if (short && own && tab === 'own') {
      const whichDay =
        (parameters.day as string | null) ?? (days.find(({ entered }) => entered) ?? days[0])?.day ?? call.today;
      const chosenDays = shortPeriodWith(whichDay, short);
      const stored = await storedLines(reader, own, shown, {
        from: chosenDays.from.slice(0, 7),
        to: chosenDays.to.slice(0, 7),
      });
      const choices = new Map(
        days.flatMap(({ day, single }) =>
          single || short === 'week' ? [[shortPeriodWith(day, short).title, day]] : [],
        ),
      );
      const ofDays = await cardOfDays(reader, stored, chosenDays, shown.settings);
      const widget: Scorecard = {
        ...base,
        ...acts,
        period: short,
        hasDays: true,
        month,
        title: chosenDays.title,
        choices: [...choices].map(([title, day]) => ({ month: day.slice(0, 7), day, title })),
        bands: await bandsOf(reader),
        ...ofDays,
        updated: {
          done: ofDays.lines.filter(({ colour }) => colour !== null).length,
          of: ofDays.lines.length,
        },
      };
      return { rows: [], widget };
    }
    const card = owner && head ? await cardOf(call, reader, owner, shown, chosen) : null;
    const choices = new Map<string, string>();
    for (const one of months) {
      const { title } = periodWith(one.month, period, shown.start);
      if (!choices.has(title)) choices.set(title, one.month);
    }
    const member = owner?.employee_id ?? null;
    const widget: Scorecard = {
      ...base,
      ...acts,
      ...(card?.updated.of === 0 && { update: null }),
      period,
      hasDays: days.length > 0,
      month,
      title: span.title,
      choices: [...choices].map(([title, last]) => ({ month: last, title })),
      score: card?.score ?? null,
      rank:
        card?.score && period === 'month' && member !== null
          ? await rankOf(reader, shown, session.entityId, member, month)
          : null,
      bands: await bandsOf(reader),
      updated: card?.updated ?? EMPTY.updated,
      acknowledge: card ? await sheetToAcknowledge(call, reader, card.sheets) : null,
      ...(await shownIn[tab]({ call, reader, shown, chosen, card, member, leads })),
    };
    return { rows: [], widget };
  },
};

interface Answering {
  call: ReportCall;
  reader: SourceReader;
  shown: Shown;
  chosen: Chosen;
  card: Awaited<ReturnType<typeof cardOf>> | null;
  member: number | null;
  leads: boolean;
}

/** What each tab adds to the head. */
const shownIn: Record<ScorecardTab, (of: Answering) => Promise<Partial<Scorecard>>> = {
  own: async ({ card }) => ({ lines: (await card?.lines()) ?? [] }),
  reportees: async ({ reader, chosen, card, member }) => {
    if (member === null) return { below: card ? await sheetsBelow(reader, chosen, card.sheets) : [] };
    const { rows, isCut } = await reporteesOf(reader, chosen, member);
    return { below: rows, isCut };
  },
  team: async ({ reader, chosen, member }) => ({
    team: member === null ? null : await teamFigures(reader, chosen, member),
  }),
  board: async ({ call, reader, shown, chosen, leads }) => ({
    company: leads ? await companyCard(call, reader, shown, chosen) : null,
    units: await unitsOf(reader, chosen, leads),
  }),
};

export default scorecard;
