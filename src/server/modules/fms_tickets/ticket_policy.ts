import { chosenPolicy } from '../../../domain/fms/policy_choice.ts';
import type { PolicyRule } from '../../../domain/fms/policy_choice.ts';
import type { Unit } from '../../engine/records/unit.ts';
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
): Promise<Policies[Type]> {
  const rows = await unit.query<Row & { id: number; parameters: Policies[Type] | null }>(
    `select p.id, p.priority, p.valid_from::text, p.valid_to::text, p.parameters, p.customer_id, p.customer_group_id, p.client_type_id,
       p.amc_type_id, p.building_type_id, p.branch_id
     from {policy_definition} p join {policy_type_mstr} t on t.id = p.policy_type_id
     where t.code = $2 and p.active and p.entity_id = $1`,
    [unit.session.entityId, type],
  );
  if (rows.length === 0) return {};
  const [known] = await unit.query<Record<string, number | null>>(
    `select l.customer_id, c.customer_group_id, c.client_type_id, g.building_type_id, l.branch_id
     from {lift} l left join {customer_dtl} c on c.id = l.customer_id left join {building} g on g.id = l.building_id where l.id = $1`,
    [ticket.lift_id ?? null],
  );
  const rules = rows.map(
    ({
      id,
      priority,
      valid_from: from,
      valid_to: to,
      parameters,
      ...criteria
    }): PolicyRule & {
      parameters: Policies[Type];
    } => ({
      id,
      priority: Number(priority ?? 0),
      valid_from: String(from),
      valid_to: to === null ? null : String(to),
      parameters: parameters ?? {},
      criteria: criteria as Record<string, number | null>,
    }),
  );
  const facts = { ...known, amc_type_id: (ticket.amc_type_id ?? null) as number | null };
  return chosenPolicy(rules, dayAt(unit, ticket, moment), facts)?.parameters ?? {};
}
