import type { CasePlan, PlannedStep } from '../../../domain/act_cases/case_plan.ts';
import { casePlan } from '../../../domain/act_cases/case_plan.ts';
import { lateDays } from '../../../domain/act_filings/late_cost.ts';
import type { WireRecord } from '../../../descriptor/types.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { holdsFor } from './record_condition.ts';
import { worksOn } from '../../access/people/working_calendar.ts';

const TASK = 'chk_task_instance';

/** A step of a running case, as it is stored. */
export interface CaseStep {
  id: number;
  code: string;
  title: string;
  stage: string | null;
  after: string[] | null;
  offset_days: number | null;
  /** Its pause after some of the steps that it waits for, by their codes. */
  pauses: Record<string, number>;
  days: number;
  mandatory: boolean | null;
  planned_to: string | null;
  from_on: string | null;
  to_on: string | null;
  done_on: string | null;
  state: 'waiting' | 'open' | 'done' | 'not_applicable' | 'dropped';
  task_id: number | null;
}

export const hasEnded = ({ state }: Pick<CaseStep, 'state'>): boolean =>
  ['done', 'not_applicable', 'dropped'].includes(state);

/** The steps of a case in their order. */
export function stepsOf(unit: Unit, caseId: number): Promise<CaseStep[]> {
  return unit.query<CaseStep>(
    `select id, code, title, stage, after, offset_days, days, mandatory, planned_to::text, from_on::text, to_on::text, done_on::text, state, task_id,
       coalesce((select json_object_agg(p.after, p.days) from {case_step.pauses} p where p.parent_id = s.id), '{}') as pauses
     from {case_step} s where case_id = $1 order by id`,
    [caseId],
  );
}

/** Changes fields of a step, as part of its case. */
export async function setStep(
  unit: Unit,
  caseId: number,
  stepId: number,
  values: Record<string, unknown>,
): Promise<void> {
  await unit.update('act_case', caseId, { steps: { set: { [stepId]: values } } });
}

/** Whether a day counts for a case: by the working days of its branch, or every day. */
export async function countedDays(unit: Unit, record: WireRecord): Promise<(day: string) => boolean> {
  const [type] = await unit.query<{ duration_basis: string | null }>(
    'select duration_basis from {case_type} where id = $1',
    [record.case_type_id],
  );
  if (type?.duration_basis === 'calendar') return () => true;
  const year = Number(String(record.start_on).slice(0, 4));
  return worksOn(
    unit.session.tenant,
    { entityId: unit.session.entityId!, branchId: (record.branch_id as number | null) ?? null },
    `${year - 1}-12-01`,
    `${year + 2}-12-31`,
  );
}

/** The current plan of a case: steps that have ended or begun keep their days. */
export const planOf = (steps: readonly CaseStep[], start: string, works: (day: string) => boolean): CasePlan =>
  casePlan(
    steps.map((step): PlannedStep => ({
      code: step.code,
      after: step.after ?? [],
      offset: step.offset_days ?? 0,
      pauses: step.pauses,
      days: step.days,
      done_on: step.state === 'done' ? step.done_on : null,
      dropped: step.state === 'dropped' || step.state === 'not_applicable',
      fixed: step.state === 'open' && step.from_on && step.to_on ? { from_on: step.from_on, to_on: step.to_on } : null,
    })),
    start,
    works,
  );

interface Stage {
  id: number;
  code: string;
  by: string | null;
  entry_condition: string | null;
}

/** The record that a case is about; nothing if it is about none. */
export async function subjectOf(unit: Unit, record: WireRecord): Promise<Readonly<Record<string, unknown>>> {
  return typeof record.subject_type === 'string' && typeof record.subject_id === 'number'
    ? unit.read(record.subject_type, record.subject_id)
    : {};
}

/** Steps whose predecessors have all ended. */
function ready(steps: readonly CaseStep[]): CaseStep[] {
  const waited = new Map(steps.map((step) => [step.code, hasEnded(step)]));
  return steps.filter(
    ({ state, after }) => state === 'waiting' && (after ?? []).every((code) => waited.get(code) ?? true),
  );
}

/**
 * Leaves out the steps of the stages that the case reaches now although their condition is false for its record. Reaching
 * one may end the wait for the next, so that it goes on until nothing changes.
 */
async function passStages(unit: Unit, record: WireRecord, stages: readonly Stage[]): Promise<CaseStep[]> {
  const conditional = stages.filter(({ entry_condition: condition }) => (condition ?? '').trim() !== '');
  let subject: Readonly<Record<string, unknown>> | undefined;
  for (;;) {
    const steps = await stepsOf(unit, record.id);
    const reached = ready(steps);
    const begun = (code: string) =>
      steps.some(({ stage, state }) => stage === code && ['open', 'done'].includes(state));
    let passed = false;
    for (const { code, entry_condition: condition } of conditional) {
      if (begun(code) || !reached.some(({ stage }) => stage === code)) continue;
      subject ??= await subjectOf(unit, record);
      if (holdsFor(condition, subject)) continue;
      for (const step of steps.filter((one) => one.stage === code && !hasEnded(one))) {
        await setStep(unit, record.id, step.id, { state: 'dropped' });
        if (step.task_id !== null)
          await unit.takeAuto(TASK, step.task_id, 'withdraw', { na_reason: 'The case does not enter this stage.' });
      }
      passed = true;
    }
    if (!passed) return steps;
  }
}

/** Opens the tasks of steps whose predecessors are done, moves the steps after them, and updates the case's progress. */
export async function goOn(unit: Unit, caseId: number): Promise<void> {
  const record = await unit.read('act_case', caseId, { lock: true });
  const works = await countedDays(unit, record);
  const stages = await unit.query<Stage>(
    `select id, code, entry_condition, ($2::date + coalesce(sla_days, 0)::int)::text as by from {case_stage} where case_type_id = $1 order by id`,
    [record.case_type_id, record.start_on],
  );
  let steps = await passStages(unit, record, stages);
  const { dates, end_on: end, critical } = planOf(steps, String(record.start_on), works);
  const opening = new Set(ready(steps));
  for (const step of steps) {
    const at = dates.get(step.code);
    if (hasEnded(step) || !at) continue;
    const opens = opening.has(step);
    await setStep(unit, caseId, step.id, {
      ...at,
      critical: critical.includes(step.code),
      ...(opens && { state: 'open' }),
    });
    if (step.task_id !== null && (opens || step.to_on !== at.to_on))
      await unit.update(TASK, step.task_id, {
        due_on: at.to_on,
        ...(opens && { opens_at: unit.now.toISOString() }),
      });
    if (step.task_id !== null && opens) await unit.takeAuto(TASK, step.task_id, 'open');
  }
  steps = await stepsOf(unit, caseId);
  const counted = steps.filter(({ state }) => state !== 'dropped');
  const done = counted.filter(hasEnded).length;
  const isOpen = (code: string) =>
    counted.some((step) => step.stage === code && step.mandatory !== false && !hasEnded(step));
  const stage = stages.find(({ code }) => isOpen(code)) ?? stages.at(-1);
  await unit.update('act_case', caseId, {
    expected_end: end,
    planned_end: record.planned_end ?? end,
    days_behind: lateDays(String(record.planned_end ?? end), end),
    progress: counted.length === 0 ? '0' : ((100 * done) / counted.length).toFixed(2),
    ...(stage && { stage_id: stage.id, stage_by: stage.by }),
  });
}

/** Why a case may not be closed yet, by the rule of its type; null = it may. */
export async function keepsOpen(unit: Unit, record: WireRecord): Promise<string | null> {
  const [type] = await unit.query<{ close_rule: string | null; last: string | null }>(
    `select t.close_rule, (select s.code from {case_stage} s where s.case_type_id = t.id order by s.id desc limit 1) as last from {case_type} t where t.id = $1`,
    [record.case_type_id],
  );
  if (type?.close_rule === 'manual') return null;
  const open = (await stepsOf(unit, record.id)).filter(
    (step) =>
      !hasEnded(step) &&
      step.mandatory !== false &&
      (type?.close_rule !== 'last_stage' || type.last === null || step.stage === type.last),
  );
  return open.length === 0
    ? null
    : `${open.length} ${open.length === 1 ? 'task is' : 'tasks are'} open: ${open.map(({ title }) => title).join(', ')}.`;
}
