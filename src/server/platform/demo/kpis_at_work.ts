import { join } from 'node:path';
import type { AchievementMethod, Direction } from '../../../domain/performance/achievement.ts';
import { achievement, bandOf, lineScore, sheetScore, weightedScore } from '../../../domain/performance/achievement.ts';
import { trendOf } from '../../../domain/performance/over_time.ts';
import { kpiFormula } from '../../../domain/performance/kpi_formula.ts';
import type { Contribution, RollUp } from '../../../domain/performance/roll_up.ts';
import { rollUp } from '../../../domain/performance/roll_up.ts';
import { firstYear, yearName, yearSpan } from '../../../descriptor/financial_year.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type { Queryable } from '../../db/database.ts';
import type { Tenant } from '../../db/tenant.ts';
import { childTable, tableName } from '../../db/names.ts';
import { ensureTables } from '../../db/tenants.ts';
import { DomainEvents } from '../../engine/events/domain_events.ts';
import { systemSession } from '../../engine/events/system_session.ts';
import { loadModules } from '../../engine/load_modules.ts';
import type { FigureOwner, RecordFigure } from '../../engine/record_figure.ts';
import { figureSql } from '../../engine/record_figure.ts';
import type { Services } from '../../engine/modules.ts';
import { NamedFunctions } from '../../engine/modules.ts';
import { createEngine } from '../../engine/records/engine.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { unitOf, withinTransaction } from '../../engine/records/unit_of_work.ts';
import { addCompanySheets } from './company_sheets.ts';
import { addDays } from './dates.ts';
import type { Line } from './kpi_positions.ts';
import { PART_OF, sheetLine } from './kpi_positions.ts';
import { addPositionSheets } from './position_sheets.ts';
import { Random } from './random.ts';
import { SILENT } from './silent_notifications.ts';

/** The company with KPIs. */
const COMPANY = 'ALP';
const START_MONTH = 4;
const PEOPLE = 10;
/** The place of the one whose sheet of the running year waits for approval: not of one whose account everybody tries. */
const WAITING = 8;
/** Days from today until the last month is due and frozen. */
const [DUE, FREEZE] = [2, 9];

const QUARTERS = [2, 5, 8, 11];

/** The KPIs of each sample position; the weights add up to 100. */
const LINES: readonly Line[] = [
  { kpi: 'SALES', weight: '15', year: '120', isSum: true },
  { kpi: 'WIN_RATE', weight: '10', year: '33' },
  { kpi: 'COLL_PCT', weight: '15', year: '92' },
  { kpi: 'COMPLAINTS', weight: '15', year: '24', isSum: true, stretch: '150' },
  { kpi: 'CALL_RATING', weight: '10', year: '85' },
  { kpi: 'CSAT', weight: '10', year: '85', ends: QUARTERS },
  { kpi: 'PM_ONTIME', weight: '10', year: '95' },
  { kpi: 'STOCK_DAYS', weight: '5', year: null, range: ['30', '45'] },
  { kpi: 'SAFETY_TALKS', weight: '10', year: null },
  { kpi: 'HEADCOUNT', weight: '0', year: '12' },
  { kpi: 'QUOTES', weight: '0', year: '360', isSum: true },
  { kpi: 'CALLS', weight: '0', year: '480', isSum: true },
];
/** In place of safety talks for those who have tasks of checklists: its actuals come from these. */
const FROM_TASKS: Line = { kpi: 'CHK_ONTIME', weight: '10', year: '95' };
/** In place of the stock: counted each working day or each week, by people at these places of the list. */
const COUNTED: ReadonlyMap<number, Line> = new Map([
  [0, { kpi: 'SITE_VISITS', weight: '5', year: '240', isSum: true }],
  [3, { kpi: 'SITE_VISITS', weight: '5', year: '240', isSum: true }],
  [1, { kpi: 'SITES_CHECKED', weight: '5', year: '96', isSum: true }],
  [4, { kpi: 'SITES_CHECKED', weight: '5', year: '96', isSum: true }],
]);

/** Read from the tasks of the whole unit. */
const FROM_UNIT_TASKS: Line = { kpi: 'CHK_ONTIME', weight: '5', year: '95' };

/** The KPIs of a department and of the company; those without a target take it from the sheets below. */
const UNIT_LINES: readonly Line[] = [
  { kpi: 'SALES', weight: '30', year: null },
  { kpi: 'WIN_RATE', weight: '10', year: '33' },
  { kpi: 'COLL_PCT', weight: '25', year: '92' },
  { kpi: 'COMPLAINTS', weight: '20', year: null },
  { kpi: 'CALL_RATING', weight: '10', year: '85' },
  FROM_UNIT_TASKS,
  { kpi: 'QUOTES', weight: '0', year: null, isSum: true },
  { kpi: 'CALLS', weight: '0', year: null },
];
/** KPIs in rupees of the company alone. */
const MONEY: ReadonlySet<string> = new Set(['REVENUE', 'EBITDA', 'PAT', 'CASH']);
/** What the targets in money of the year before are in percent of those of the running year. */
const MONEY_BEFORE = 90;

/** Percentages that are always near their target. */
const STEADY: ReadonlySet<string> = new Set(['SYS_UPTIME', 'ATTENDANCE']);
/** Why a figure is off its target, as members write. */
const REMARKS = [
  'Two people were away; we catch up next month.',
  'The monsoon closed the site for a week.',
  'The customer moved the date to next month.',
  'Spares came late from the works.',
  'A new colleague is being trained.',
] as const;

/** The board's KPIs: those of the departments, and the money. */
const COMPANY_LINES: readonly Line[] = [
  { kpi: 'REVENUE', weight: '10', year: '480000000', isSum: true },
  { kpi: 'EBITDA', weight: '10', year: '86400000', isSum: true },
  { kpi: 'PAT', weight: '10', year: '52800000', isSum: true },
  { kpi: 'CASH', weight: '10', year: '35000000' },
  ...UNIT_LINES.map((line) => (line.weight === '0' ? line : { ...line, weight: '10' })),
];

/** The KPIs of the audit committee. */
const COMMITTEE = 'AUD';
const COMMITTEE_LINES: readonly Line[] = [
  { kpi: 'AUDIT_CLOSED', weight: '30', year: '95' },
  { kpi: 'CONTROLS_TESTED', weight: '25', year: '48', isSum: true },
  { kpi: 'ACCOUNTS_DAYS', weight: '25', year: '8' },
  { kpi: 'RPT_BEFORE', weight: '20', year: '100' },
];

/** Quotations have a target of their own above those of the sheets below: of the company, and of each department by its members. */
const QUOTES_OF_COMPANY = '3960';
const QUOTES_OF_MEMBER = 348;
/** Each sheet calculates it from its own figures. */
const CALCULATED = 'WIN_RATE';
const ROLLED_UP: ReadonlySet<string> = new Set(
  UNIT_LINES.map(({ kpi }) => kpi).filter((kpi) => kpi !== CALCULATED && kpi !== FROM_UNIT_TASKS.kpi),
);

interface Update extends Record<string, unknown> {
  id: number;
  /** null = of a unit's sheet. */
  employee_id: number | null;
  sheet_id: number;
  parent_sheet_id: number | null;
  source: string;
  org_rollup: RollUp | 'none';
  owner_kind: FigureOwner;
  responsible_id: number;
  unit_name: string | null;
  month: string;
  weight: string;
  target: string | null;
  base_value: string | null;
  target_day: string | null;
  ends_on: string;
  decimals: number;
  unit: string;
  range_low: string | null;
  range_high: string | null;
  method: AchievementMethod;
  code: string;
  formula: string | null;
  /** The code of the KPI that weights it. */
  weighted_by: string | null;
  direction: Direction;
  tolerance: string | null;
  stretch: string | null;
  department_id: number | null;
  branch_id: number | null;
  board_unit_id: number | null;
  /** The figure that its actual comes from; null = it is entered. */
  figure: string | null;
}

/**
 * A realistic figure near the target, the same in each demo.
 * @param own the figures of the same sheet and month so far, by the code of their KPI
 */
function figureOf(update: Update, draw: () => number, own: ReadonlyMap<string, string>): string {
  const { code, target, base_value: base, decimals, direction, unit, range_low: low } = update;
  if (code === 'STOCK_DAYS') return String(Math.round(Number(low) - 4 + draw() * 26));
  if (code === 'HEADCOUNT') return String(11 + Math.round(draw() * 2));
  const goal = Number(target);
  if (unit === 'INR') {
    const share = direction === 'lower' ? 0.85 + draw() * 0.4 : 0.88 + draw() * 0.2;
    return String(Math.round((goal * share) / 1_000) * 1_000);
  }
  if (code === 'COMPLAINTS') return String(Math.round(goal * (0.4 + draw() * 1.2)));
  const whole = own.get(PART_OF[code] ?? '');
  if (whole !== undefined) return String(Math.round(Number(whole) * (0.8 + draw() * 0.2)));
  if (base !== null) return (Number(base) + (goal - Number(base)) * (0.55 + draw() * 0.5)).toFixed(decimals);
  if (goal === 0) return String(draw() < 0.8 ? 0 : 1 + Math.round(draw() * 2));
  if (direction === 'lower') return (goal * (0.78 + draw() * 0.5)).toFixed(decimals);
  if (STEADY.has(code)) return Math.min(100, goal * (0.95 + draw() * 0.06)).toFixed(decimals);
  const reached = goal * (0.72 + draw() * 0.42);
  return unit === 'PCT' ? Math.min(100, reached).toFixed(1) : reached.toFixed(decimals);
}

/** Adds two years of KPIs for some people: sheets by the engine, and actuals of each completed month. */
export async function addKpisAtWork(
  tenant: Tenant,
  screens: ReadonlyMap<string, Screen>,
  today: string,
): Promise<void> {
  if (!screens.has('kpi_sheet')) return;
  const types = [...screens.values()].filter(({ folder }) => folder === 'performance').map(({ name }) => name);
  await ensureTables(tenant, screens, [...types, 'chk_task_instance']);
  const table = (type: string) => tableName(tenant.schema, type);
  const [company] = await tenant.db.query<{ id: number }>(`select id from ${table('entity')} where code = $1`, [
    COMPANY,
  ]);
  if (!company || (await tenant.db.query(`select 1 from ${table('kpi_sheet')} limit 1`)).length > 0) return;
  // The companies that an account works in.
  const worksIn = childTable(tenant.schema, 'users', 'companies');
  const people = await tenant.db.query<{
    id: number;
    user_id: number;
    department_id: number;
    manager_id: number;
    manager_user: number | null;
    head_user: number | null;
    has_tasks: boolean;
    leads: boolean;
  }>(
    `select e.id, e.department_id, m.id as manager_id, own.parent_id as user_id, manager.parent_id as manager_user, head.parent_id as head_user,
       exists (select 1 from ${table('chk_task_instance')} t where t.assignee_id = e.id and t.outcome is not null) as has_tasks,
       exists (select 1 from ${table('employee')} r where r.reporting_to_id = e.id and r.active) as leads
     from ${table('employee')} e join ${table('employee')} m on m.id = e.reporting_to_id
     join ${worksIn} own on own.parent_id = e.user_id and own.entity_id = e.entity_id
     join ${worksIn} manager on manager.parent_id = m.user_id and manager.entity_id = e.entity_id
     left join ${table('employee')} h on h.id = m.reporting_to_id
     left join ${worksIn} head on head.parent_id = h.user_id and head.entity_id = e.entity_id
     where e.entity_id = $1 and e.active and e.status = 'active'
     order by (select count(*) from ${table('employee')} r where r.reporting_to_id = m.id) desc, m.id, e.id limit ${PEOPLE}`,
    [company.id],
  );
  const ids = new Map(
    (await tenant.db.query<{ id: number; code: string }>(`select id, code from ${table('kpi')}`)).map(
      ({ id, code }) => [code, id],
    ),
  );
  const modules = await loadModules(join(import.meta.dirname, '../../modules'));
  const figures = new Map(modules.flatMap(({ figures: own = {} }) => Object.entries(own)));
  const engine = createEngine({
    notifications: SILENT,
    screens: () => screens as Map<string, Screen>,
    // Of the services, sheets need the figures of records alone.
    functions: new NamedFunctions(modules, { recordFigures: figures } as unknown as Services),
    // The figures of the running month are read, and bots look at them, once the server has started.
    events: new DomainEvents([], (job) => job === 'take_figures' || job === 'look_at_kpis'),
  });
  const running = firstYear(today, START_MONTH);
  await tenant.db.transaction(async (tx) => {
    const actIn = <T>(where: number, user: number | null, work: (unit: Unit) => Promise<T>) =>
      withinTransaction(systemSession(tenant, where, user), tx, (session) =>
        work(engine.unit(unitOf(session)!, { elevated: true }).elevated()),
      );
    const act = <T>(user: number | null, work: (unit: Unit) => Promise<T>) => actIn(company.id, user, work);
    for (const year of [running - 1, running]) {
      const span = yearSpan(year, START_MONTH);
      const leader = people[0]!;
      const unitSheet = (owner: object, of: readonly Line[], quotes: string, above?: number) =>
        act(leader.manager_user, (unit) =>
          unit.create('kpi_sheet', {
            ...owner,
            responsible_id: leader.manager_id,
            financial_year: yearName(year),
            valid_from: span.from,
            valid_to: span.to,
            lines: of.map((line) =>
              sheetLine(
                {
                  ...line,
                  ...(MONEY.has(line.kpi) &&
                    year < running && { year: String((Number(line.year) * MONEY_BEFORE) / 100) }),
                  ...(line.kpi === 'QUOTES' && { year: quotes }),
                  ...(ROLLED_UP.has(line.kpi) && { above }),
                },
                ids,
                span.to,
              ),
            ),
          }),
        );
      const whole = await unitSheet({ owner_kind: 'entity' }, COMPANY_LINES, QUOTES_OF_COMPANY);
      const departments = new Map<number, number>();
      for (const [id, members] of Map.groupBy(people, ({ department_id: one }) => one)) {
        const quotes = String(QUOTES_OF_MEMBER * members.length);
        const sheet = await unitSheet({ owner_kind: 'department', department_id: id }, UNIT_LINES, quotes, whole.id);
        departments.set(id, sheet.id);
      }
      for (const [at, person] of people.entries()) {
        const above = departments.get(person.department_id);
        const sheet = await act(person.manager_user, (unit) =>
          unit.create('kpi_sheet', {
            employee_id: person.id,
            financial_year: yearName(year),
            valid_from: span.from,
            valid_to: span.to,
            lines: LINES.filter(({ kpi }) => kpi !== 'HEADCOUNT' || person.leads).map((line) =>
              sheetLine(
                line.kpi === 'SAFETY_TALKS' && person.has_tasks
                  ? FROM_TASKS
                  : line.kpi === 'STOCK_DAYS' && COUNTED.has(at)
                    ? COUNTED.get(at)!
                    : { ...line, ...(ROLLED_UP.has(line.kpi) && { above }) },
                ids,
                span.to,
              ),
            ),
          }),
        );
        const isOpen = year === running && at === WAITING;
        await act(person.manager_user, (unit) => unit.transition('kpi_sheet', sheet.id, 'submit'));
        if (isOpen) continue;
        const other = people.find(({ manager_user: one }) => one !== person.manager_user);
        await act(person.head_user ?? other?.manager_user ?? person.manager_user, (unit) =>
          unit.transition('kpi_sheet', sheet.id, 'approve'),
        );
        if (year === running && at === 1)
          await act(person.user_id, (unit) =>
            unit.transition('kpi_sheet', sheet.id, 'dispute', {
              reason: 'My branch has no sales of its own this year.',
            }),
          );
        else if (at !== 2) await act(person.user_id, (unit) => unit.transition('kpi_sheet', sheet.id, 'acknowledge'));
      }
      const other = people.find(({ manager_user: one }) => one !== leader.manager_user)?.manager_user ?? null;
      for (const sheet of [...departments.values(), whole.id]) {
        await act(leader.manager_user, (unit) => unit.transition('kpi_sheet', sheet, 'submit'));
        await act(leader.head_user ?? other, (unit) => unit.transition('kpi_sheet', sheet, 'approve'));
        await act(leader.manager_user, (unit) => unit.transition('kpi_sheet', sheet, 'acknowledge'));
      }
      await addPositionSheets({
        tx,
        schema: tenant.schema,
        company: company.id,
        year: yearName(year),
        span,
        isRunning: year === running,
        except: people.map(({ id }) => id),
        accounts: [leader.manager_user, leader.head_user, other],
        ids,
        act,
      });
    }
    await addCommitteeSheet(tx, tenant.schema, company.id, async ({ unit: id, secretary, manager }) => {
      const span = yearSpan(running, START_MONTH);
      const sheet = await act(secretary, (unit) =>
        unit.create('kpi_sheet', {
          owner_kind: 'board_unit',
          board_unit_id: id,
          financial_year: yearName(running),
          valid_from: span.from,
          valid_to: span.to,
          lines: COMMITTEE_LINES.map((line) => sheetLine(line, ids, span.to)),
        }),
      );
      await act(secretary, (unit) => unit.transition('kpi_sheet', sheet.id, 'submit'));
      await act(manager, (unit) => unit.transition('kpi_sheet', sheet.id, 'approve'));
      await act(secretary, (unit) => unit.transition('kpi_sheet', sheet.id, 'acknowledge'));
    });
    const others = await addCompanySheets(tx, tenant.schema, company.id, today, ids, actIn);
    for (const id of [company.id, ...others]) await enterActuals(tx, tenant.schema, id, today, figures);
    await enterDays(tx, tenant.schema, company.id, today, (id, user) =>
      act(user, (unit) => enterDaysOf(unit, id, today)),
    );
    await enterParts(tx, tenant.schema, company.id);
    await act(null, (unit) => Promise.resolve(unit.enqueue('look_at_kpis', {}, `company ${company.id}`)));
    await changeTarget(tx, tenant.schema, ids.get('SALES')!, (sheet, month, manager) =>
      act(manager, async (unit) => {
        const change = await unit.create('kpi_target_change', {
          sheet_id: sheet,
          kpi_id: ids.get('SALES')!,
          from_month: month,
          new_total: '150',
          reason: 'A second salesman joins the branch and takes over the south of the city.',
        });
        await unit.transition('kpi_target_change', change.id, 'submit');
      }),
    );
  });
}

/** Adds the sheet of a committee whose secretary and the secretary's manager have accounts. */
async function addCommitteeSheet(
  tx: Queryable,
  schema: string,
  company: number,
  add: (place: { unit: number; secretary: number; manager: number }) => Promise<void>,
): Promise<void> {
  const [there] = await tx.query<{ is: boolean }>(`select to_regclass($1) is not null as is`, [
    tableName(schema, 'board_unit'),
  ]);
  if (!there!.is) return;
  const [place] = await tx.query<{ unit: number; secretary: number; manager: number }>(
    `select u.id as unit, e.user_id as secretary, m.user_id as manager from ${tableName(schema, 'board_unit')} u
     join ${tableName(schema, 'employee')} e on e.id = u.secretary_id join ${tableName(schema, 'employee')} m on m.id = e.reporting_to_id
     where u.code = $1 and u.entity_id = $2 and e.user_id is not null and m.user_id is not null`,
    [COMMITTEE, company],
  );
  if (place) await add(place);
}

/** Asks for a higher target of a KPI in the rest of the running year, of one member who has it. */
async function changeTarget(
  tx: Queryable,
  schema: string,
  kpi: number,
  ask: (sheet: number, month: string, manager: number | null) => Promise<void>,
): Promise<void> {
  const [found] = await tx.query<{ sheet_id: number; month: string; user_id: number | null }>(
    `select a.sheet_id, max(a.month) as month, m.user_id from ${tableName(schema, 'kpi_actual')} a
     join ${tableName(schema, 'employee')} m on m.id = a.manager_id
     where a.kpi_id = $1 and a.status <> 'frozen' group by a.sheet_id, m.user_id order by a.sheet_id limit 1`,
    [kpi],
  );
  if (found) await ask(found.sheet_id, found.month, found.user_id);
}

/** The figures that come from records, by "<sheet> <KPI> <month>". */
async function recordValues(
  tx: Queryable,
  schema: string,
  company: number,
  updates: readonly Update[],
  figures: ReadonlyMap<string, RecordFigure>,
): Promise<ReadonlyMap<string, string>> {
  const values = new Map<string, string>();
  const read = updates.filter(({ figure }) => figure !== null);
  for (const same of Map.groupBy(
    read,
    ({ figure, month, owner_kind: kind }) => `${figure} ${month} ${kind}`,
  ).values()) {
    const { figure, month, owner_kind: kind } = same[0]!;
    const sql = figureSql(figures.get(figure!)!, kind).replace(/\{(\w+)\}/g, (_all, type: string) =>
      tableName(schema, type),
    );
    const idOf = (update: Update) =>
      kind === 'employee' ? update.employee_id : kind === 'department' ? update.department_id : company;
    const rows = await tx.query<{ owner: number; value: string }>(
      `with span as (select $1::bigint[] as owners, $2::date as first, ($2::date + interval '1 month' - interval '1 day')::date as last,
         'Asia/Kolkata'::text as zone, $3::bigint as company) ${sql}`,
      [same.map(idOf), `${month}-01`, company],
    );
    const found = new Map(rows.map(({ owner, value }) => [owner, value]));
    for (const update of same) {
      const value = found.get(idOf(update)!);
      if (value !== undefined) values.set(`${update.sheet_id} ${update.code} ${month}`, value);
    }
  }
  return values;
}

/** The figures that members entered, by the sheets that they count into. */
class FiguresBelow {
  readonly #above: ReadonlyMap<string, number | null>;
  readonly #values = new Map<string, Contribution[]>();

  constructor(updates: readonly Update[]) {
    this.#above = new Map(updates.map((one) => [`${one.sheet_id} ${one.code}`, one.parent_sheet_id]));
  }

  /** A figure counts into the sheet above it, and into those above that one. */
  add({ code, month, parent_sheet_id: first }: Update, value: string, weight: string | null): void {
    for (let sheet = first; sheet !== null; sheet = this.#above.get(`${sheet} ${code}`) ?? null) {
      const key = `${sheet} ${code} ${month}`;
      this.#values.set(key, [...(this.#values.get(key) ?? []), { value, weight, at: '' }]);
    }
  }

  /** The figure of an update that is rolled up; null = there is none below. */
  of({ sheet_id: sheet, code, month, org_rollup: method }: Update): string | null {
    const values = this.#values.get(`${sheet} ${code} ${month}`) ?? [];
    return method === 'none' ? null : rollUp(values, method);
  }
}

/** Divides the figures of months among their days or weeks, and enters those of the running month up to yesterday. */
async function enterDays(
  tx: Queryable,
  schema: string,
  company: number,
  today: string,
  enter: (id: number, user: number) => Promise<void>,
): Promise<void> {
  const [updates, entries] = [tableName(schema, 'kpi_actual'), childTable(schema, 'kpi_actual', 'entries')];
  await tx.query(
    `update ${entries} e set value = x.value from (
       select e.id, div(a.value, n.count) + case when e."position" < mod(a.value, n.count) then 1 else 0 end as value
       from ${updates} a join ${entries} e on e.parent_id = a.id
       cross join lateral (select count(*) as count from ${entries} o where o.parent_id = a.id) n
       where a.entity_id = $1 and a.value is not null) x where x.id = e.id`,
    [company],
  );
  const running = await tx.query<{ id: number; user: number }>(
    `select a.id, m.user_id as user from ${updates} a join ${tableName(schema, 'employee')} m on m.id = coalesce(a.employee_id, a.responsible_id)
     where m.user_id is not null and a.entity_id = $1 and a.ends_on >= $2 and exists (
       select 1 from ${entries} e where e.parent_id = a.id and e.to_day < $2) order by a.id`,
    [company, today],
  );
  for (const { id, user } of running) await enter(id, user);
}

/** Enters the days of an update that are over, as its member does: the value and the achievement follow. */
async function enterDaysOf(unit: Unit, id: number, today: string): Promise<void> {
  const { entries } = (await unit.read('kpi_actual', id)) as unknown as { entries: { id: number; to_day: string }[] };
  await unit.update('kpi_actual', id, {
    entries: entries.map((entry) => (entry.to_day < today ? { ...entry, value: 1 + (entry.id % 2) } : entry)),
  });
}

/** Divides the figures of KPIs that are entered by part: most belong to the first part, the others to the second. */
async function enterParts(tx: Queryable, schema: string, company: number): Promise<void> {
  await tx.query(
    `update ${childTable(schema, 'kpi_actual', 'parts')} p set value = case x.place when 1 then x.value - div(x.value, 4) else div(x.value, 4) end
     from (
       select p.id, a.value, row_number() over (partition by a.id order by p.label not like 'Lift%', p.label desc) as place
       from ${childTable(schema, 'kpi_actual', 'parts')} p join ${tableName(schema, 'kpi_actual')} a on a.id = p.parent_id
       where a.entity_id = $1 and a.value is not null) x
     where x.id = p.id and x.place <= 2`,
    [company],
  );
}

/** The figure of a calculated KPI from what is approved on its sheet, or why there is none. */
function calculatedOf({ formula }: Update, approved: ReadonlyMap<string, string>) {
  const read = kpiFormula(formula ?? '');
  const result = 'wrong' in read ? { reason: read.wrong } : read.compute(({ code }) => approved.get(code) ?? null);
  return 'value' in result
    ? { value: result.value, remark: null }
    : { value: null, remark: `Not computable: ${result.reason}.` };
}

/** Adds the actuals of each completed month with their scores; the updates of the last month are in all states. */
async function enterActuals(
  tx: Queryable,
  schema: string,
  company: number,
  today: string,
  figures: ReadonlyMap<string, RecordFigure>,
): Promise<void> {
  const table = (type: string) => tableName(schema, type);
  const updates = await tx.query<Update>(
    `select a.id, a.employee_id, a.sheet_id, a.month, a.weight::text, a.target::text, a.range_low::text, a.range_high::text, a.method,
       a.base_value::text, a.target_day::text, a.ends_on::text, k.decimals, u.code as unit,
       a.department_id, a.branch_id, a.board_unit_id, a.parent_sheet_id, a.source, a.owner_kind, a.responsible_id, a.unit_name, k.org_rollup,
       k.code, k.formula, w.code as weighted_by, k.direction, coalesce(a.tolerance, k.tolerance)::text as tolerance, a.stretch_percent::text as stretch,
       case when a.source = 'system' then k.figure end as figure
     from ${table('kpi_actual')} a join ${table('kpi')} k on k.id = a.kpi_id
     join ${table('uom')} u on u.id = k.uom_id left join ${table('kpi')} w on w.id = k.weight_kpi_id
     where a.entity_id = $1 and a.ends_on < $2
     order by array_position(array['employee', 'branch', 'department', 'entity'], a.owner_kind), a.employee_id, a.sheet_id, a.month,
       a.source = 'formula', w.id is not null, a.id`,
    [company, today],
  );
  const bands = await tx.query<{ from_score: string; label: string }>(
    `select b.from_score::text, b.label from ${childTable(schema, 'performance_rating', 'bands')} b
     join ${table('performance_rating')} r on r.id = b.parent_id where r.is_default and r.applies_to = 'kpi'`,
  );
  const slabs = Map.groupBy(
    await tx.query<{ code: string; from: string; to: string | null; achievement: string }>(
      `select k.code, s.from_percent::text as "from", s.to_percent::text as "to", s.achievement::text
       from ${childTable(schema, 'kpi', 'slabs')} s join ${table('kpi')} k on k.id = s.parent_id order by s."position"`,
    ),
    ({ code }) => code,
  );
  const fromRecords = await recordValues(tx, schema, company, updates, figures);
  const chances = new Random(2026);
  const draw = () => chances.next();
  const lastMonth = updates.reduce((last, { month }) => (month > last ? month : last), '');
  const entered: Record<string, unknown>[] = [];
  const scores: Record<string, unknown>[] = [];
  const before = new Map<string, string[]>();
  const below = new FiguresBelow(updates);
  for (const own of Map.groupBy(updates, ({ sheet_id: sheet, month }) => `${sheet} ${month}`).values()) {
    const { employee_id: employee, sheet_id: sheet, month } = own[0]!;
    // The last month is still open, whatever day the demo is created on.
    const isFrozen = month < lastMonth;
    const approved = new Map<string, string>();
    /** The figures of this sheet and month by KPI, including pending ones. */
    const figuresOfMonth = new Map<string, string>();
    const lines = own.map((update) => {
      const chance = draw();
      const calculated = update.source === 'formula' ? calculatedOf(update, approved) : null;
      const isRead = update.figure !== null;
      const read = isRead ? (fromRecords.get(`${sheet} ${update.code} ${month}`) ?? null) : null;
      // A month without records does not count.
      const notApplicable = isRead && isFrozen && read === null;
      const isRolledUp = update.source === 'rollup';
      const rolledUp = isRolledUp ? below.of(update) : null;
      const isEntered = !isRead && !isRolledUp && calculated === null;
      const isMissing = isRolledUp
        ? rolledUp === null
        : calculated !== null
          ? calculated.value === null
          : isRead
            ? read === null && !isFrozen
            : // The accounts of the company are always there.
              !MONEY.has(update.code) && chance < (isFrozen ? 0.04 : 0.3);
      const status = isFrozen
        ? 'frozen'
        : isMissing
          ? 'to_enter'
          : MONEY.has(update.code)
            ? 'approved'
            : chance < 0.5 && isEntered
              ? 'submitted'
              : chance < 0.55 && isEntered
                ? 'returned'
                : 'approved';
      const done = update.method === 'binary' ? (draw() < 0.9 ? 'yes' : 'no') : null;
      const value = isRolledUp
        ? rolledUp
        : calculated !== null
          ? calculated.value
          : isRead
            ? read
            : isMissing || update.method === 'binary' || update.method === 'milestone'
              ? null
              : figureOf(update, draw, figuresOfMonth);
      if (value !== null) figuresOfMonth.set(update.code, value);
      // A milestone is reached some days before or after its day.
      const doneOn =
        update.method === 'milestone' && !isMissing && update.target_day !== null
          ? addDays(update.target_day, Math.round(draw() * 30) - 10)
          : null;
      const result = achievement({
        method: update.method,
        direction: update.direction,
        actual: value,
        target: update.target,
        rangeLow: update.range_low,
        rangeHigh: update.range_high,
        tolerance: update.tolerance,
        base: update.base_value,
        slabs: slabs.get(update.code) ?? [],
        targetDay: update.target_day,
        doneOn,
        periodEnd: update.ends_on,
        done: isMissing || done === null ? null : done === 'yes',
        cap: 120,
      });
      const reached = 'percent' in result ? result.percent : null;
      const score = reached === null ? null : lineScore(reached, 50, 120, update.stretch);
      const counts = !isMissing && (isFrozen || status === 'approved');
      if (counts && value !== null) approved.set(update.code, value);
      if (counts && value !== null && !isRolledUp)
        below.add(update, value, update.weighted_by === null ? null : (approved.get(update.weighted_by) ?? null));
      const colour =
        reached === null
          ? null
          : Number(reached) < 80
            ? 'red'
            : Number(reached) < 95
              ? 'amber'
              : Number(reached) < 110
                ? 'green'
                : 'blue';
      entered.push({
        id: update.id,
        status,
        value,
        done: isMissing ? null : done,
        done_on: doneOn,
        achievement: reached,
        score,
        weighted: score === null ? null : weightedScore(score, update.weight),
        colour,
        counts,
        not_applicable: notApplicable,
        remark: calculated?.remark ?? (colour === 'red' && isEntered ? REMARKS[update.id % REMARKS.length]! : null),
      });
      return {
        achievement: counts ? reached : null,
        weight: update.weight,
        threshold: 50,
        cap: 120,
        stretch: update.stretch,
        notApplicable,
      };
    });
    const { score, covered } = sheetScore(
      lines.filter(({ weight }) => Number(weight) > 0),
      isFrozen ? 'zero' : 'exclude',
      120,
    );
    if (score === null) continue;
    const owner = `${own[0]!.owner_kind} ${employee ?? own[0]!.branch_id ?? own[0]!.department_id}`;
    const past = before.get(owner) ?? [];
    scores.push({
      entity_id: company,
      owner_kind: own[0]!.owner_kind,
      employee_id: employee,
      responsible_id: own[0]!.responsible_id,
      unit_name: own[0]!.unit_name,
      sheet_id: sheet,
      month,
      department_id: own[0]!.department_id,
      branch_id: own[0]!.branch_id,
      board_unit_id: own[0]!.board_unit_id,
      score,
      covered,
      band: bandOf(score, bands)?.label ?? null,
      trend: trendOf(score, past),
      frozen: isFrozen,
    });
    before.set(owner, [...past, score]);
  }
  await tx.query(
    `update ${table('kpi_actual')} a set status = x.status, value = x.value, done = x.done, done_on = x.done_on, achievement = x.achievement, score = x.score,
       weighted = x.weighted, colour = x.colour, entered_on = case when x.status <> 'to_enter' and a.source = 'manual' and (x.value is not null or x.done is not null or x.done_on is not null)
         then least(a.ends_on + 1 + (a.id % (a.due_on - a.ends_on + 2))::int, $2::date) end, counts = x.counts, not_applicable = x.not_applicable, remark = x.remark
     from jsonb_to_recordset($1::jsonb) x(id bigint, status text, value numeric, done text, done_on date, achievement numeric, score numeric, weighted numeric,
       colour text, counts boolean, not_applicable boolean, remark text) where a.id = x.id`,
    [JSON.stringify(entered), today],
  );
  await tx.query(
    `update ${table('kpi_actual')} set days_late = greatest(0, entered_on - due_on) where entity_id = $1 and entered_on is not null`,
    [company],
  );
  await tx.query(
    `update ${table('kpi_actual')} set due_on = $1, freezes_on = $2 where month = $3 and status <> 'frozen'`,
    [addDays(today, DUE), addDays(today, FREEZE), lastMonth],
  );
  await tx.query(
    `insert into ${table('kpi_score')} (entity_id, owner_kind, employee_id, responsible_id, unit_name, sheet_id, month, department_id, branch_id, board_unit_id, score, covered, band, trend, frozen)
     select x.* from jsonb_to_recordset($1::jsonb) x(entity_id bigint, owner_kind text, employee_id bigint,
       responsible_id bigint, unit_name text, sheet_id bigint, month text, department_id bigint,
       branch_id bigint, board_unit_id bigint, score numeric, covered numeric, band text, trend text, frozen boolean)`,
    [JSON.stringify(scores)],
  );
  await tx.query(
    `insert into ${table('kpi_period_lock')} (entity_id, month, status, frozen_at, not_approved)
     select entity_id, month, case when whole then 'frozen' else 'open' end, case when whole then freezes_on::timestamptz end,
       case when whole then missing end
     from (select entity_id, month, bool_and(status = 'frozen') as whole, max(freezes_on) as freezes_on,
         (count(*) filter (where not counts))::int as missing
       from ${table('kpi_actual')} where entity_id = $1 and ends_on < $2 group by entity_id, month) m order by month`,
    [company, today],
  );
}
