import { join } from 'node:path';
import type { ScoreBand } from '../../../domain/act/task_score.ts';
import { pointsFor, USUAL_BANDS } from '../../../domain/act/task_score.ts';
import type { Impact, Urgency } from '../../../domain/act_desk/priority.ts';
import { ticketPriority } from '../../../domain/act_desk/priority.ts';
import { afterOpen } from '../../../domain/open_hours.ts';
import type { ClockEntry } from '../../../domain/sla_clock.ts';
import { elapsedMinutes, momentAt, stretchesOf } from '../../../domain/sla_clock.ts';
import type { Screen } from '../../../descriptor/types.ts';
import { businessHours } from '../../access/people/business_hours.ts';
import type { Queryable } from '../../db/database.ts';
import { childTable, quoted, tableName } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';
import { ensureTables } from '../../db/tenants.ts';
import { systemSession } from '../../engine/events/system_session.ts';
import { loadModules } from '../../engine/load_modules.ts';
import { NamedFunctions } from '../../engine/modules.ts';
import { createEngine } from '../../engine/records/engine.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { unitOf, withinTransaction } from '../../engine/records/unit_of_work.ts';
import { addDays } from './dates.ts';
import { Random } from './random.ts';
import { SILENT } from './silent_notifications.ts';

/** The company with a year of compliance records. */
const COMPANY = 'ALP';
const FOLDERS = ['act', 'act_checklists', 'act_filings', 'act_desk', 'act_cases'];
const MODULES = join(import.meta.dirname, '../../modules');
const DAYS_BACK = 400;
const TICKETS = 1_400;
const CASES = 40;
/** Demo checklists that stay drafts, so that there is one to activate. */
const STAYS_DRAFT = 'Fire drill';

type Row = Record<string, unknown>;

/** A year of the demo company: the tasks of its checklists, its filings and its tickets, with their results. */
export async function addComplianceAtWork(
  tenant: Tenant,
  screens: ReadonlyMap<string, Screen>,
  today: string,
): Promise<void> {
  if (!screens.has('chk_task_instance')) return;
  const types = [...screens.values()].filter(({ folder }) => FOLDERS.includes(folder)).map(({ name }) => name);
  await ensureTables(tenant, screens, types);
  const table = (type: string) => tableName(tenant.schema, type);
  const [company] = await tenant.db.query<{ id: number; user: number | null }>(
    `select c.id, (select min(u.id) from ${table('users')} u join ${table('employee')} e on e.id = u.employee_id where e.entity_id = c.id and u.active) as user
     from ${table('entity')} c where c.code = $1`,
    [COMPANY],
  );
  if (!company) return;
  const functions = new NamedFunctions(await loadModules(MODULES));
  const engine = createEngine({ screens: () => screens as Map<string, Screen>, functions, notifications: SILENT });
  const chances = new Random(1808);
  await tenant.db.transaction(async (tx) => {
    const act = <T>(work: (unit: Unit) => Promise<T>) =>
      withinTransaction(systemSession(tenant, company.id, company.user), tx, (session) =>
        work(engine.unit(unitOf(session)!, { elevated: true }).elevated()),
      );
    const drafts = await tx.query<{ id: number }>(
      `select id from ${table('master_checklist')} where entity_id = $1 and active and state = 'draft' and title <> $2 order by id`,
      [company.id, STAYS_DRAFT],
    );
    if (drafts.length > 0) {
      for (const { id } of drafts) await act((unit) => unit.transition('master_checklist', id, 'start'));
      await endTasks(tx, tenant.schema, company.id, today, chances);
    }
    await addFilings(act, tx, tenant.schema, company.id, today, chances);
    await addFilingTasks(act, tx, tenant.schema, company.id);
    await addCases(act, tx, tenant.schema, company.id, today, chances);
    await closeMonths(act, tx, tenant.schema, company.id, today);
    await addTickets(act, tx, tenant, company.id, today, chances);
  });
}

/** The bands of a slab as JSON; null without one. `slab`: an expression of its id. */
const bandsOf = (schema: string, slab: string): string =>
  `(select json_agg(json_build_object('from_value', b.from_value::text, 'to_value', b.to_value::text, 'score', b.score::text)) from ${childTable(schema, 'slab', 'bands')} b where b.parent_id = ${slab})`;

/** The results of the due tasks: most on time, some late, few missed or not applicable, the last ones open. */
async function endTasks(tx: Queryable, schema: string, company: number, today: string, chances: Random): Promise<void> {
  const table = (type: string) => tableName(schema, type);
  const due = await tx.query<{
    id: number;
    due_on: string;
    grace_days: number;
    approver: boolean;
    bands: ScoreBand[] | null;
  }>(
    `select id, due_on::text, coalesce(grace_days, 0) as grace_days, approver_id is not null as approver, ${bandsOf(schema, 'slab_id')} as bands from ${table('chk_task_instance')}
     where entity_id = $1 and active and origin = 'checklist' and due_on <= $2 order by due_on, id`,
    [company, today],
  );
  const ended = due.map(({ id, due_on: dueOn, grace_days: grace, approver, bands }): Row => {
    const chance = chances.next();
    const isRecent = dueOn > addDays(today, -18);
    const row = {
      id,
      outcome: null,
      done_on: null,
      days_late: null,
      score: null,
      state: 'open',
      colour: 'grey',
      returns: 0,
    };
    if (chance < 0.04 && isRecent) return { ...row, colour: dueOn < today ? 'red' : 'amber' };
    if (chance < 0.07 && dueOn > addDays(today, -4) && approver)
      return {
        ...row,
        state: 'submitted',
        done_on: dueOn,
        outcome: 'on_time',
        days_late: 0,
        score: '100.00',
        colour: 'green',
      };
    if (chance < 0.08 && dueOn < addDays(today, -90)) return { ...row, state: 'missed', outcome: 'missed' };
    if (chance < 0.11) return { ...row, state: 'not_applicable', outcome: 'not_applicable' };
    const isLate = chance < 0.22;
    const doneOn = addDays(
      dueOn,
      isLate ? grace + 1 + Math.floor(chances.next() * 6) : -Math.floor(chances.next() * 3),
    );
    if (doneOn > today) return { ...row, colour: 'red' };
    const late = isLate ? Math.round((Date.parse(doneOn) - Date.parse(dueOn)) / 86_400_000) - grace : 0;
    return {
      ...row,
      state: 'completed',
      outcome: isLate ? 'late' : 'on_time',
      done_on: doneOn,
      days_late: late,
      score: pointsFor(late, bands ?? USUAL_BANDS).toFixed(2),
      returns: approver && chances.next() < 0.06 ? 1 : 0,
    };
  });
  await tx.query(
    `update ${table('chk_task_instance')} t set state = x.state, outcome = x.outcome, done_on = x.done_on, days_late = x.days_late, score = x.score, colour = x.colour,
       returns_count = x.returns, opens_at = coalesce(t.opens_at, (t.target_on + time '09:00') at time zone 'Asia/Kolkata'), started_at = (x.done_on + time '10:00') at time zone 'Asia/Kolkata', submitted_at = (x.done_on + time '16:30') at time zone 'Asia/Kolkata',
       approved_at = case when x.state = 'completed' and t.approver_id is not null then (x.done_on + time '17:30') at time zone 'Asia/Kolkata' end,
       na_reason = case when x.state = 'not_applicable' then 'The branch was closed in this period.' end,
       evidence_missing = case when x.done_on is not null then 0 else t.evidence_missing end, progress = case when x.done_on is not null then 100 else 0 end
     from jsonb_to_recordset($1::jsonb) x(id bigint, state text, outcome text, done_on date, days_late integer, score numeric, colour text, returns integer)
     where t.id = x.id`,
    [JSON.stringify(ended)],
  );
  await tx.query(
    `update ${childTable(schema, 'chk_task_instance', 'evidence')} e set given = true, taken_at = t.submitted_at, value = upper(left(md5(t.id || e.label), 8))
     from ${table('chk_task_instance')} t where t.id = e.parent_id and t.entity_id = $1 and t.done_on is not null and e.given is not true and e.evidence_kind in ('text', 'number')`,
    [company],
  );
  await tx.query(
    `update ${table('chk_instance')} i set state = case when k.open = 0 then 'completed' else 'open' end, tasks_open = k.open, waiting_approval = k.waiting, next_due_on = k.next_due,
       progress = k.progress, score = k.score, colour = case when k.open = 0 then 'grey' else k.colour end
     from (select origin_id, count(*) filter (where state not in ('completed', 'not_applicable', 'missed')) as open, count(*) filter (where state = 'submitted') as waiting,
         min(due_on) filter (where state not in ('completed', 'not_applicable', 'missed')) as next_due,
         round(100 * coalesce(sum(weight) filter (where state in ('completed', 'not_applicable', 'missed')), 0) / nullif(sum(weight), 0), 2) as progress,
         round(sum(weight * f * coalesce(score, 0)) filter (where outcome in ('on_time', 'late', 'missed')) / nullif(sum(weight * f) filter (where outcome in ('on_time', 'late', 'missed')), 0), 2) as score,
         case when bool_or(colour = 'red') then 'red' when bool_or(colour = 'amber') then 'amber' else 'green' end as colour
       from (select *, case criticality when 'critical' then 3 when 'high' then 2 when 'medium' then 1 else 0.5 end as f from ${table('chk_task_instance')}
         where entity_id = $1 and origin = 'checklist' and active) t group by origin_id) k
     where i.id = k.origin_id and i.entity_id = $1`,
    [company],
  );
}

/** Monthly filings of the past year, filed and acknowledged; a few were late and cost the form's late fee. */
async function addFilings(
  act: <T>(work: (unit: Unit) => Promise<T>) => Promise<T>,
  tx: Queryable,
  schema: string,
  company: number,
  today: string,
  chances: Random,
): Promise<void> {
  const table = (type: string) => tableName(schema, type);
  const due = await tx.query<{
    form_id: number;
    unit_id: number;
    period_from: string;
    due_on: string;
    per_day: string | null;
    bands: ScoreBand[] | null;
  }>(
    `select f.id as form_id, u.id as unit_id, m.month::date::text as period_from, f.late_fee_per_day::text as per_day, ${bandsOf(schema, 'f.slab_id')} as bands,
       (m.month + make_interval(months => coalesce(f.due_months_after, 1), days => f.due_day - 1))::date::text as due_on
     from ${table('compliance_unit')} u
     join ${table('statutory_form')} f on f.active and f.unit_type = u.unit_type and f.frequency = 'monthly' and f.due_basis = 'calendar' and f.due_day is not null
       and (cardinality(coalesce(u.form_ids, '{}')) = 0 or f.id = any(u.form_ids))
     cross join generate_series(date_trunc('month', $2::date) - interval '14 months', date_trunc('month', $2::date) - interval '2 months', interval '1 month') m(month)
     where u.entity_id = $1 and u.active and not exists (
       select 1 from ${table('filing')} x where x.form_id = f.id and x.unit_id = u.id and x.period_from < m.month + interval '1 month' and x.period_to >= m.month)
     order by due_on, u.id, f.id`,
    [company, today],
  );
  const numbers = await act((unit) => unit.numbers('filing', due.length));
  const filed = due.map(({ due_on: dueOn, per_day: perDay, bands, ...one }, at): Row => {
    const days = chances.chance(0.08) ? chances.int(1, 5) : 0;
    return {
      ...one,
      filing_no: numbers[at],
      due_on: dueOn,
      filed_on: addDays(dueOn, days || -chances.int(0, 3)),
      late_days: days,
      late_fee: (Number(perDay ?? 0) * days).toFixed(2),
      score: pointsFor(days, bands ?? USUAL_BANDS).toFixed(2),
      ack_no: `AA${String(chances.int(0, 9_999_999_999)).padStart(10, '0')}`,
    };
  });
  await tx.query(
    `insert into ${table('filing')} (entity_id, filing_no, form_id, unit_id, period_from, period_to, due_on, last_day, target_on, opens_on, filed_on, ack_no, late_days, late_fee, interest,
       exposure, score, status, overdue, nil_return, turnover_band, act_id, category, board_designation_id, branch_id, preparer_id, reviewer_id, filer_id)
     select $2, x.filing_no, x.form_id, x.unit_id, x.period_from, (x.period_from + interval '1 month - 1 day')::date, x.due_on, x.due_on, x.due_on - 2, x.due_on - 10, x.filed_on, x.ack_no,
       x.late_days, x.late_fee, 0, x.late_fee, x.score, 'acknowledged', false, false, u.turnover_band, f.act_id, a.category,
       (select k.board_designation_id from ${table('filing')} k where k.form_id = x.form_id and k.board_designation_id is not null limit 1),
       u.branch_ids[1], u.responsible_id, (select e.reporting_to_id from ${table('employee')} e where e.id = u.responsible_id), u.responsible_id
     from jsonb_to_recordset($1::jsonb) x(filing_no text, form_id bigint, unit_id bigint, period_from date, due_on date, filed_on date, ack_no text, late_days integer, late_fee numeric, score numeric)
     join ${table('compliance_unit')} u on u.id = x.unit_id join ${table('statutory_form')} f on f.id = x.form_id join ${table('statutory_act')} a on a.id = f.act_id`,
    [JSON.stringify(filed), company],
  );
}

/** The two tasks of each filing that was filed: prepared the day before, reviewed on the day. */
async function addFilingTasks(
  act: <T>(work: (unit: Unit) => Promise<T>) => Promise<T>,
  tx: Queryable,
  schema: string,
  company: number,
): Promise<void> {
  const table = (type: string) => tableName(schema, type);
  const filed = await tx.query<{ id: number }>(
    `select id from ${table('filing')} where entity_id = $1 and filed_on is not null and prepare_task_id is null and preparer_id is not null and reviewer_id <> preparer_id
     order by due_on, id`,
    [company],
  );
  const numbers = await act((unit) => unit.numbers('chk_task_instance', filed.length * 2));
  const points = USUAL_BANDS.map(({ from_value: from, score }) => `when x.late >= ${from} then ${score}`)
    .toReversed()
    .join(' ');
  await tx.query(
    `with n as (select * from jsonb_to_recordset($1::jsonb) n(id bigint, prepare_no text, review_no text)),
     x as (select f.*, k.*, greatest(0, k.ended - f.last_day) as late, s.form_no || ' · ' || u.name as called
       from n join ${table('filing')} f on f.id = n.id join ${table('statutory_form')} s on s.id = f.form_id join ${table('compliance_unit')} u on u.id = f.unit_id
       cross join lateral (values (n.prepare_no, 'Prepare ', f.preparer_id, f.filed_on - 1), (n.review_no, 'Review ', f.reviewer_id, f.filed_on)) k(task_no, what, doer, ended)),
     t as (insert into ${table('chk_task_instance')} (entity_id, task_no, origin, origin_type, origin_id, origin_name, title, category, statutory, criticality, weight, assignee_id, owner_id,
         branch_id, unit_id, period_from, period_to, opens_at, target_on, due_on, due_time, grace_days, lead_days, close_after_days, person_key, state, colour, started_at, submitted_at, done_on,
         outcome, days_late, score, progress, evidence_missing, returns_count)
       select $2, x.task_no, 'filing', 'filing', x.id, x.called, x.what || x.called, x.category, true, 'critical', 1, x.doer, x.filer_id,
         x.branch_id, x.unit_id, x.period_from, x.period_to, (x.opens_on + time '09:00') at time zone 'Asia/Kolkata', x.target_on, x.last_day, '18:00', 0, 5, 90, 0, 'completed', 'grey', (x.ended + time '10:00') at time zone 'Asia/Kolkata',
         (x.ended + time '16:30') at time zone 'Asia/Kolkata', x.ended, case when x.late > 0 then 'late' else 'on_time' end, x.late, case ${points} end, 100, 0, 0
       from x returning id, origin_id, title)
     update ${table('filing')} f set prepare_task_id = p.id, review_task_id = r.id
     from t p join t r on r.origin_id = p.origin_id and r.title like 'Review %' where p.title like 'Prepare %' and f.id = p.origin_id`,
    [
      JSON.stringify(filed.map(({ id }, at) => ({ id, prepare_no: numbers[at * 2], review_no: numbers[at * 2 + 1] }))),
      company,
    ],
  );
}

const SUBJECTS_OF_CASES: Readonly<Record<string, readonly string[]>> = {
  ONB: ['Technician joins', 'Accountant joins', 'Sales engineer joins', 'Supervisor joins'],
  EXIT: ['Technician leaves', 'Storekeeper leaves', 'Driver leaves'],
  NOTICE: ['Notice on a GST return', 'Notice on TDS', 'Notice of the labour office'],
};

/** Cases of the past year, closed on their plan or a few days behind, each with its steps. */
async function addCases(
  act: <T>(work: (unit: Unit) => Promise<T>) => Promise<T>,
  tx: Queryable,
  schema: string,
  company: number,
  today: string,
  chances: Random,
): Promise<void> {
  const table = (type: string) => tableName(schema, type);
  const types = await tx.query<{ id: number; code: string; stage_id: number | null; steps: Row[] }>(
    `select t.id, t.code, (select max(s.id) from ${table('case_stage')} s where s.case_type_id = t.id) as stage_id,
       (select jsonb_agg(to_jsonb(s) order by s.position) from ${childTable(schema, 'case_type', 'steps')} s where s.parent_id = t.id) as steps
     from ${table('case_type')} t where t.active order by t.id`,
  );
  const places = await tx.query<{ id: number; name: string; head_id: number }>(
    `select id, name, head_id from ${table('branch')} where entity_id = $1 and active and head_id is not null order by id limit 8`,
    [company],
  );
  if (types.length === 0 || places.length === 0) return;
  const numbers = await act((unit) => unit.numbers('act_case', CASES));
  const cases: Row[] = [];
  const steps: Row[] = [];
  for (const number of numbers) {
    const type = chances.pick(types);
    const place = chances.pick(places);
    const start = addDays(today, -chances.int(60, DAYS_BACK));
    const behind = chances.chance(0.3) ? chances.int(1, 9) : 0;
    let day = start;
    type.steps.forEach((step, position) => {
      const from = addDays(day, Number(step.offset_days ?? 0));
      const to = addDays(from, Number(step.days) - 1);
      const done = position === type.steps.length - 1 ? addDays(to, behind) : to;
      const { code, title, stage, after, offset_days, days, mandatory } = step;
      steps.push({
        case_no: number,
        position,
        code,
        title,
        stage,
        after,
        offset_days,
        days,
        mandatory,
        assignee_id: place.head_id,
        planned_from: from,
        planned_to: to,
        from_on: from,
        to_on: done,
        done_on: done,
      });
      day = addDays(to, 1);
    });
    const planned = addDays(day, -1);
    cases.push({
      case_no: number,
      case_type_id: type.id,
      stage_id: type.stage_id,
      owner_id: place.head_id,
      branch_id: place.id,
      title: `${chances.pick(SUBJECTS_OF_CASES[type.code] ?? ['Case'])}, ${place.name}`,
      start_on: start,
      planned_end: planned,
      closed_on: addDays(planned, behind),
      days_behind: behind,
      score: pointsFor(behind, USUAL_BANDS).toFixed(2),
    });
  }
  await tx.query(
    `with x as (select * from jsonb_to_recordset($1::jsonb) x(case_no text, case_type_id bigint, stage_id bigint, owner_id bigint, branch_id bigint, title text, start_on date, planned_end date,
         closed_on date, days_behind integer, score numeric)),
     c as (insert into ${table('act_case')} (entity_id, case_no, case_type_id, stage_id, owner_id, branch_id, title, start_on, planned_end, expected_end, closed_on, days_behind, score, progress, status)
       select $3, case_no, case_type_id, stage_id, owner_id, branch_id, title, start_on, planned_end, closed_on, closed_on, days_behind, score, 100, 'closed' from x returning id, case_no)
     insert into ${table('case_step')} (entity_id, case_id, "position", code, title, stage, after, offset_days, days, mandatory, assignee_id, planned_from, planned_to, from_on, to_on, done_on,
       state, critical)
     select $3, c.id, s."position", s.code, s.title, s.stage, s.after, s.offset_days, s.days, s.mandatory, s.assignee_id, s.planned_from, s.planned_to, s.from_on, s.to_on, s.done_on, 'done', true
     from jsonb_to_recordset($2::jsonb) s(case_no text, "position" integer, code text, title text, stage text, after text[], offset_days integer, days integer, mandatory boolean,
       assignee_id bigint, planned_from date, planned_to date, from_on date, to_on date, done_on date) join c on c.case_no = s.case_no`,
    [JSON.stringify(cases), JSON.stringify(steps), company],
  );
}

/** Closes all past months except the last: their scores stay fixed. */
async function closeMonths(
  act: <T>(work: (unit: Unit) => Promise<T>) => Promise<T>,
  tx: Queryable,
  schema: string,
  company: number,
  today: string,
): Promise<void> {
  const known = new Set(
    (
      await tx.query<{ month: string }>(
        `select month from ${tableName(schema, 'compliance_period')} where entity_id = $1`,
        [company],
      )
    ).map(({ month }) => month),
  );
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7))];
  for (let back = 13; back >= 1; back--) {
    const name = new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 7);
    if (known.has(name)) continue;
    const period = await act((unit) => unit.create('compliance_period', { month: name }));
    if (back > 1) await act((unit) => unit.transition('compliance_period', period.id, 'close'));
  }
}

const SUBJECTS: Readonly<Record<string, readonly string[]>> = {
  default: [
    'Does not work since this morning',
    'Is slow',
    'Access is missing',
    'Please replace it',
    'Question about it',
  ],
};

interface Service {
  id: number;
  name: string;
  service_category_id: number;
  slab_id: number;
  default_impact: Impact | null;
  default_urgency: Urgency | null;
  group_role_id: number;
}

interface Target {
  slab_id: number;
  priority: string;
  response_minutes: number;
  resolution_minutes: number;
  round_the_clock: boolean;
  calendar_id: number | null;
}

/** Closed tickets of the year: their answers, pauses and solutions follow the working hours of their branch. */
async function addTickets(
  act: <T>(work: (unit: Unit) => Promise<T>) => Promise<T>,
  tx: Queryable,
  tenant: Tenant,
  company: number,
  today: string,
  chances: Random,
): Promise<void> {
  const { schema } = tenant;
  const table = (type: string) => tableName(schema, type);
  const services = await tx.query<Service>(
    `select s.id, s.name, s.service_category_id, s.slab_id, s.default_impact, s.default_urgency, c.group_role_id
     from ${table('service')} s join ${table('service_category')} c on c.id = s.service_category_id where s.active order by s.id`,
  );
  const targets = await tx.query<Target>(
    `select t.parent_id as slab_id, t.priority, t.response_minutes, t.resolution_minutes, coalesce(t.round_the_clock, false) as round_the_clock, s.calendar_id
     from ${childTable(schema, 'slab', 'targets')} t join ${table('slab')} s on s.id = t.parent_id`,
  );
  const agents = await tx.query<{ id: number }>(
    `select distinct assignee_id as id from ${table('ticket')} where entity_id = $1 and assignee_id is not null order by 1`,
    [company],
  );
  const people = await tx.query<{ id: number; branch_id: number; name: string }>(
    `select id, branch_id, name from ${table('employee')} where entity_id = $1 and active and status = 'active' and branch_id is not null order by id limit 40`,
    [company],
  );
  if (services.length === 0 || agents.length === 0 || people.length === 0) return;
  const pick = <T>(list: readonly T[]): T => chances.pick(list);
  const hoursOf = new Map<string, Awaited<ReturnType<typeof businessHours>>>();
  const begin = Date.parse(`${addDays(today, -DAYS_BACK)}T04:30:00Z`);
  const end = Date.parse(`${addDays(today, -12)}T04:30:00Z`);
  const planned: Row[] = [];
  for (let at = 0; at < TICKETS; at++) {
    const service = pick(services);
    const person = pick(people);
    const impact = service.default_impact ?? pick(['team', 'person'] as const);
    const urgency = service.default_urgency ?? pick(['today', 'this_week', 'whenever'] as const);
    const priority = ticketPriority(impact, urgency);
    const target = targets.find((one) => one.slab_id === service.slab_id && one.priority === priority);
    if (!target) continue;
    const calendar = target.round_the_clock ? ('always' as const) : target.calendar_id;
    const key = `${person.branch_id} ${calendar}`;
    const hours =
      hoursOf.get(key) ??
      (await businessHours(
        { ...tenant, db: tx } as Tenant,
        { entityId: company, branchId: person.branch_id },
        { calendar, from: begin },
      ));
    hoursOf.set(key, hours);
    const raised = afterOpen(
      hours,
      begin + ((end - begin) * at) / TICKETS,
      60_000 * (1 + Math.floor(chances.next() * 300)),
    );
    if (raised === null) continue;
    const run: ClockEntry[] = [{ at: raised, runs: true }];
    const answered = momentAt(
      stretchesOf(run),
      hours,
      Math.max(1, Math.round(target.response_minutes * (0.15 + chances.next() * 0.95))),
    );
    if (answered === null) continue;
    const isLate = chances.next() < 0.12;
    const used = Math.round(
      target.resolution_minutes * (isLate ? 1.05 + chances.next() : 0.15 + chances.next() * 0.75),
    );
    const isForwarded = chances.next() < 0.09;
    const isReopened = chances.next() < 0.06;
    const isPaused = chances.next() < 0.15;
    if (isPaused) {
      const from = Math.max(answered + 600_000, momentAt(stretchesOf(run), hours, Math.round(used / 2)) ?? 0);
      run.push({ at: from, runs: false }, { at: from + 26 * 3_600_000, runs: true });
    }
    const solved = momentAt(stretchesOf(run), hours, used);
    if (solved === null || solved <= answered) continue;
    const iso = (moment: number) => new Date(moment).toISOString();
    const agent = pick(agents).id;
    const forwarded = isForwarded && !isPaused ? answered + Math.round((solved - answered) / 2) : null;
    const reopened = isReopened ? afterOpen(hours, solved, 60_000 * 90) : null;
    const again = reopened === null ? null : afterOpen(hours, reopened, 60_000 * chances.int(20, 120));
    if (reopened !== null && again !== null) run.push({ at: solved, runs: false }, { at: reopened, runs: true });
    const ended = again ?? solved;
    planned.push({
      service_id: service.id,
      service_category_id: service.service_category_id,
      slab_id: service.slab_id,
      group_role_id: service.group_role_id,
      requester_id: person.id,
      branch_id: person.branch_id,
      assignee_id: agent,
      by_name: person.name,
      channel: pick(['web', 'web', 'mobile', 'mail', 'phone'] as const),
      impact,
      urgency,
      priority,
      subject: `${service.name}: ${pick(SUBJECTS.default!)}`,
      raised_at: iso(raised),
      responded_at: iso(answered),
      first_resolved_at: iso(solved),
      reopened_at: reopened === null || again === null ? null : iso(reopened),
      resolved_at: iso(ended),
      closed_at: iso(ended + 2 * 86_400_000),
      forwarded_at: forwarded === null ? null : iso(forwarded),
      first_assignee_id: forwarded === null ? agent : (agents.find(({ id }) => id !== agent)?.id ?? agent),
      paused_at: isPaused ? iso(run[1]!.at) : null,
      resumed_at: isPaused ? iso(run[2]!.at) : null,
      response_breached: elapsedMinutes(stretchesOf([run[0]!]), hours, answered) > target.response_minutes,
      resolution_breached: elapsedMinutes(stretchesOf(run), hours, ended) > target.resolution_minutes,
      rating: chances.next() < 0.6 ? (isLate ? 2 : 4) + Math.round(chances.next()) : null,
      resolution_code: pick(['fixed', 'fixed', 'fixed', 'information', 'workaround'] as const),
    });
  }
  const numbers = await act((unit) => unit.numbers('ticket', planned.length));
  planned.forEach((row, at) => Object.assign(row, { ticket_no: numbers[at] }));
  const shape = `service_id bigint, service_category_id bigint, slab_id bigint, group_role_id bigint, requester_id bigint, branch_id bigint, assignee_id bigint, by_name text,
    channel text, impact text, urgency text, priority text, subject text, raised_at timestamptz, responded_at timestamptz, resolved_at timestamptz, closed_at timestamptz,
    paused_at timestamptz, resumed_at timestamptz, first_resolved_at timestamptz, reopened_at timestamptz, forwarded_at timestamptz, first_assignee_id bigint, response_breached boolean, resolution_breached boolean, rating integer, resolution_code text, ticket_no text`;
  await tx.query(
    `with x as materialized (select * from jsonb_to_recordset($1::jsonb) x(${shape})),
     t as (insert into ${table('ticket')} (entity_id, ticket_no, service_id, service_category_id, slab_id, group_role_id, requester_id, branch_id, assignee_id, channel, impact, urgency, priority,
         subject, description, raised_at, responded_at, answered, resolved_at, closed_at, response_breached, resolution_breached, rating, resolution_code, resolution_note, status,
         reopen_count, forward_count, created_at, updated_at)
       select $2, ticket_no, service_id, service_category_id, slab_id, group_role_id, requester_id, branch_id, assignee_id, channel, impact, urgency, priority,
         subject, 'As said on the phone.', raised_at, responded_at, true, resolved_at, closed_at, response_breached, resolution_breached, rating, resolution_code, 'Done and tried with the requester.', 'closed',
         (reopened_at is not null)::int, (forwarded_at is not null)::int, raised_at, closed_at from x returning id, ticket_no),
     steps as (select t.id, s.* from t join x on x.ticket_no = t.ticket_no cross join lateral (values
         ('take', 'new', 'assigned', x.raised_at + (x.responded_at - x.raised_at) / 2, array['response', 'resolution'], 'assigned'),
         ('start', 'assigned', 'in_progress', x.responded_at, array['resolution'], 'replied'),
         ('pause', 'in_progress', 'paused', x.paused_at, '{}'::text[], 'paused'),
         ('resume', 'paused', 'in_progress', x.resumed_at, array['resolution'], 'resumed'),
         ('forward', 'in_progress', 'assigned', x.forwarded_at, array['resolution'], 'forwarded'),
         ('start', 'assigned', 'in_progress', x.forwarded_at + interval '10 minutes', array['resolution'], 'replied'),
         ('resolve', 'in_progress', 'resolved', x.first_resolved_at, '{}'::text[], 'resolved'),
         ('reopen', 'resolved', 'in_progress', x.reopened_at, array['resolution'], 'reopened'),
         ('resolve', 'in_progress', 'resolved', case when x.reopened_at is not null then x.resolved_at end, '{}'::text[], 'resolved'),
         ('close', 'resolved', 'closed', x.closed_at, '{}'::text[], 'closed')) s(transition, from_state, to_state, at, running, kind) where s.at is not null),
     log as (insert into ${quoted(schema)}.transition_log (record_type, record_id, transition, from_state, to_state, at, recorded_at, running)
       select 'ticket', id, transition, from_state, to_state, at, at, running from steps order by id, at),
     clocks as (insert into ${quoted(schema)}.record_clock (record_type, record_id, clock, target, calendar, holders)
       select 'ticket', t.id, 'resolution', p.resolution_minutes, case when p.round_the_clock then '"always"'::jsonb else to_jsonb(s.calendar_id) end,
         jsonb_build_array(jsonb_build_object('at', extract(epoch from x.raised_at) * 1000, 'holder', jsonb_build_array(x.group_role_id, null)),
           jsonb_build_object('at', extract(epoch from x.raised_at + (x.responded_at - x.raised_at) / 2) * 1000, 'holder', jsonb_build_array(x.group_role_id, x.first_assignee_id)))
           || case when x.forwarded_at is null then '[]'::jsonb else jsonb_build_array(jsonb_build_object('at', extract(epoch from x.forwarded_at) * 1000,
             'holder', jsonb_build_array(x.group_role_id, x.assignee_id))) end
       from t join x on x.ticket_no = t.ticket_no join ${table('slab')} s on s.id = x.slab_id
       join ${childTable(schema, 'slab', 'targets')} p on p.parent_id = s.id and p.priority = x.priority)
     insert into ${table('ticket_event')} (entity_id, ticket_id, at, kind, by_name, group_role_id, assignee_id, created_at, updated_at)
     select $2, t.id, x.raised_at, 'created', x.by_name, x.group_role_id, null, x.raised_at, x.raised_at from t join x on x.ticket_no = t.ticket_no
     union all select $2, s.id, s.at, s.kind, 'Service desk', x.group_role_id, case when s.at < x.forwarded_at then x.first_assignee_id else x.assignee_id end, s.at, s.at from steps s join t on t.id = s.id join x on x.ticket_no = t.ticket_no`,
    [JSON.stringify(planned), company],
  );
}
