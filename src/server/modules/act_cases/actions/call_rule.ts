import type { Action } from '../../../engine/modules.ts';
import { rulesFor } from '../run_rule.ts';

/** What `act_cases.rule_called` carries. */
export const RULE_CALLED = {
  type: 'object',
  required: ['rule'],
  properties: { rule: { type: 'integer' } },
};

/**
 * Another program, or a person, names a record to a rule that waits for that. The record must be in their sight; the
 * rule runs as any other: by its author's rights, its condition and its limits, with a line in the log.
 */
export const callRule: Action = {
  async run({ unit, record, input }) {
    const rule = (await rulesFor(unit, String(record!.record_type))).find((one) => one.id === record!.id);
    if (rule?.event !== 'webhook')
      return unit.refuse([{ field: '', message: 'This rule is not in use, or waits for something else.' }]);
    const subject = await unit.read(rule.record_type, Number(input.on_record));
    unit.emit('act_cases.rule_called', { rule: rule.id }, { type: rule.record_type, id: subject.id });
    return { done: 'The rule has been called. Its log says what it did.' };
  },
};
