import { linearPattern } from '../../../domain/linear_pattern.ts';
import type { FieldError } from '../../../descriptor/types.ts';
import { quoted } from '../../db/names.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

interface Kind {
  id: number;
  name: string;
  pattern: string | null;
  once: boolean;
}

const numbersOf = (record: Record<string, unknown> | null) =>
  (record?.ref_nos ?? []) as { refno_type_id: number; number: string }[];
const keyOf = ({ refno_type_id: kind, number }: { refno_type_id: number; number: string }) => `${kind} ${number}`;

/** Contracts: the customer's reference numbers have the form of their kind, and are not used twice where it says so. */
export default defineHooks({
  async check({ tenant, entityId }, record, stored) {
    const known = new Set(numbersOf(stored).map(keyOf));
    const numbers = numbersOf(record);
    if (numbers.every((one) => known.has(keyOf(one)))) return [];
    const s = quoted(tenant.schema);
    const kinds = await tenant.db.query<Kind>(
      `select id, name, pattern, coalesce(unique_per_customer, false) as once from ${s}.refno_type_mstr where id = any($1::bigint[])`,
      [numbers.map(({ refno_type_id: id }) => id)],
    );
    const errors: FieldError[] = [];
    for (const [at, one] of numbers.entries()) {
      const kind = kinds.find(({ id }) => id === one.refno_type_id);
      if (!kind || known.has(keyOf(one))) continue;
      const field = `ref_nos.${at}.number`;
      if (kind.pattern && !linearPattern(kind.pattern).test(one.number))
        errors.push({ field, message: `"${one.number}" is not a valid number for ${kind.name}. Please check it.` });
      if (!kind.once) continue;
      const [other] = await tenant.db.query<{ no: string | null }>(
        `select c.contract_no as no from ${s}.contract__ref_nos r join ${s}.contract c on c.id = r.parent_id
         where c.active and c.entity_id = $1 and c.customer_id = $2 and c.id is distinct from $3 and r.refno_type_id = $4 and r.number = $5 limit 1`,
        [entityId, record.customer_id, stored?.id ?? null, one.refno_type_id, one.number],
      );
      if (other)
        errors.push({
          field,
          message: `${kind.name} ${one.number} is already on ${other.no === null ? 'a draft contract' : `contract ${other.no}`}.`,
        });
    }
    return errors;
  },
});
