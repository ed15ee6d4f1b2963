import { DateTime } from 'luxon';
import { zoneOf } from '../../../descriptor/place.ts';
import type { Occurrence, Works } from '../../../domain/act/recurrence.ts';
import { occurrences } from '../../../domain/act/recurrence.ts';
import type { HolidayRule, PeriodRule } from '../../../domain/act/task_dates.ts';
import { daysToGenerate, periodOf, taskDates } from '../../../domain/act/task_dates.ts';
import { worksByHours } from '../../access/people/working_hours.ts';
import { dayIn, placeOf } from '../../services/clock/client_day.ts';
import type { Unit } from '../../engine/records/unit.ts';
import type { Directory, Place } from './checklist_directory.ts';
import { placesOf, readDirectory, readNamedPeople } from './checklist_directory.ts';
import { scheduleOf } from './checklist_schedule.ts';
import { storeInstances } from './store_instances.ts';
import type { NewInstance, NewTaskRow } from './store_instances.ts';
import { colourOf } from './task_colour.ts';
import type { AssignRule, Workload } from './who_does_it.ts';
import { approverOf, doersOf } from './who_does_it.ts';

/** A task of a checklist as generation needs it. */
export interface PlannedTask extends Readonly<Record<string, unknown>> {
  id: number;
  title: string;
  code: string | null;
  /** Codes of the tasks of the same occurrence that must have ended before it opens. */
  after: string[] | null;
  schedule_mode: 'with_checklist' | 'own' | null;
  offset_days: number | null;
  holiday_rule: HolidayRule | null;
  period_rule: PeriodRule | null;
  period_lag: number | null;
  advance_days: number | null;
  lead_days: number | null;
  grace_days: number | null;
  approval: string | null;
  approver_id: number | null;
  assign: AssignRule[];
  evidence_needed: number;
}

/** A checklist with its tasks. */
export interface PlannedChecklist extends Readonly<Record<string, unknown>> {
  id: number;
  title: string;
  /** The working hours whose days count. */
  calendar_id: number | null;
  statutory: boolean | null;
  owner_id: number;
  expand_by: Place['scope_type'];
  branch_ids: number[] | null;
  department_ids: number[] | null;
  unit_ids: number[] | null;
  anchor: string | null;
  start_on: string;
  end_on: string | null;
  generate_ahead_days: number | null;
  generated_through: string | null;
  tasks: PlannedTask[];
}

/** Data already loaded in a run: it is the same for all checklists of a company. */
export interface GenerationMemory {
  directory?: Directory;
  works?: Map<string, Works>;
}

/** How many days before and after the planned days calendars are read. */
const MARGIN = 430;

/** Checklists with their tasks and rules, by number. */
export function readChecklists(unit: Unit, ids: readonly number[]): Promise<PlannedChecklist[]> {
  return unit.query<PlannedChecklist>(
    `select m.id, m.title, m.calendar_id, m.statutory, m.owner_id, m.expand_by, m.branch_ids, m.department_ids, m.unit_ids, m.anchor, m.start_on::text, m.end_on::text,
       m.generate_ahead_days, m.generated_through::text, m.repeat, m.every, m.weekdays, m.month_day, m.month_no, m.nth, m.weekday, m.rules,
       (select json_agg(json_build_object('on', d."on"::text, 'what', d.what)) from {master_checklist.dates} d where d.parent_id = m.id) as dates,
       coalesce((select json_agg(to_jsonb(t) || jsonb_build_object(
           'assign', coalesce((select jsonb_agg(to_jsonb(a) order by a.position) from {checklist_tasks.assign} a where a.parent_id = t.id), '[]'),
           'evidence_needed', (select count(*) from {checklist_tasks.evidence} e where e.parent_id = t.id and e.required)) order by t.position, t.id)
         from {checklist_tasks} t where t.mstr_chk_id = m.id and t.active), '[]') as tasks
     from {master_checklist} m where m.id = any($1::bigint[]) order by m.id`,
    [ids],
  );
}

/** The key of the working days of a place (`null`: of the company), by the calendar of a checklist. */
export const daysKey = (
  branch: number | null,
  { calendar_id: calendar }: Pick<PlannedChecklist, 'calendar_id'>,
): string => (calendar === null ? String(branch) : `${branch} by ${calendar}`);

/** The working days of each branch, and of the company under `null`; branches with the same days share a function. */
async function calendarsOf(
  unit: Unit,
  places: readonly (Pick<Place, 'branch_id'> & Pick<PlannedChecklist, 'calendar_id'>)[],
  today: string,
  known: Map<string, Works>,
): Promise<Map<string, Works>> {
  const { tenant, entityId } = unit.session;
  const span = {
    from: DateTime.fromISO(today).minus({ days: MARGIN }).toISODate()!,
    to: DateTime.fromISO(today)
      .plus({ days: MARGIN + 400 })
      .toISODate()!,
  };
  for (const place of places) {
    const key = daysKey(place.branch_id, place);
    if (known.has(key)) continue;
    const works = await worksByHours(
      tenant,
      { entityId, branchId: place.branch_id },
      place.calendar_id,
      span.from,
      span.to,
    );
    const days = new Map<string, boolean>();
    known.set(key, (day) => {
      let is = days.get(day);
      if (is === undefined) days.set(day, (is = works(day)));
      return is;
    });
  }
  return known;
}

/** The occurrences to create: those of a window, or one started by hand at one place. */
export type Wanted = { window: { from: string; to: string } } | { once: Occurrence; place?: Place };

/**
 * The required instances and tasks of a checklist with their days and people; nothing is stored.
 * @returns one entry per instance, including its tasks
 */
export function planChecklist(
  checklist: PlannedChecklist,
  wanted: Wanted,
  {
    directory,
    calendars,
    load,
    company,
    today,
    now,
    fyStart,
    zone,
  }: {
    directory: Directory;
    calendars: ReadonlyMap<string, Works>;
    load: Workload;
    company: number;
    today: string;
    now: number;
    fyStart: number;
    zone: (branch: number | null) => string;
  },
): NewInstance[] {
  const places = 'once' in wanted && wanted.place ? [wanted.place] : placesOf(checklist, company, directory);
  const statutory = checklist.statutory === true;
  /** Tasks have the same days at all places with the same working days. */
  const byCalendar = new Map<Works, { key: string; tasks: DatedTask[] }[]>();
  const made: NewInstance[] = [];
  for (const place of places) {
    const works = calendars.get(daysKey(place.branch_id, checklist))!;
    let dated = byCalendar.get(works);
    if (!dated) byCalendar.set(works, (dated = datesOf(checklist, wanted, statutory, works, fyStart, today)));
    const timezone = zone(place.branch_id);
    for (const { key, tasks } of dated) {
      const rows: NewTaskRow[] = [];
      for (const { task, row } of tasks) {
        const doers = doersOf(task, place, checklist.owner_id, row.opens_on, directory, load);
        const opensAt = startOf(row.opens_on, timezone);
        for (const assignee of doers.assignees)
          rows.push({
            ...row,
            opens_at: row.waits_for === null ? opensAt : null,
            state: row.waits_for === null && Date.parse(opensAt) <= now ? 'open' : 'scheduled',
            assignee_id: assignee,
            candidate_ids: doers.candidates.length > 0 ? doers.candidates : null,
            approver_id: approverOf(task, assignee, checklist.owner_id, directory),
            unassigned: doers.unassigned,
            person_key: doers.assignees.length > 1 ? assignee : 0,
          });
      }
      if (rows.length === 0) continue;
      const dues = rows.map((row) => row.due_on).toSorted();
      made.push({
        mstr_chk_id: checklist.id,
        occurrence_key: key,
        ...place,
        period_from: rows[0]!.period_from,
        period_to: rows[0]!.period_to,
        opens_on: rows.map((row) => row.opens_on).toSorted()[0]!,
        due_on: dues.at(-1)!,
        next_due_on: dues[0]!,
        people_ids: [
          ...new Set(
            rows.flatMap((row) => [row.assignee_id, ...(row.candidate_ids ?? []), row.approver_id ?? []]).flat(),
          ),
        ],
        tasks: rows,
      });
    }
  }
  return made;
}

type PeopleFields =
  | 'opens_at'
  | 'state'
  | 'assignee_id'
  | 'candidate_ids'
  | 'approver_id'
  | 'unassigned'
  | 'person_key';

const opening = new Map<string, string>();
/** Midnight of a day in a zone, as an instant. */
function startOf(day: string, zone: string): string {
  const key = `${day} ${zone}`;
  let at = opening.get(key);
  if (at === undefined) {
    if (opening.size > 5_000) opening.clear();
    opening.set(key, (at = DateTime.fromISO(day, { zone }).toUTC().toISO()!));
  }
  return at;
}

function datesOf(
  checklist: PlannedChecklist,
  wanted: Wanted,
  statutory: boolean,
  works: Works,
  fyStart: number,
  today: string,
): { key: string; tasks: DatedTask[] }[] {
  const found = (schedule: Parameters<typeof occurrences>[0]) =>
    'window' in wanted ? occurrences(schedule, wanted.window.from, wanted.window.to, works) : [wanted.once];
  const common = found(scheduleOf(checklist, checklist.start_on, checklist.end_on));
  const byKey = new Map<string, DatedTask[]>();
  for (const task of checklist.tasks) {
    const own = task.schedule_mode === 'own' && 'window' in wanted;
    for (const { key, nominal } of own ? found(scheduleOf(task, checklist.start_on, checklist.end_on)) : common) {
      const day = own
        ? nominal
        : DateTime.fromISO(nominal, { zone: 'utc' })
            .plus({ days: task.offset_days ?? 0 })
            .toISODate()!;
      const dates = taskDates(
        day,
        {
          statutory,
          holiday_rule: task.holiday_rule ?? 'next',
          advance_days: task.advance_days ?? 0,
          lead_days: task.lead_days ?? 0,
        },
        works,
      );
      if (dates === null) continue;
      const period = periodOf(nominal, task.period_rule ?? 'same', task.period_lag ?? 0, fyStart);
      const row = {
        task_id: task.id,
        opens_on: dates.opens_on,
        target_on: dates.target_on,
        due_on: dates.due_on,
        period_from: period.from,
        period_to: period.to,
        waits_for: null,
        evidence_missing: task.evidence_needed,
        colour: colourOf({ due_on: dates.due_on, grace_days: task.grace_days }, today),
      };
      byKey.set(key, [...(byKey.get(key) ?? []), { task, row }]);
    }
  }
  return [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, tasks]) => ({ key, tasks: inOrder(tasks) }));
}

type DatedTask = { task: PlannedTask; row: Omit<NewTaskRow, PeopleFields> };

/** The tasks of one occurrence, each with the names of its predecessors in the same occurrence. */
function inOrder(tasks: DatedTask[]): DatedTask[] {
  if (tasks.every(({ task }) => (task.after ?? []).length === 0)) return tasks;
  const byCode = new Map(
    tasks.flatMap(({ task: { code, title } }) => (code ? [[code.toLowerCase(), title] as const] : [])),
  );
  return tasks.map(({ task, row }) => {
    const before = [...new Set(task.after)].flatMap((code) => byCode.get(code.toLowerCase()) ?? []);
    return { task, row: { ...row, waits_for: before.length === 0 ? null : before.join(', ') } };
  });
}

/** Open and last tasks of people, for tasks assigned in turn or by least load. */
async function workloadOf(unit: Unit, checklists: readonly PlannedChecklist[]): Promise<Workload> {
  const shared = checklists
    .flatMap(({ tasks }) => tasks)
    .filter(({ assign }) => assign.some(({ mode }) => mode === 'round_robin' || mode === 'least_open'));
  const load: Workload = { last: new Map(), open: new Map(), lastOn: new Map() };
  if (shared.length === 0) return load;
  const last = await unit.query<{ key: string; assignee_id: number }>(
    `select distinct on (task_id, scope_type, scope_id) task_id || ' ' || scope_type || ' ' || scope_id as key, assignee_id
     from {chk_task_instance} where origin = 'checklist' and task_id = any($1::int[]) order by task_id, scope_type, scope_id, occurrence_key desc, id desc`,
    [shared.map(({ id }) => id)],
  );
  for (const row of last) load.last.set(row.key, row.assignee_id);
  const open = await unit.query<{ id: number; open: number; last_on: string | null }>(
    `select assignee_id as id, count(*) filter (where state in ('scheduled', 'open', 'in_progress', 'waiting'))::int as open, (max(opens_at) at time zone 'UTC')::date::text as last_on
     from {chk_task_instance} where entity_id = $1 and active group by 1`,
    [unit.session.entityId],
  );
  for (const row of open) {
    load.open.set(row.id, row.open);
    if (row.last_on) load.lastOn.set(row.id, row.last_on);
  }
  return load;
}

/** The data of the company, its day and its people that planning needs. */
export async function planningOf(
  unit: Unit,
  checklists: readonly PlannedChecklist[],
  memory: GenerationMemory = {},
): Promise<Parameters<typeof planChecklist>[2]> {
  const company = unit.session.entityId!;
  const directory = (memory.directory ??= await readDirectory(unit));
  const { timezone, fyStartMonth: fyStart, zones } = placeOf(unit.session);
  const today = dayIn(timezone, unit.now.getTime());
  const places = checklists.flatMap((one) => [
    { branch_id: null, calendar_id: one.calendar_id },
    ...placesOf(one, company, directory).map(({ branch_id: branch }) => ({
      branch_id: branch,
      calendar_id: one.calendar_id,
    })),
  ]);
  const calendars = await calendarsOf(unit, places, today, (memory.works ??= new Map()));
  await readNamedPeople(unit, directory, checklists);
  return {
    directory,
    calendars,
    load: await workloadOf(unit, checklists),
    company,
    today,
    now: unit.now.getTime(),
    fyStart,
    zone: (branch) => zoneOf({ branchId: branch, entityId: company }, zones) ?? timezone,
  };
}

/**
 * Creates the missing occurrences of active checklists, from the day after the last one created up to their horizon
 * (§5.1): missed days are made up for. The key of an occurrence is unique, so it may run twice, or on several servers
 * at once.
 * @returns the number of tasks created
 */
export async function generateChecklists(
  unit: Unit,
  ids: readonly number[],
  memory: GenerationMemory = {},
): Promise<number> {
  const checklists = await readChecklists(unit, ids);
  if (checklists.length === 0) return 0;
  const planning = await planningOf(unit, checklists, memory);
  const instances: NewInstance[] = [];
  const through = new Map<number, string>();
  for (const checklist of checklists) {
    const onCompletion = checklist.anchor === 'on_completion';
    // A schedule that counts from the last completion creates its first occurrence here; completions create the others.
    if (onCompletion && checklist.generated_through !== null) continue;
    const window = daysToGenerate(
      { through: checklist.generated_through, startOn: checklist.start_on },
      planning.today,
      checklist.generate_ahead_days ?? 45,
    );
    if (window === null) continue;
    const planned = planChecklist(checklist, { window }, planning);
    const first = planned[0]?.occurrence_key;
    if (onCompletion && first === undefined) continue;
    instances.push(...(onCompletion ? planned.filter((one) => one.occurrence_key === first) : planned));
    through.set(checklist.id, onCompletion ? first! : window.to);
  }
  const made = await storeInstances(unit, instances);
  if (through.size > 0)
    await unit.query(
      `update {master_checklist} m set generated_through = x.day from unnest($1::bigint[], $2::date[]) x(id, day) where m.id = x.id`,
      [[...through.keys()], [...through.values()]],
    );
  return made;
}
