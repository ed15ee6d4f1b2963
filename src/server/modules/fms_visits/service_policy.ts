import type { Unit } from '../../engine/records/unit.ts';
import { applyingPolicy, policiesOf } from '../../platform/policies/policies.ts';

/** The `SERVICE` policy in days: how far ahead visits are released, and when they are overdue and missed. */
interface ServiceRule {
  release_days: number;
  overdue_after: number;
  missed_after_days: number;
}

/** Defaults without a policy. */
const USUAL: ServiceRule = { release_days: 1, overdue_after: 0, missed_after_days: 0 };

/** The applicable policy on a day for visits to a building of this type and branch. */
type ServiceRules = (place: { building_type_id: number | null; branch_id: number | null }) => ServiceRule;

/** Reads the company's policies of visits once, for many visits. @param day YYYY-MM-DD */
export async function serviceRules(unit: Unit, day: string): Promise<ServiceRules> {
  const policies = await policiesOf(unit, unit.session.entityId, ['SERVICE']);
  return ({ building_type_id, branch_id }) => ({
    ...USUAL,
    ...applyingPolicy<ServiceRule>(policies, day, { building_type_id, branch_id }),
  });
}

/** How many days ahead visits are released at most, by any policy, to limit what is read. */
export async function mostAhead(unit: Unit): Promise<number> {
  const policies = await policiesOf(unit, unit.session.entityId, ['SERVICE']);
  return Math.max(USUAL.release_days, ...policies.map(({ parameters }) => Number(parameters.release_days ?? 0)));
}
