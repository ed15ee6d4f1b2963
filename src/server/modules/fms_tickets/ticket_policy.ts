import type { Unit } from '../../engine/records/unit.ts';
import { applyingPolicy, policiesOf } from '../../platform/policies/policies.ts';
import type { PolicyFacts } from '../../platform/policies/policies.ts';
import { dayAt } from './day_at.ts';

type Row = Readonly<Record<string, unknown>>;

/** The parameters of the policies that tickets read. */
interface Policies {
  /** Which calls count as calls at night, and words that point to misuse by the customer. */
  COVERAGE: { night_from?: string; night_to?: string; misuse_words?: string[] };
  /** `travel_rate`: the cost of a kilometre. */
  SERVICE: { travel_rate?: number };
}

/** The policy of a type that applies to a ticket on a day; empty if there is none. */
export async function ticketPolicy<Type extends keyof Policies>(
  unit: Unit,
  type: Type,
  ticket: Row,
  moment: unknown,
): Promise<Partial<Policies[Type]>> {
  const policies = await policiesOf(unit, unit.session.entityId, [type]);
  if (policies.length === 0) return {};
  const [known] = await unit.query<PolicyFacts>(
    `select l.customer_id, c.customer_group_id, c.client_type_id, g.building_type_id, l.branch_id
     from {lift} l left join {customer_dtl} c on c.id = l.customer_id left join {building} g on g.id = l.building_id where l.id = $1`,
    [ticket.lift_id ?? null],
  );
  const facts = { ...known, amc_type_id: (ticket.amc_type_id ?? null) as number | null };
  return applyingPolicy<Policies[Type]>(policies, dayAt(unit, ticket, moment), facts);
}
