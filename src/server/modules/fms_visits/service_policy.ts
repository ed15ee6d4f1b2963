import { chosenPolicy } from '../../../domain/fms/policy_choice.ts';
import type { PolicyRule } from '../../../domain/fms/policy_choice.ts';
import type { Unit } from '../../engine/records/unit.ts';

/** The `SERVICE` policy in days: how far ahead visits are released, and when they are overdue and missed. */
export interface ServiceRule {
  release_days: number;
  overdue_after: number;
  missed_after_days: number;
}

/** Defaults without a policy. */
const USUAL: ServiceRule = { release_days: 1, overdue_after: 0, missed_after_days: 0 };

/** The applicable policy on a day for visits to a building of this type and branch. */
export type ServiceRules = (place: { building_type_id: number | null; branch_id: number | null }) => ServiceRule;

/** Reads the company's policies of visits once, for many visits. @param day YYYY-MM-DD */
export async function serviceRules(unit: Unit, day: string): Promise<ServiceRules> {
  const rows = await unit.query<Record<string, unknown>>(
    `select p.id, p.priority, p.valid_from::text, p.valid_to::text, p.parameters, p.building_type_id, p.branch_id
     from {policy_definition} p join {policy_type_mstr} t on t.id = p.policy_type_id
     where t.code = 'SERVICE' and p.active and p.entity_id = $1
       and p.customer_group_id is null and p.client_type_id is null and p.amc_type_id is null`,
    [unit.session.entityId],
  );
  const rules = rows.map((row): PolicyRule & { parameters: Partial<ServiceRule> } => ({
    id: Number(row.id),
    priority: Number(row.priority ?? 0),
    valid_from: String(row.valid_from),
    valid_to: row.valid_to === null ? null : String(row.valid_to),
    criteria: {
      building_type_id: row.building_type_id as number | null,
      branch_id: row.branch_id as number | null,
    },
    parameters: (row.parameters ?? {}) as Partial<ServiceRule>,
  }));
  const known = new Map<string, ServiceRule>();
  return ({ building_type_id: buildingType, branch_id: branch }) => {
    const key = `${buildingType} ${branch}`;
    let rule = known.get(key);
    if (!rule) {
      const facts = { building_type_id: buildingType, branch_id: branch };
      known.set(key, (rule = { ...USUAL, ...chosenPolicy(rules, day, facts)?.parameters }));
    }
    return rule;
  };
}

/** The maximum of a value over all visit policies, to limit what is read. */
export async function mostOf(unit: Unit, name: keyof ServiceRule): Promise<number> {
  const [row] = await unit.query<{ most: number | null }>(
    `select max((p.parameters ->> $2)::numeric)::int as most from {policy_definition} p join {policy_type_mstr} t on t.id = p.policy_type_id
     where t.code = 'SERVICE' and p.active and p.entity_id = $1`,
    [unit.session.entityId, name],
  );
  return Math.max(row?.most ?? 0, USUAL[name]);
}
