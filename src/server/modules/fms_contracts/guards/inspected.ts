import { inspectionDue } from '../../../../domain/fms/renewal_rule.ts';
import { existingTables } from '../../../db/existing_tables.ts';
import type { Guard } from '../../../engine/modules.ts';
import { linesOf } from '../contract_lines.ts';
import { policyOf } from '../policies.ts';

const indian = (day: string) => day.split('-').toReversed().join('-');

/**
 * A lift whose cover ended longer ago than the RENEWAL policy allows, or whose renewal type requires it, must be
 * inspected before a contract covers it again. The policy approved with the contract applies, otherwise that of its
 * first day.
 */
export const inspected: Guard = {
  async check({ unit, record }) {
    const start = String(record.start_on);
    const lines = linesOf(record).filter(({ line_status: status }) => status === 'draft');
    if (lines.length === 0) return [];
    const ended = await unit.query<{ lift_id: number; lift_no: string; ended: string; number: string }>(
      `select distinct on (l.lift_id) l.lift_id, f.lift_no, coalesce(l.closes_on, l.to_on)::text as ended, c.contract_no as number
       from {contract_line} l join {contract} c on c.id = l.contract_id join {lift} f on f.id = l.lift_id
       where l.lift_id = any($1::bigint[]) and l.active and l.contract_id <> $2 and l.line_status in ('active', 'closed', 'cancelled')
         and coalesce(l.closes_on, l.to_on) < $3::date
       order by l.lift_id, coalesce(l.closes_on, l.to_on) desc`,
      [lines.map(({ lift_id: id }) => id), record.id, start],
    );
    if (ended.length === 0) return [];
    const [type] = await unit.query<{ needed: boolean | null }>(
      'select inspection_needed as needed from {renewal_type_mstr} where id = $1',
      [record.renewal_type_id ?? null],
    );
    const facts = { customer_id: Number(record.customer_id), branch_id: Number(record.branch_id) };
    const frozen = (record.policy_snapshot as Record<string, { parameters?: Record<string, unknown> }> | null)?.RENEWAL;
    const policy = frozen ?? (await policyOf(unit, 'RENEWAL', start, facts));
    const days = policy?.parameters?.gap_inspection_days;
    const due = ended.filter(
      (one) => type?.needed === true || inspectionDue(one.ended, start, typeof days === 'number' ? days : null),
    );
    if (due.length === 0) return [];
    const { db, schema } = unit.session.tenant;
    const done = (await existingTables(db, schema)).has('tis_inspection')
      ? await unit.query<{ lift_id: number; on: string }>(
          `select i.lift_id, max(i.submitted_at)::date::text as "on" from {tis_inspection} i
           where i.active and i.lift_id = any($1::bigint[]) and i.status in ('reviewed', 'issued') group by i.lift_id`,
          [due.map(({ lift_id: id }) => id)],
        )
      : [];
    const inspectedOn = new Map(done.map((one) => [one.lift_id, one.on]));
    return due
      .filter((one) => (inspectedOn.get(one.lift_id) ?? '') <= one.ended)
      .map((one) => ({
        field: `lines.${linesOf(record).findIndex(({ lift_id: id }) => id === one.lift_id)}.lift_id`,
        message: `${one.lift_no} was covered until ${indian(one.ended)} (${one.number}) and has not been inspected since. Plan an inspection first, and have it reviewed.`,
      }));
  },
};
