import { chosenPolicy } from '../../../domain/fms/policy_choice.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { factsOfCustomer, policiesOf } from '../../platform/policies/policies.ts';
import type { Policy, PolicyFacts } from '../../platform/policies/policies.ts';

/** The applying policies by type, for one contract, line or customer. */
export type PoliciesFor = (
  facts: Pick<PolicyFacts, 'customer_id' | 'amc_type_id' | 'branch_id'>,
) => Promise<Map<string, Pick<Policy, 'code' | 'parameters'>>>;

/**
 * Reads the company's policies of these types once, for many contracts, lines or customers (3.6 of the design of field
 * service). @param day YYYY-MM-DD
 */
export async function policyRules(unit: Unit, types: readonly string[], day: string): Promise<PoliciesFor> {
  const policies = await policiesOf(unit, unit.session.entityId, types);
  return async ({ customer_id: customer, amc_type_id: type = null, branch_id: branch = null }) => {
    if (policies.length === 0) return new Map();
    const facts = { ...(await factsOfCustomer(unit, customer)), amc_type_id: type, branch_id: branch };
    return new Map(
      types.flatMap((name) => {
        const policy = chosenPolicy(
          policies.filter((one) => one.type === name),
          day,
          facts,
        );
        return policy ? [[name, { code: policy.code, parameters: policy.parameters }] as const] : [];
      }),
    );
  };
}

/** The policy of a type that applies to a contract or customer on a day; null = none. */
export async function policyOf(
  unit: Unit,
  type: string,
  day: string,
  facts: Parameters<PoliciesFor>[0],
): Promise<Pick<Policy, 'code' | 'parameters'> | null> {
  return (await (await policyRules(unit, [type], day))(facts)).get(type) ?? null;
}
