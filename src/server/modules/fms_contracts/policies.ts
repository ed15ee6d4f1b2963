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

/** The company's policies of these types that apply on a day, by type (3.6 of the design of field service). */
export async function policiesOf(
  unit: Unit,
  types: readonly string[],
  day: string,
  facts: PolicyFacts,
): Promise<Map<string, { code: string; parameters: Row }>> {
  const rows = await unit.query<Row & { id: number; type: string; code: string; parameters: Row | null }>(
    `select t.code as type, p.id, p.code, p.priority, p.valid_from::text, p.valid_to::text, p.parameters, p.customer_group_id, p.client_type_id,
       p.amc_type_id, p.building_type_id, p.branch_id
     from {policy_definition} p join {policy_type_mstr} t on t.id = p.policy_type_id
     where t.code = any($1::text[]) and p.active and p.entity_id = $2`,
    [types, unit.session.entityId],
  );
  const [customer] = await unit.query<{ customer_group_id: number | null; client_type_id: number | null }>(
    'select customer_group_id, client_type_id from {customer_dtl} where id = $1',
    [facts.customer_id ?? null],
  );
  const known = {
    customer_group_id: customer?.customer_group_id ?? null,
    client_type_id: customer?.client_type_id ?? null,
    amc_type_id: facts.amc_type_id ?? null,
    building_type_id: null,
    branch_id: facts.branch_id ?? null,
  };
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
  return new Map(
    types.flatMap((type) => {
      const policy = chosenPolicy(
        rules.filter((one) => one.type === type),
        day,
        known,
      );
      return policy ? [[type, { code: policy.code, parameters: policy.parameters }] as const] : [];
    }),
  );
}
