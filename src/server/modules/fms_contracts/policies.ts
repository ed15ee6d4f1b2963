import { chosenPolicy } from '../../../domain/fms/policy_choice.ts';
import type { PolicyRule } from '../../../domain/fms/policy_choice.ts';
import type { Unit } from '../../engine/records/unit.ts';

type Row = Record<string, unknown>;

/** The data that decides which policy applies. */
export interface PolicyFacts {
  customer_id?: number | null;
  amc_type_id?: number | null;
  branch_id?: number | null;
}

interface Rule extends PolicyRule {
  type: string;
  code: string;
  parameters: Row;
}

/** A policy that applies. */
interface Applying {
  code: string;
  parameters: Row;
}

/** The applying policies by type, for one contract, line or customer. */
export type PoliciesFor = (facts: PolicyFacts) => Promise<Map<string, Applying>>;

/**
 * Reads the company's policies of these types once, for many contracts, lines or customers (3.6 of the design of field
 * service). @param day YYYY-MM-DD
 */
export async function policyRules(unit: Unit, types: readonly string[], day: string): Promise<PoliciesFor> {
  const rows = await unit.query<Row & { id: number; type: string; code: string; parameters: Row | null }>(
    `select t.code as type, p.id, p.code, p.priority, p.valid_from::text, p.valid_to::text, p.parameters, p.customer_id, p.customer_group_id,
       p.client_type_id, p.amc_type_id, p.building_type_id, p.branch_id
     from {policy_definition} p join {policy_type_mstr} t on t.id = p.policy_type_id
     where t.code = any($1::text[]) and p.active and p.entity_id = $2`,
    [types, unit.session.entityId],
  );
  const rules = rows.map(
    ({ id, type, code, priority, valid_from: from, valid_to: to, parameters, ...criteria }): Rule => ({
      id,
      type,
      code,
      priority: Number(priority ?? 0),
      valid_from: String(from),
      valid_to: to === null ? null : String(to),
      parameters: parameters ?? {},
      criteria: criteria as Record<string, number | null>,
    }),
  );
  const customers = new Map<number, Record<string, number | null>>();
  const kindOf = async (id: number | null | undefined) => {
    if (id === null || id === undefined) return {};
    const known =
      customers.get(id) ??
      (
        await unit.query<Record<string, number | null>>(
          'select customer_group_id, client_type_id from {customer_dtl} where id = $1',
          [id],
        )
      )[0] ??
      {};
    customers.set(id, known);
    return known;
  };
  return async (facts) => {
    const known = { ...facts, ...(rules.length > 0 && (await kindOf(facts.customer_id))) };
    return new Map(
      types.flatMap((type) => {
        const policy = chosenPolicy(
          rules.filter((one) => one.type === type),
          day,
          known as Record<string, number | null>,
        );
        return policy ? [[type, { code: policy.code, parameters: policy.parameters }] as const] : [];
      }),
    );
  };
}

/** The company's policies of these types that apply on a day, by type. */
export async function policiesOf(
  unit: Unit,
  types: readonly string[],
  day: string,
  facts: PolicyFacts,
): Promise<Map<string, Applying>> {
  return (await policyRules(unit, types, day))(facts);
}
