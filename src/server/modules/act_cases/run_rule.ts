import { ExpressionSyntaxError } from '../../../descriptor/expression/compile_expression.ts';
import type { WireRecord } from '../../../descriptor/types.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { answersOf, asAnswers } from '../../engine/questionnaire/answer_rows.ts';
import { dayOfRecord } from '../../engine/records/day_of_record.ts';
import { holdsFor, storedValue } from './record_condition.ts';

/** What a rule does, in order. */
export interface RuleAction {
  action:
    | 'start_case'
    | 'start_checklist'
    | 'create_task'
    | 'raise_ticket'
    | 'start_survey'
    | 'notify'
    | 'send_mail'
    | 'set_field'
    | 'call_webhook';
  case_type_id: number | null;
  service_id: number | null;
  mstr_chk_id: number | null;
  ask_survey_id: number | null;
  webhook_id: number | null;
  person_id: number | null;
  mail: string | null;
  /** Field of the record with the address. */
  mail_name: string | null;
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
    | 'form_submitted'
    | 'ticket_breached'
    | 'survey_answered'
    | 'webhook';
  /** The form whose answers it is about; null = any. */
  survey_id: number | null;
  /** The QR place whose tickets it is about; null = any. */
  desk_point_id: number | null;
  field: string | null;
  transition: string | null;
  condition: string | null;
  run_as: 'actor' | 'author';
  once_per_record: boolean | null;
  max_runs_per_hour: number | null;
  author_id: number | null;
  actions: RuleAction[];
}

/** The rules in use of the company for a type of records; none before anybody has opened the rules. */
export async function rulesFor(unit: Unit, type: string): Promise<WorkflowRule[]> {
  const [known] = await unit.query<{ there: boolean }>(`select to_regclass('{workflow_rule}') is not null as there`);
  if (!known!.there) return [];
  return unit.query<WorkflowRule>(
    `select r.id, r.name, r.record_type, r.event, r.survey_id, r.desk_point_id, r.field, r.transition, r.condition, r.run_as, r.once_per_record, r.max_runs_per_hour,
       coalesce(r.updated_by, r.created_by) as author_id,
       (select coalesce(jsonb_agg(to_jsonb(a) order by a.id), '[]') from {workflow_rule.actions} a where a.parent_id = r.id) as actions
     from {workflow_rule} r where r.active and r.entity_id = $1 and r.record_type = $2 order by r.id`,
    [unit.session.entityId, type],
  );
}

/** Steps that the product takes instead of people: rules for the one follow the other. */
const ALSO: Readonly<Record<string, string>> = { close_itself: 'close' };

/**
 * Whether a rule matches an event: `what` is created, changed or the name of a transition, `fields` the changed fields.
 */
export const listens = (rule: WorkflowRule, what: string, fields: readonly string[]): boolean =>
  (rule.event === 'created' && what === 'created') ||
  (rule.event === 'updated' && what === 'changed') ||
  (rule.event === 'field_changed' && what === 'changed' && fields.includes(rule.field ?? '')) ||
  (rule.event === 'transition' && (ALSO[what] ?? what) === rule.transition) ||
  (rule.event === 'ticket_breached' && what.endsWith('_breach')) ||
  (rule.event === 'survey_answered' && what === 'hand_in') ||
  (rule.event === 'form_submitted' && what === (rule.record_type === 'ticket' ? 'created' : 'hand_in'));

/** How records arrive that were submitted by a public form: a questionnaire behind a link, or a QR code. */
const PUBLIC_CHANNELS: readonly unknown[] = ['link', 'qr'];

/** Whether a record is of the form that the rule names, and came through it. */
const isOfForm = (rule: WorkflowRule, record: WireRecord): boolean =>
  (rule.event !== 'form_submitted' || PUBLIC_CHANNELS.includes(record.channel)) &&
  (rule.survey_id === null || record.survey_id === rule.survey_id) &&
  (rule.desk_point_id === null || record.desk_point_id === rule.desk_point_id);

/** The record of a rule, with the answers to its questionnaire by their codes: `answers.quality`. */
export async function recordOfRule(unit: Unit, type: string, id: number): Promise<WireRecord> {
  const record = await unit.read(type, id);
  if (typeof record.answers !== 'number') return record;
  const answers = asAnswers(await answersOf(unit.session.tenant, { type, id, field: 'answers' }));
  return {
    ...record,
    ...Object.fromEntries(Object.entries(answers).map(([code, { value }]) => [`answers.${code}`, value])),
  };
}

/** Whether a record is of the form that a rule names, and its condition is true; an invalid one is not. */
export function meets(rule: WorkflowRule, record: WireRecord): boolean {
  try {
    return isOfForm(rule, record) && holdsFor(rule.condition, record);
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
    } else if (action === 'create_task') {
      unit.authorize('chk_task_instance', 'add_screen');
      if (unit.session.rights.refuseAction('CREATE_CHK') !== null)
        unit.refuse([
          { field: '', message: 'The author of the rule needs the action CREATE_CHK to give tasks to others.' },
        ]);
    } else if (action === 'start_checklist') unit.authorize('chk_instance', 'add_screen');
    else if (action === 'raise_ticket') unit.authorize('ticket', 'add_screen');
    else if (action === 'start_survey') unit.authorize('survey', 'view_screen');
    else if (action === 'call_webhook') unit.authorize('api_config', 'view_screen');
    else if (action === 'set_field') unit.authorize(rule.record_type, 'edit_screen');
  }
}

const words = (text: string | null, record: WireRecord) =>
  (text ?? '')
    .replace(/\{([\w.]+)\}/g, (_all, name: string) => String(record[`${name}__label`] ?? record[name] ?? '–'))
    .slice(0, 150);

const dayAfter = (unit: Unit, record: WireRecord, days: number): string =>
  new Date(Date.parse(`${dayOfRecord(unit, record)}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** The mail address of an action: that of the named field of the record, otherwise the written one. @throws AppError */
function addressOf(unit: Unit, { mail, mail_name: field }: RuleAction, record: WireRecord): string {
  const found = field === null ? null : record[field];
  const address = typeof found === 'string' && found !== '' ? found : mail;
  return address ?? unit.refuse([{ field: '', message: `The record has no mail address in "${field ?? ''}".` }]);
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
      const made = await unit.create('chk_task_instance', {
        origin: 'adhoc',
        origin_type: rule.record_type,
        origin_id: record.id,
        origin_name: called,
        title: text,
        assignee_id: one.person_id,
        criticality: 'medium',
        opens_at: unit.now.toISOString(),
        due_on: dayAfter(unit, record, one.days ?? 3),
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
    } else if (one.action === 'start_checklist') {
      const made = await unit.create('chk_instance', {
        mstr_chk_id: one.mstr_chk_id,
        due_on: dayAfter(unit, record, one.days ?? 3),
        branch_id: record.branch_id ?? null,
        department_id: record.department_id ?? null,
        employee_id: rule.record_type === 'employee' ? record.id : null,
      });
      done.push(`Checklist ${String(made.instance_no)} started`);
    } else if (one.action === 'start_survey') {
      const address = addressOf(unit, one, record);
      const link = await unit.publicLink('survey_answer', one.ask_survey_id!, 'survey');
      await unit.post({
        address,
        subject: rule.name,
        text: `${text}\n\n${link}`,
        prints: [],
        link,
        purpose: 'notification',
      });
      done.push(`Survey sent to ${address}`);
    } else if (one.action === 'call_webhook') {
      await unit.callWebhook(one.webhook_id!, { type: rule.record_type, id: record.id }, { rule: rule.name, text });
      done.push('A webhook was called');
    } else if (one.action === 'send_mail') {
      const address = addressOf(unit, one, record);
      await unit.post({
        address,
        subject: rule.name,
        text: `${text}\n\n${called}`,
        prints: [],
        purpose: 'notification',
      });
      done.push(`Mail to ${address}`);
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
      await unit.update(rule.record_type, record.id, { [one.set_name!]: storedValue(one.set_value, record) });
      done.push(`${one.set_name} was set`);
    }
  }
  return done.join('; ').slice(0, 250);
}
