import type { Subscriber } from '../../../engine/modules.ts';
import { runRule } from '../run_logged.ts';
import { rulesFor } from '../run_rule.ts';

/** Runs the one rule that was called for a record. */
export const runCalled: Subscriber = {
  async run({ event, unit }) {
    if (event.of === null) return;
    const rule = (await rulesFor(unit, event.of.type)).find(({ id }) => id === event.payload.rule);
    if (rule) await runRule(unit, rule, event.of, { by: event.by, depth: 1 });
  },
};
