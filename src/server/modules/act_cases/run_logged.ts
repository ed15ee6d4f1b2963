import type { Unit } from '../../engine/records/unit.ts';
import type { WorkflowRule } from './run_rule.ts';
import { authorize, meets, recordOfRule, runActions } from './run_rule.ts';

type Result = 'done' | 'refused' | 'limit';

/** Why a rule does not run now: it already ran for this record, or its hourly limit is reached; null = it runs. */
async function restrained(unit: Unit, rule: WorkflowRule, recordId: number): Promise<'once' | 'limit' | null> {
  const [found] = await unit.query<{ before: boolean; hour: number; notified: boolean }>(
    `select coalesce(bool_or(record_id = $2 and result = 'done'), false) as before,
       (count(*) filter (where result = 'done' and started_at > $3::timestamptz - interval '1 hour'))::int as hour,
       coalesce(bool_or(result = 'limit' and started_at > $3::timestamptz - interval '1 hour'), false) as notified
     from {workflow_run} where rule_id = $1`,
    [rule.id, recordId, unit.now.toISOString()],
  );
  if (rule.once_per_record !== false && found!.before) return 'once';
  if (found!.hour < (rule.max_runs_per_hour ?? 200)) return null;
  return found!.notified ? 'once' : 'limit';
}

/**
 * Runs a rule for a record. It has the rights of the person who saved it last or, if configured, of the acting person,
 * limited to those of the former; a refusal leaves only a log entry.
 * @param by who caused the event; null = nobody, for a date
 */
export async function runRule(
  unit: Unit,
  rule: WorkflowRule,
  { type, id }: { type: string; id: number },
  { by, depth }: { by: number | null; depth: number },
): Promise<void> {
  let message = '';
  let result: Result = 'done';
  let name = '';
  let met = true;
  const held = await restrained(unit, rule, id);
  if (held === 'once') return;
  if (held === 'limit') {
    result = 'limit';
    message = `It ran ${rule.max_runs_per_hour ?? 200} times within an hour.`;
  } else {
    const refused = await unit.attempt(async () => {
      const record = await recordOfRule(unit, type, id);
      name = String(record.title ?? record.name ?? record.filing_no ?? record.ticket_no ?? id).slice(0, 120);
      met = meets(rule, record);
      if (!met) return;
      const author = rule.author_id === null ? null : await unit.as(rule.author_id);
      const doer = rule.run_as === 'actor' && by !== null ? await unit.as(by) : author;
      if (!author || !doer)
        return unit.refuse([
          { field: '', message: 'Its author, or the person who triggered it, may no longer sign in.' },
        ]);
      await authorize(author, rule, id);
      if (doer !== author) await authorize(doer, rule, id);
      message = await runActions(doer, rule, record, name);
    });
    if (!met) return;
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
    depth,
  });
}
