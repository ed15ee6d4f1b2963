import { AGEING_DAYS } from '../../../domain/fms/ageing.ts';
import { chosenPolicy } from '../../../domain/fms/policy_choice.ts';
import type { PolicyRule } from '../../../domain/fms/policy_choice.ts';

type Row = Record<string, unknown>;

/** Anything that runs SQL statements, such as a unit of work. */
export interface Asks {
  query<T = Row>(text: string, values?: unknown[]): Promise<T[]>;
  once?<T>(key: string, read: () => Promise<T>): Promise<T>;
}

/** `BILLING`: numbering, tax and creation of a branch's bills. */
export interface BillingPolicy {
  bill_series?: string;
  note_series?: string;
  e_invoice?: boolean;
  lut_no?: string;
  round_to_rupee?: boolean;
  auto_post?: boolean;
  proforma_first?: boolean;
}
export type Grouping = 'contract' | 'building' | 'customer';

/** `COLLECTION`: ageing, reminders and credit stops. */
export interface CollectionPolicy {
  ageing_days?: number[];
  dunning?: { after_days?: number; by?: string }[];
  credit_hold_days?: number;
  cash_day_limit?: number;
}

/** `PERIOD`: the last closed day, and how far back a document may be dated. */
export interface PeriodPolicy {
  locked_to?: string;
  backdate_days?: number;
}

/** The ids that decide which policy applies; null = unknown. */
export type PolicyFacts = Partial<
  Record<
    'branch_id' | 'customer_id' | 'customer_group_id' | 'client_type_id' | 'amc_type_id' | 'building_type_id',
    number | null
  >
>;

interface Policy extends PolicyRule {
  parameters: Row;
}

/** The company's policies of a type; none if the client does not use policies yet. */
export function policiesOf(unit: Asks, company: number | null, type: string): Promise<Policy[]> {
  const read = () => readPolicies(unit, company, type);
  return unit.once?.(`fms_money.policies ${company} ${type}`, read) ?? read();
}

async function readPolicies(unit: Asks, company: number | null, type: string): Promise<Policy[]> {
  const [known] = await unit.query<{ known: boolean }>(
    `select to_regclass('{policy_definition}') is not null and to_regclass('{policy_type_mstr}') is not null as known`,
  );
  if (known?.known !== true) return [];
  const rows = await unit.query<Row>(
    `select p.id, p.priority, p.valid_from::text, p.valid_to::text, p.parameters, p.customer_id, p.customer_group_id, p.client_type_id,
       p.amc_type_id, p.building_type_id, p.branch_id
     from {policy_definition} p join {policy_type_mstr} t on t.id = p.policy_type_id
     where t.code = $1 and p.active and p.entity_id = $2`,
    [type, company],
  );
  return rows.map(({ id, priority, valid_from: from, valid_to: to, parameters, ...criteria }) => ({
    id: Number(id),
    priority: Number(priority ?? 0),
    valid_from: String(from),
    valid_to: to === null ? null : String(to),
    parameters: (parameters ?? {}) as Row,
    criteria: criteria as Record<string, number | null>,
  }));
}

/** The parameters of the applicable policy on a day; empty if there is none. */
export function applyingPolicy<T extends object>(
  policies: readonly Policy[],
  day: string,
  facts: PolicyFacts,
): Partial<T> {
  return (chosenPolicy(policies, day, facts as Record<string, number | null>)?.parameters ?? {}) as Partial<T>;
}

/** The limits of the age bands, in days. */
export const ageingDays = ({ ageing_days: days }: CollectionPolicy): readonly number[] =>
  days !== undefined && days.length > 0 ? days : AGEING_DAYS;
