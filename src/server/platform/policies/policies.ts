import { chosenPolicy } from '../../../domain/fms/policy_choice.ts';
import type { PolicyRule } from '../../../domain/fms/policy_choice.ts';

type Row = Record<string, unknown>;

/** Anything that runs SQL statements, such as a unit of work. */
interface Asks {
  query<T = Row>(text: string, values?: unknown[]): Promise<T[]>;
  once?<T>(key: string, read: () => Promise<T>): Promise<T>;
}

/** The ids that decide which policy applies; without one, policies with that condition do not apply. */
export type PolicyFacts = Partial<
  Record<
    'branch_id' | 'customer_id' | 'customer_group_id' | 'client_type_id' | 'amc_type_id' | 'building_type_id',
    number | null
  >
>;

/** A business rule of a company. */
export interface Policy extends PolicyRule {
  type: string;
  code: string;
  parameters: Row;
}

/** The company's policies of these types; none if the client does not use policies yet. */
export function policiesOf(unit: Asks, company: number | null, types: readonly string[]): Promise<Policy[]> {
  const read = () => readPolicies(unit, company, types);
  return unit.once?.(`policies ${company} ${types.join(' ')}`, read) ?? read();
}

async function readPolicies(unit: Asks, company: number | null, types: readonly string[]): Promise<Policy[]> {
  const [known] = await unit.query<{ known: boolean }>(
    `select to_regclass('{policy_definition}') is not null and to_regclass('{policy_type_mstr}') is not null as known`,
  );
  if (known?.known !== true) return [];
  const rows = await unit.query<Row & Pick<Policy, 'id' | 'type' | 'code'>>(
    `select t.code as type, p.id, p.code, p.priority, p.valid_from::text, p.valid_to::text, p.parameters, p.customer_id, p.customer_group_id,
       p.client_type_id, p.amc_type_id, p.building_type_id, p.branch_id
     from {policy_definition} p join {policy_type_mstr} t on t.id = p.policy_type_id
     where t.code = any($1::text[]) and p.active and p.entity_id = $2`,
    [types, company],
  );
  return rows.map(({ id, type, code, priority, valid_from: from, valid_to: to, parameters, ...criteria }) => ({
    id,
    type,
    code,
    priority: Number(priority ?? 0),
    valid_from: String(from),
    valid_to: to === null ? null : String(to),
    parameters: (parameters ?? {}) as Row,
    criteria: criteria as Record<string, number | null>,
  }));
}

/** The parameters of the policy, of policies of one type, that applies on a day; empty if none does. */
export function applyingPolicy<T extends object>(
  policies: readonly Policy[],
  day: string,
  facts: PolicyFacts,
): Partial<T> {
  return (chosenPolicy(policies, day, facts)?.parameters ?? {}) as Partial<T>;
}

/** What policies may ask about a customer. */
export async function factsOfCustomer(unit: Asks, customer: unknown): Promise<PolicyFacts> {
  if (typeof customer !== 'number') return {};
  const read = async () => {
    const [known] = await unit.query<PolicyFacts>(
      'select customer_group_id, client_type_id from {customer_dtl} where id = $1',
      [customer],
    );
    return { customer_id: customer, ...known };
  };
  return unit.once?.(`policies of customer ${customer}`, read) ?? read();
}
