import type { Effect } from '../../../engine/modules.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';
import { annexesOf } from '../annexes.ts';
import { linesOf } from '../contract_lines.ts';
import { policyRules } from '../policies.ts';

const FROZEN = ['COVERAGE', 'RENEWAL', 'CANCELLATION', 'SERVICE', 'COLLECTION'];

/** On approval, copies the applicable policies, the wording of the clauses and the annexures into the contract. */
export const freeze: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const day = dayOfRecord(unit, record);
    const policies = await (
      await policyRules(unit, FROZEN, String(record.start_on))
    )({
      customer_id: Number(record.customer_id),
      amc_type_id: (record.amc_type_id ?? linesOf(record)[0]?.amc_type_id ?? null) as number | null,
      branch_id: Number(record.branch_id),
    });
    const types = linesOf(record).map(({ amc_type_id: id }) => id);
    const terms = await unit.query<{ terms_id: number; text: string }>(
      `select t.id as terms_id, t.text from {terms_and_conditions} t join {terms_group} g on g.id = t.terms_group_id
       where t.active and t.entity_id = $1 and 'contract' = any(case when cardinality(t.used_on) > 0 then t.used_on else g.used_on end)
         and (t.is_default or t.mandatory) and t.language = 'en' and t.valid_from <= $2::date and coalesce(t.valid_to, 'infinity') >= $2::date
         and (cardinality(coalesce(t.amc_type_ids, '{}')) = 0 or t.amc_type_ids && $3::bigint[])
       order by t.sequence_no, t.id`,
      [unit.session.entityId, day, types],
    );
    await unit.elevated().update('contract', record.id, {
      policy_snapshot: Object.fromEntries(policies),
      terms: terms.map(({ terms_id, text }) => ({ terms_id, text: text.replace(/<[^>]+>/g, ' ').trim() })),
      ...(await annexesOf(unit, record, types)),
    });
  },
};
