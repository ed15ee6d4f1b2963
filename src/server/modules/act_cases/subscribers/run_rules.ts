import type { Subscriber } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import type { WorkflowRule } from '../run_rule.ts';
import { authorize, listens, meets, rulesFor, runActions } from '../run_rule.ts';

type Result = 'done' | 'refused' | 'limit';

/** Why a rule does not run now: it has for this record, or its hour is used up; null = it runs. */
async function restrained(unit: Unit, rule: WorkflowRule, recordId: number): Promise<'once' | 'limit' | null> {
  const [found] = await unit.query<{ before: boolean; hour: number; told: boolean }>(
    `select coalesce(bool_or(record_id = $2 and result = 'done'), false) as before,
       (count(*) filter (where result = 'done' and started_at > $3::timestamptz - interval '1 hour'))::int as hour,
       coalesce(bool_or(result = 'limit' and started_at > $3::timestamptz - interval '1 hour'), false) as told
     from {workflow_run} where rule_id = $1`,
    [rule.id, recordId, unit.now.toISOString()],
  );
  if (rule.once_per_record !== false && found!.before) return 'once';
  if (found!.hour < (rule.max_runs_per_hour ?? 200)) return null;
  return found!.told ? 'once' : 'limit';
}

/**
 * Runs the rules that listen to what happened to a record. Each has the rights of whoever saved it last, or, if it says so, of
 * whoever did it and no more than those of the former; what is refused leaves nothing behind but its line in the log. Chains
 * of rules end where the events of one cause do, at the fifth.
 */
export const runRules: Subscriber = {
  async run({ event, unit }) {
    if (event.of === null) return;
    const { type, id } = event.of;
    const what = event.name.split('.')[1]!;
    const fields = Array.isArray(event.payload.fields) ? (event.payload.fields as string[]) : [];
    const rules = (await rulesFor(unit, type)).filter((rule) => listens(rule, what, fields));
    if (rules.length === 0) return;
    const [cause] = await unit.query<{ link: number }>('select link from {domain_event} where id = $1', [event.id]);
    for (const rule of rules) {
      let message = '';
      let result: Result = 'done';
      let name = '';
      let met = true;
      const held = await restrained(unit, rule, id);
      if (held === 'once') continue;
      if (held === 'limit') {
        result = 'limit';
        message = `It ran ${rule.max_runs_per_hour ?? 200} times within an hour.`;
      } else {
        const refused = await unit.attempt(async () => {
          const record = await unit.read(type, id);
          name = String(record.title ?? record.name ?? record.filing_no ?? id).slice(0, 120);
          met = meets(rule, record);
          if (!met) return;
          const author = rule.author_id === null ? null : await unit.as(rule.author_id);
          const doer = rule.run_as === 'actor' && event.by !== null ? await unit.as(event.by) : author;
          if (!author || !doer)
            return unit.refuse([{ field: '', message: 'Its author, or whoever did it, may not sign in any more.' }]);
          await authorize(author, rule, id);
          if (doer !== author) await authorize(doer, rule, id);
          message = await runActions(doer, rule, record, name);
        });
        if (!met) continue;
        if (refused) {
          result = 'refused';
          message = refused.message;
        }
      }
      await unit.create('workflow_run', {
        rule_id: rule.id,
        record_type: type,
        record_id: id,
        record_name: name,
        started_at: unit.now.toISOString(),
        result,
        message: message.slice(0, 250),
        depth: cause?.link ?? 1,
      });
    }
  },
};
