import { AppError } from '../../../db/errors.ts';
import type { Action } from '../../../engine/modules.ts';
import { meets, recordOfRule, rulesFor, runActions } from '../run_rule.ts';

/**
 * Runs a rule on a record with the rights of the person trying it, reports what it would do, and rolls everything back.
 */
export const tryRule: Action = {
  async run({ unit, record, input }) {
    const id = Number(input.on_record);
    const rule = (await rulesFor(unit, String(record!.record_type))).find((one) => one.id === record!.id);
    if (!rule) return { done: 'The rule is not in use. Activate it first.' };
    const subject = await recordOfRule(unit, rule.record_type, id);
    if (!meets(rule, subject)) return { done: 'The condition does not hold for this record: nothing would happen.' };
    let message = '';
    const ended = await unit.attempt(async () => {
      message = await runActions(unit, rule, subject, String(subject.title ?? subject.name ?? id));
      throw new AppError(409, 'bad_state', 'A trial is taken back.');
    });
    return {
      done:
        message === ''
          ? `It would be refused: ${ended?.message ?? ''}`
          : `It would do this: ${message}. Nothing was stored.`,
    };
  },
};
