import { threeWay } from '../../../domain/act/three_way.ts';
import type { ThreeWay } from '../../../domain/act/three_way.ts';
import type { WireRecord } from '../../../descriptor/types.ts';
import type { Unit } from '../../engine/records/unit.ts';

type Row = Record<string, unknown>;

/** Fields of a task that are the same in a template and in a checklist. */
export const COPIED = [
  'title',
  'instructions',
  'criticality',
  'weight',
  'schedule_mode',
  'offset_days',
  'repeat',
  'every',
  'weekdays',
  'month_day',
  'month_no',
  'nth',
  'weekday',
  'rules',
  'period_rule',
  'period_lag',
  'holiday_rule',
  'advance_days',
  'lead_days',
  'grace_days',
  'due_time',
  'est_minutes',
  'penalty_note',
  'approval',
  'after',
  'after_days',
  'form_id',
] as const;
const POINT = [
  'title',
  'mandatory',
  'weight',
  'answer_type',
  'choices',
  'from_value',
  'to_value',
  'unit_id',
  'fails_on',
  'fail_action',
  'fail_service_id',
  'fail_case_type_id',
];
const CONDITION = ['task', 'days', 'condition'];
const EVIDENCE = ['label', 'evidence_kind', 'required', 'camera_only', 'must_differ', 'valid_days'];
/** What is compared between a template and a checklist; each list of a task as a whole. */
const COMPARED = [...COPIED, 'after_when', 'subtasks', 'evidence'] as const;
const SCHEDULE = ['repeat', 'every', 'weekdays', 'month_day', 'month_no', 'nth', 'weekday', 'rules'] as const;

const chosen = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = row[name] ?? null;
      return value === null || (Array.isArray(value) && value.length === 0) ? [] : [[name, value]];
    }),
  );

const rowsOf = (value: unknown): Row[] => (Array.isArray(value) ? (value as Row[]) : []);

/**
 * The tasks of a template by their codes, with points and evidence, as this company can have them: without questionnaires
 * of other companies, and with its own services and types of cases.
 */
export async function templateTasks(unit: Unit, template: number): Promise<Record<string, Row>> {
  const record = await unit.read('chk_template', template);
  const tasks = record.tasks as Row[];
  const forms = tasks.flatMap(({ form_id: id }) => (typeof id === 'number' ? [id] : []));
  const own = forms.length === 0 ? [] : await ownForms(unit, forms);
  const points = tasks.flatMap((task) => rowsOf(task.subtasks));
  const named = await ownFollowUps(unit, points);
  return Object.fromEntries(
    tasks.map((task) => [
      String(task.code),
      {
        ...task,
        form_id: own.includes(Number(task.form_id)) ? task.form_id : null,
        subtasks: rowsOf(task.subtasks).map(named),
      },
    ]),
  );
}

/** What follows a failed checkpoint: the list that it is chosen from, the field of its name, and that of the choice. */
const FOLLOW_UPS: Readonly<Record<string, { of: string; name: string; by: string; where: string }>> = {
  raise_ticket: { of: 'service', name: 'fail_service', by: 'fail_service_id', where: 'and entity_id = $2' },
  start_case: { of: 'case_type', name: 'fail_case_type', by: 'fail_case_type_id', where: 'and $2::bigint is not null' },
};

/** Checkpoints with the company's own service or type of case; if it has none of that name, a remark is required. */
async function ownFollowUps(unit: Unit, points: readonly Row[]): Promise<(point: Row) => Row> {
  const found = new Map<string, number>();
  for (const [action, { of, name, where }] of Object.entries(FOLLOW_UPS)) {
    const names = points.flatMap((point) => (point.fail_action === action ? [String(point[name]).toLowerCase()] : []));
    if (names.length === 0) continue;
    const rows = await unit.query<{ id: number; code: string; name: string }>(
      `select id, lower(code) as code, lower(name) as name from {${of}} where active and (lower(code) = any($1::text[]) or lower(name) = any($1::text[])) ${where} order by id desc`,
      [names, unit.session.entityId],
    );
    for (const key of ['name', 'code'] as const) for (const row of rows) found.set(`${action} ${row[key]}`, row.id);
  }
  return (point) => {
    const followUp = FOLLOW_UPS[String(point.fail_action)];
    if (!followUp) return point;
    const id = found.get(`${String(point.fail_action)} ${String(point[followUp.name]).toLowerCase()}`);
    return id === undefined ? { ...point, fail_action: 'remark' } : { ...point, [followUp.by]: id };
  };
}

async function ownForms(unit: Unit, ids: readonly number[]): Promise<number[]> {
  const rows = await unit.query<{ id: number }>(
    'select id from {survey} where id = any($1::bigint[]) and entity_id = $2 and active',
    [ids, unit.session.entityId],
  );
  return rows.map(({ id }) => id);
}

/** What a task waits for, as far as the checklist has these tasks. */
export function waitsWithin({ after, after_when: conditions }: Row, codes: ReadonlySet<string>): Row {
  const has = (code: unknown) => codes.has(String(code).toLowerCase());
  return {
    after: ((after as string[] | null | undefined) ?? []).filter(has),
    after_when: rowsOf(conditions)
      .filter(({ task }) => has(task))
      .map((one) => chosen(one, CONDITION)),
  };
}

/** When a template is due, for the checklist that is made of it. */
export const scheduleFields = (template: Row): Row => chosen(template, SCHEDULE);

/** Lists in which a template names its doers: the field with their name, and the one that refers to them. */
const NAMED: Readonly<Record<string, { name: string; by: string }>> = {
  designation: { name: 'name', by: 'designation_id' },
  role: { name: 'role_name', by: 'role_id' },
};

/** Converts a template's task to a checklist's task; `employee`: the doer. */
export async function asChecklistTask(unit: Unit, task: Row, employee: unknown): Promise<Row> {
  const hint = String(task.assign_hint);
  const named = NAMED[hint];
  const [found] =
    named && typeof task.hint_text === 'string'
      ? await unit.query<{ id: number }>(
          `select id from {${hint}} where active and lower(${named.name}) = lower($1) order by id limit 1`,
          [task.hint_text],
        )
      : [];
  const assign =
    typeof employee === 'number'
      ? [{ assign_by: 'employee', employee_id: employee }]
      : named && found
        ? [{ assign_by: hint, [named.by]: found.id, mode: 'any_one' }]
        : hint === 'branch_head' || hint === 'department_head'
          ? [{ assign_by: hint }]
          : [{ assign_by: 'owner' }];
  return {
    ...chosen(task, COPIED),
    code: task.code,
    template_task_code: task.code,
    assign,
    after_when: conditionsOf(task),
    evidence: evidenceOf(task),
    subtasks: pointsOf(task),
  };
}

const evidenceOf = (task: Row): Row[] => rowsOf(task.evidence).map((one) => chosen(one, EVIDENCE));
const conditionsOf = (task: Row): Row[] => rowsOf(task.after_when).map((one) => chosen(one, CONDITION));
const pointsOf = (task: Row): Row[] => rowsOf(task.subtasks).map((one) => chosen(one, POINT));
const comparedOf = (task: Row): Row =>
  chosen({ ...task, after_when: conditionsOf(task), subtasks: pointsOf(task), evidence: evidenceOf(task) }, COMPARED);

/** The fields that decide when a task is due. */
const DATES = ['schedule_mode', 'offset_days', ...SCHEDULE, 'period_rule', 'period_lag', 'holiday_rule'] as const;

/**
 * Brings the mandatory dates of the newest version of a template into an adopted checklist, whatever the company made of
 * them. A task that is due with its checklist brings the schedule of the checklist.
 * @returns the titles of the tasks that have new dates
 */
export async function applyMandatoryDates(unit: Unit, checklistId: number): Promise<string[]> {
  const compared = await comparison(unit, checklistId);
  if (!compared) return [];
  const { checklist, template, tasks } = compared;
  const differing = (theirs: Row, ours: Row, names: readonly string[]): Row =>
    Object.fromEntries(
      names.flatMap((name) =>
        JSON.stringify(theirs[name] ?? null) === JSON.stringify(ours[name] ?? null)
          ? []
          : [[name, theirs[name] ?? null]],
      ),
    );
  const titles: string[] = [];
  const set: Record<string, Row> = {};
  let header: Row = {};
  for (const ours of checklist.tasks) {
    const theirs = tasks[String(ours.template_task_code)];
    if (theirs?.mandatory_update !== true) continue;
    const own = differing(theirs, ours, DATES);
    const whole = theirs.schedule_mode === 'own' ? {} : differing(template, checklist, SCHEDULE);
    if (Object.keys(own).length > 0) set[String(ours.id)] = own;
    if (Object.keys({ ...own, ...whole }).length > 0) titles.push(String(ours.title));
    header = { ...header, ...whole };
  }
  if (titles.length > 0) await unit.update('master_checklist', checklistId, { ...header, tasks: { set } });
  return titles;
}

/** What is kept of the adopted version, for the comparison with a later one. */
export const baseOf = (tasks: Readonly<Record<string, Row>>): Record<string, Row> =>
  Object.fromEntries(Object.entries(tasks).map(([code, task]) => [code, comparedOf(task)]));

/** An adopted checklist beside a newer version of its template. */
export interface Comparison {
  checklist: WireRecord & { tasks: (Row & { id: number })[] };
  template: Row & { id: number };
  /** The tasks of the template. */
  tasks: Record<string, Row>;
  difference: ThreeWay;
}

/**
 * An adopted checklist beside the newest published version of its template; null = there is no newer one, or the checklist
 * is detached from it.
 */
export async function comparison(unit: Unit, checklistId: number): Promise<Comparison | null> {
  const checklist = (await unit.read('master_checklist', checklistId)) as WireRecord & {
    tasks: (Row & { id: number })[];
  };
  const [row] = await unit.query<{ id: number; base: Record<string, Row> | null }>(
    `select t.id, m.template_base as base from {master_checklist} m join {chk_template} t on t.code = m.template_code and t.is_current and t.state = 'published' and t.version_no > m.template_version
     where m.id = $1 and not exists (select 1 from {chk_adoption} a where a.mstr_chk_id = m.id and a.active and a.state = 'detached') limit 1`,
    [checklistId],
  );
  if (!row) return null;
  const template = (await unit.read('chk_template', row.id)) as Row & { id: number };
  const tasks = await templateTasks(unit, row.id);
  const ours = Object.fromEntries(
    checklist.tasks.flatMap((task) =>
      task.template_task_code ? [[String(task.template_task_code), comparedOf(task)]] : [],
    ),
  );
  return { checklist, template, tasks, difference: threeWay(row.base ?? {}, baseOf(tasks), ours, COMPARED) };
}
