import { ExpressionSyntaxError } from '../../../descriptor/expression/compile_expression.ts';
import { Exact } from '../../../descriptor/exact.ts';
import type { WireRecord } from '../../../descriptor/types.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { dayOfRecord } from '../../engine/records/day_of_record.ts';
import { holdsFor, valueOver } from './record_condition.ts';

/** What a rule does, in order. */
export interface RuleAction {
  action: 'start_case' | 'create_task' | 'raise_ticket' | 'notify' | 'send_mail' | 'set_field';
  case_type_id: number | null;
  service_id: number | null;
  person_id: number | null;
  mail: string | null;
  text: string | null;
  days: number | null;
  set_name: string | null;
  set_value: string | null;
}

export interface WorkflowRule {
  id: number;
  name: string;
  record_type: string;
  event:
    | 'created'
    | 'updated'
    | 'field_changed'
    | 'transition'
    | 'date_reached'
    | 'ticket_breached'
    | 'survey_answered'
    | 'webhook';
  field: string | null;
  transition: string | null;
  condition: string | null;
  run_as: 'actor' | 'author';
  once_per_record: boolean | null;
  max_runs_per_hour: number | null;
  author_id: number | null;
  actions: RuleAction[];
}

/** The rules in use of the company for a type of records. */
export function rulesFor(unit: Unit, type: string): Promise<WorkflowRule[]> {
  return unit.query<WorkflowRule>(
    `select r.id, r.name, r.record_type, r.event, r.field, r.transition, r.condition, r.run_as, r.once_per_record, r.max_runs_per_hour,
       coalesce(r.updated_by, r.created_by) as author_id,
       (select coalesce(jsonb_agg(to_jsonb(a) order by a.id), '[]') from {workflow_rule.actions} a where a.parent_id = r.id) as actions
     from {workflow_rule} r where r.active and r.entity_id = $1 and r.record_type = $2 order by r.id`,
    [unit.session.entityId, type],
  );
}

/**
 * Whether a rule matches an event: `what` is created, changed or the name of a transition, `fields` the changed fields.
 */
export const listens = (rule: WorkflowRule, what: string, fields: readonly string[]): boolean =>
  (rule.event === 'created' && what === 'created') ||
  (rule.event === 'updated' && what === 'changed') ||
  (rule.event === 'field_changed' && what === 'changed' && fields.includes(rule.field ?? '')) ||
  (rule.event === 'transition' && what === rule.transition) ||
  (rule.event === 'ticket_breached' && what.endsWith('_breach')) ||
  (rule.event === 'survey_answered' && what === 'hand_in');

/** Whether the condition of a rule is true; an invalid one is not. */
export function meets(rule: WorkflowRule, record: WireRecord): boolean {
  try {
    return holdsFor(rule.condition, record);
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return false;
    throw error;
  }
}

/** What the actions of a rule need of a person: the pages of what they make, and the record in sight. @throws AppError */
export async function authorize(unit: Unit, rule: WorkflowRule, recordId: number): Promise<void> {
  await unit.read(rule.record_type, recordId);
  for (const { action } of rule.actions) {
    if (action === 'start_case') {
      unit.authorize('act_case', 'add_screen');
      const refused = unit.session.rights.refuseAction('CASE_START');
      if (refused !== null) unit.refuse([{ field: '', message: 'The author of the rule may not start cases.' }]);
    } else if (action === 'create_task') unit.authorize('chk_task_instance', 'add_screen');
    else if (action === 'raise_ticket') unit.authorize('ticket', 'add_screen');
    else if (action === 'set_field') unit.authorize(rule.record_type, 'edit_screen');
  }
}

const words = (text: string | null, record: WireRecord) =>
  (text ?? '')
    .replace(/\{(\w+)\}/g, (_all, name: string) => String(record[`${name}__label`] ?? record[name] ?? '–'))
    .slice(0, 150);

function plain(text: string | null, record: WireRecord): unknown {
  const value = text === null || text.trim() === '' ? null : valueOver(text, record);
  return value instanceof Exact ? value.toString() : value;
}

/**
 * Executes a rule with the rights of the unit's person; unauthorised actions are refused.
 * @returns the actions done, as text
 * @throws AppError for a refused action
 */
export async function runActions(unit: Unit, rule: WorkflowRule, record: WireRecord, called: string): Promise<string> {
  const done: string[] = [];
  for (const one of rule.actions) {
    const text = words(one.text, record);
    if (one.action === 'start_case') {
      const type = await unit.read('case_type', one.case_type_id!);
      const made = await unit.create('act_case', {
        case_type_id: one.case_type_id,
        title: text,
        owner_id: one.person_id,
        branch_id: (record.branch_id as number | null) ?? null,
        started_by_rule: rule.name,
        ...(type.subject_type === rule.record_type && { subject_id: record.id }),
      });
      await unit.transition('act_case', made.id, 'start');
      done.push(`Case ${String(made.case_no)} started`);
    } else if (one.action === 'create_task') {
      const day = Date.parse(`${dayOfRecord(unit, record)}T00:00:00Z`) + (one.days ?? 3) * 86_400_000;
      const made = await unit.create('chk_task_instance', {
        origin: 'adhoc',
        origin_type: rule.record_type,
        origin_id: record.id,
        origin_name: called,
        title: text,
        assignee_id: one.person_id,
        criticality: 'medium',
        opens_at: unit.now.toISOString(),
        due_on: new Date(day).toISOString().slice(0, 10),
      });
      done.push(`Task ${String(made.task_no)} made`);
    } else if (one.action === 'raise_ticket') {
      const made = await unit.create('ticket', {
        service_id: one.service_id,
        subject: text,
        description: `${called}: made by the rule "${rule.name}".`,
        branch_id: (record.branch_id as number | null) ?? unit.session.branchIds[0] ?? null,
      });
      done.push(`Ticket ${String(made.ticket_no ?? made.id)} raised`);
    } else if (one.action === 'send_mail') {
      await unit.post({
        address: one.mail!,
        subject: rule.name,
        text: `${text}\n\n${called}`,
        prints: [],
        purpose: 'notification',
      });
      done.push(`Mail to ${one.mail}`);
    } else if (one.action === 'notify') {
      const users = await unit.query<{ id: number }>(
        "select id from {users} where employee_id = $1 and active and status <> 'disabled'",
        [one.person_id],
      );
      await unit.notify({
        event: 'workflow.rule',
        to: users.map(({ id }) => id),
        entityId: unit.session.entityId,
        record: { type: rule.record_type, id: record.id },
        values: { record: called, rule: rule.name, text },
      });
      done.push('Somebody was notified');
    } else {
      await unit.update(rule.record_type, record.id, { [one.set_name!]: plain(one.set_value, record) });
      done.push(`${one.set_name} was set`);
    }
  }
  return done.join('; ').slice(0, 250);
}
