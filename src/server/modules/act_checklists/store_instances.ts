import type { Unit } from '../../engine/records/unit.ts';

/** A task of an instance that is to be stored; what it has in common with its task of the checklist is copied from there. */
export interface NewTaskRow {
  task_id: number;
  opens_on: string;
  /** null = when the tasks that it waits for have ended. */
  opens_at: string | null;
  state: 'scheduled' | 'open';
  target_on: string;
  due_on: string;
  period_from: string;
  period_to: string;
  /** The tasks that it waits for, by name. */
  waits_for: string | null;
  evidence_missing: number;
  colour: string;
  assignee_id: number;
  candidate_ids: number[] | null;
  approver_id: number | null;
  unassigned: boolean;
  /** Of a task that everybody has to do: whose it is; else 0. */
  person_key: number;
}

/** An occurrence of a checklist at a place, with its tasks. */
export interface NewInstance {
  mstr_chk_id: number;
  occurrence_key: string;
  scope_type: string;
  scope_id: number;
  branch_id: number | null;
  department_id: number | null;
  unit_id: number | null;
  employee_id: number | null;
  period_from: string;
  period_to: string;
  opens_on: string;
  due_on: string;
  next_due_on: string;
  people_ids: number[];
  tasks: NewTaskRow[];
}

/** Rows of one statement. */
const BATCH = 5_000;

const KEY = ['mstr_chk_id', 'occurrence_key', 'scope_type', 'scope_id'] as const;
const keyOf = (row: Pick<NewInstance, (typeof KEY)[number]>) => KEY.map((name) => row[name]).join(' ');

/**
 * Stores instances and their tasks, with the points and the evidence of each task, in statements of at most 5,000 rows.
 * Existing ones are unchanged.
 * @returns the number of tasks added
 */
export async function storeInstances(unit: Unit, instances: readonly NewInstance[]): Promise<number> {
  let made = 0;
  for (let from = 0; from < instances.length; from += BATCH) {
    const batch = instances.slice(from, from + BATCH);
    const ids = await storeBatch(unit, batch);
    const tasks = batch.flatMap((one) => {
      const origin = ids.get(keyOf(one))!;
      const { occurrence_key, scope_type, scope_id, branch_id, department_id, unit_id } = one;
      return one.tasks.map(({ opens_on: _opens, ...task }) => ({
        ...task,
        origin_id: origin,
        occurrence_key,
        scope_type,
        scope_id,
        branch_id,
        department_id,
        unit_id,
      }));
    });
    for (let at = 0; at < tasks.length; at += BATCH) made += await storeTasks(unit, tasks.slice(at, at + BATCH));
  }
  return made;
}

/** @returns the id of each instance by its key, including existing ones */
async function storeBatch(unit: Unit, batch: readonly NewInstance[]): Promise<Map<string, number>> {
  const numbers = await unit.numbers('chk_instance', batch.length);
  const rows = batch.map(({ tasks, ...one }, at) => ({
    ...one,
    instance_no: numbers[at],
    tasks_total: tasks.length,
    colour: tasks.some(({ colour }) => colour === 'red')
      ? 'red'
      : tasks.some(({ colour }) => colour === 'amber')
        ? 'amber'
        : 'green',
  }));
  const shape = `mstr_chk_id bigint, occurrence_key date, scope_type text, scope_id integer, branch_id bigint, department_id bigint, unit_id bigint,
    employee_id bigint, period_from date, period_to date, opens_on date, due_on date, next_due_on date, people_ids json, instance_no text, tasks_total integer, colour text`;
  const { userId, entityId } = unit.session;
  const found = await unit.query<Pick<NewInstance, (typeof KEY)[number]> & { id: number }>(
    `with x as materialized (select * from json_to_recordset($1::json) x(${shape})),
     r as (insert into {chk_instance} (entity_id, created_by, updated_by, mstr_chk_id, occurrence_key, scope_type, scope_id, branch_id, department_id, unit_id, employee_id,
         period_from, period_to, opens_on, due_on, next_due_on, people_ids, instance_no, tasks_total, tasks_open, waiting_approval, colour, progress, state,
         title, owner_id, category, statutory, board_designation_id)
       select $2, $3, $3, x.mstr_chk_id, x.occurrence_key, x.scope_type, x.scope_id, x.branch_id, x.department_id, x.unit_id, x.employee_id,
         x.period_from, x.period_to, x.opens_on, x.due_on, x.next_due_on, array(select value::bigint from json_array_elements_text(x.people_ids)), x.instance_no,
         x.tasks_total, x.tasks_total, 0, x.colour, 0, 'open', m.title, m.owner_id, m.category, m.statutory, m.board_designation_id
       from x join {master_checklist} m on m.id = x.mstr_chk_id
       on conflict do nothing returning id, version, mstr_chk_id, occurrence_key, scope_type, scope_id),
     h as (insert into ${historyOf(unit)} (record_type, record_id, entity_id, version, op, by, what) select 'chk_instance', r.id, $2, r.version, 'I', $3, 'action' from r)
     select r.id, r.mstr_chk_id, r.occurrence_key::text, r.scope_type, r.scope_id from r`,
    [JSON.stringify(rows), entityId, userId],
  );
  const ids = new Map(found.map((row) => [keyOf(row), row.id]));
  const missing = batch.filter((one) => !ids.has(keyOf(one)));
  if (missing.length > 0) {
    const stored = await unit.query<Pick<NewInstance, (typeof KEY)[number]> & { id: number }>(
      `select i.id, i.mstr_chk_id, i.occurrence_key::text, i.scope_type, i.scope_id from json_to_recordset($1::json) x(mstr_chk_id bigint, occurrence_key date, scope_type text, scope_id integer)
       join {chk_instance} i on i.mstr_chk_id = x.mstr_chk_id and i.occurrence_key = x.occurrence_key and i.scope_type = x.scope_type and i.scope_id = x.scope_id`,
      [JSON.stringify(missing.map((one) => Object.fromEntries(KEY.map((name) => [name, one[name]]))))],
    );
    for (const row of stored) ids.set(keyOf(row), row.id);
  }
  return ids;
}

async function storeTasks(unit: Unit, tasks: readonly Record<string, unknown>[]): Promise<number> {
  const numbers = await unit.numbers('chk_task_instance', tasks.length);
  const rows = tasks.map((task, at) => ({ ...task, task_no: numbers[at] }));
  const shape = `task_id integer, opens_at timestamptz, state text, target_on date, due_on date, period_from date, period_to date, evidence_missing integer, colour text,
    assignee_id bigint, candidate_ids json, approver_id bigint, unassigned boolean, person_key integer, origin_id integer, occurrence_key date, scope_type text,
    scope_id integer, branch_id bigint, department_id bigint, unit_id bigint, task_no text, waits_for text`;
  const { userId, entityId } = unit.session;
  const [made] = await unit.query<{ made: number }>(
    `with x as materialized (select * from json_to_recordset($1::json) x(${shape})),
     r as (insert into {chk_task_instance} (entity_id, created_by, updated_by, task_no, origin, origin_type, origin_id, origin_name, task_id, occurrence_key, scope_type, scope_id, person_key,
         branch_id, department_id, unit_id, period_from, period_to, opens_at, target_on, due_on, evidence_missing, colour, state, assignee_id, candidate_ids, approver_id, unassigned,
         title, instructions, category, statutory, criticality, weight, owner_id, due_time, grace_days, lead_days, close_after_days, slab_id, est_minutes, form_id, penalty_note, waits_for, progress, returns_count, approval_process_id)
       select $2, $3, $3, x.task_no, 'checklist', 'chk_instance', x.origin_id, m.title, x.task_id, x.occurrence_key, x.scope_type, x.scope_id, x.person_key,
         x.branch_id, x.department_id, x.unit_id, x.period_from, x.period_to, x.opens_at, x.target_on, x.due_on, x.evidence_missing, x.colour, x.state, x.assignee_id,
         case when x.candidate_ids is not null then array(select value::bigint from json_array_elements_text(x.candidate_ids)) end, x.approver_id, x.unassigned,
         t.title, t.instructions, m.category, m.statutory, t.criticality, t.weight, m.owner_id, coalesce(t.due_time, '18:00'), coalesce(t.grace_days, 0), coalesce(t.lead_days, 0),
         coalesce(m.close_after_days, 90), m.slab_id, t.est_minutes, t.form_id, t.penalty_note, x.waits_for, 0, 0,
         case when t.approval = 'process' then m.approval_process_id end
       from x join {checklist_tasks} t on t.id = x.task_id join {master_checklist} m on m.id = t.mstr_chk_id
       on conflict do nothing returning id, version, task_id),
     h as (insert into ${historyOf(unit)} (record_type, record_id, entity_id, version, op, by, what) select 'chk_task_instance', r.id, $2, r.version, 'I', $3, 'action' from r),
     s as (insert into {chk_task_instance.subtasks} (parent_id, "position", title, fixed, answer_type, mandatory, weight, choices, from_value, to_value, unit_id, fails_on, fail_action, fail_service_id, fail_case_type_id, ticked, answered)
       select r.id, row_number() over (partition by r.id order by c.position, c.id) - 1, c.title, true, c.answer_type, coalesce(c.mandatory, true), coalesce(c.weight, 1), c.choices,
         c.from_value, c.to_value, c.unit_id, c.fails_on, coalesce(c.fail_action, 'none'), c.fail_service_id, c.fail_case_type_id, false, false
       from r join {checklist_subtasks} c on c.task_id = r.task_id and c.active),
     e as (insert into {chk_task_instance.evidence} (parent_id, "position", label, evidence_kind, required, camera_only, must_differ, valid_days, given)
       select r.id, c.position, c.label, c.evidence_kind, coalesce(c.required, false), coalesce(c.camera_only, false), coalesce(c.must_differ, false), c.valid_days, false
       from r join {checklist_tasks.evidence} c on c.parent_id = r.task_id)
     select count(*)::int as made from r`,
    [JSON.stringify(rows), entityId, userId],
  );
  return made!.made;
}

const historyOf = ({ session }: Unit) => `"${session.tenant.schema}".history`;
