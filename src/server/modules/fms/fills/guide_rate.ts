import { completedYears } from '../../../../descriptor/expression/functions.ts';
import { guideRate } from '../../../../domain/fms/guide_rate.ts';
import type { PricingPolicy } from '../../../../domain/fms/guide_rate.ts';
import { chosenPolicy } from '../../../../domain/fms/policy_choice.ts';
import type { PolicyRule } from '../../../../domain/fms/policy_choice.ts';
import type { Fill } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';

type Row = Record<string, unknown>;

interface Lift {
  id: number;
  stops: number | null;
  capacity_kg: number | null;
  persons: number | null;
  commissioned_on: string | null;
  building_type_id: number | null;
}

interface Pricing extends PolicyRule {
  parameters: PricingPolicy;
}

/** The company's price policies. */
async function pricingOf(unit: Unit): Promise<Pricing[]> {
  const rows = await unit.query<Row & { id: number; parameters: PricingPolicy | null }>(
    `select p.id, p.priority, p.valid_from::text, p.valid_to::text, p.parameters, p.customer_id, p.customer_group_id, p.client_type_id, p.amc_type_id,
       p.building_type_id, p.branch_id
     from {policy_definition} p join {policy_type_mstr} t on t.id = p.policy_type_id
     where t.code = 'PRICING' and p.active and p.entity_id = $1`,
    [unit.session.entityId],
  );
  return rows.map(({ id, priority, valid_from: from, valid_to: to, parameters, ...criteria }) => ({
    id,
    priority: Number(priority ?? 0),
    valid_from: String(from),
    valid_to: to === null ? null : String(to),
    parameters: parameters ?? {},
    criteria: criteria as Record<string, number | null>,
  }));
}

/**
 * The guide rate of each line with a lift, and the rate below which the quotation needs approval, by the applicable
 * policy.
 */
export const guideRateFill: Fill = {
  async run({ unit, record }) {
    const lines = (record.lines ?? []) as Row[];
    const ids = lines.flatMap(({ lift_id: id }) => (typeof id === 'number' ? [id] : []));
    if (ids.length === 0) return { lines: lines.map(() => ({ guide_rate: null, floor_rate: null })) };
    const lifts = await unit.query<Lift>(
      `select l.id, l.stops, l.capacity_kg, l.persons, l.commissioned_on::text, b.building_type_id
       from {lift} l join {building} b on b.id = l.building_id where l.id = any($1::bigint[])`,
      [ids],
    );
    const [customer] = await unit.query<{ customer_group_id: number | null; client_type_id: number | null }>(
      'select customer_group_id, client_type_id from {customer_dtl} where id = $1',
      [record.customer_id ?? null],
    );
    const policies = await pricingOf(unit);
    const day = typeof record.quoted_on === 'string' ? record.quoted_on : dayOfRecord(unit, record);
    return {
      lines: lines.map(({ lift_id: id, amc_type_id: type }) => {
        const lift = lifts.find((one) => one.id === id);
        const policy =
          lift &&
          chosenPolicy(policies, day, {
            customer_id: typeof record.customer_id === 'number' ? record.customer_id : null,
            customer_group_id: customer?.customer_group_id ?? null,
            client_type_id: customer?.client_type_id ?? null,
            amc_type_id: typeof type === 'number' ? type : null,
            building_type_id: lift.building_type_id,
            branch_id: typeof record.branch_id === 'number' ? record.branch_id : null,
          });
        if (!lift || !policy) return { guide_rate: null, floor_rate: null };
        const { stops, capacity_kg, persons, commissioned_on: since } = lift;
        const age_years = since === null ? null : completedYears(since, day);
        const { guide, floor } = guideRate(policy.parameters, { stops, capacity_kg, persons, age_years });
        return { guide_rate: guide, floor_rate: floor };
      }),
    };
  },
};
