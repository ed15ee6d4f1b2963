import type { Subscriber } from '../../../engine/modules.ts';
import { goOn, keepsOpen, setStep } from '../case_rows.ts';

/**
 * When the task of a step has ended: opens the following steps, updates dates, and closes the case when nothing is left
 * to do.
 */
export const stepEnded: Subscriber = {
  async run({ event, unit }) {
    if (event.of === null || event.payload.origin !== 'case') return;
    const [step] = await unit.query<{ id: number; case_id: number; state: string; status: string }>(
      'select s.id, s.case_id, s.state, c.status from {case_step} s join {act_case} c on c.id = s.case_id where s.task_id = $1',
      [event.of.id],
    );
    if (!step || !['running', 'on_hold'].includes(step.status)) return;
    const done = ['on_time', 'late'].includes(String(event.payload.outcome));
    if (step.state !== 'dropped')
      await setStep(unit, step.case_id, step.id, {
        state: done ? 'done' : 'not_applicable',
        ...(done && { done_on: event.payload.done_on ?? event.at.slice(0, 10) }),
      });
    if (step.status === 'on_hold') return;
    await goOn(unit, step.case_id);
    const record = await unit.read('act_case', step.case_id);
    const [type] = await unit.query<{ close_rule: string | null }>('select close_rule from {case_type} where id = $1', [
      record.case_type_id,
    ]);
    if (type?.close_rule !== 'manual' && (await keepsOpen(unit, record)) === null)
      await unit.takeAuto('act_case', step.case_id, 'close_itself');
  },
};
