import type { Subscriber } from '../../../engine/modules.ts';
import { listens, rulesFor } from '../run_rule.ts';
import { runRule } from '../run_logged.ts';

/** Runs the rules that subscribe to events of a record. Chains of rules end at the fifth event of one cause. */
export const runRules: Subscriber = {
  async run({ event, unit }) {
    if (event.of === null) return;
    const { type } = event.of;
    const what = event.name.split('.')[1]!;
    const fields = Array.isArray(event.payload.fields) ? (event.payload.fields as string[]) : [];
    const rules = (await rulesFor(unit, type)).filter((rule) => listens(rule, what, fields));
    if (rules.length === 0) return;
    const [cause] = await unit.query<{ link: number }>('select link from {domain_event} where id = $1', [event.id]);
    for (const rule of rules) await runRule(unit, rule, event.of, { by: event.by, depth: cause?.link ?? 1 });
  },
};
