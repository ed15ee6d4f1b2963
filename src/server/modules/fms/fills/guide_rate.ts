import { completedYears } from '../../../../descriptor/expression/functions.ts';
import { guideRate } from '../../../../domain/fms/guide_rate.ts';
import type { PricingPolicy } from '../../../../domain/fms/guide_rate.ts';
import { chosenPolicy } from '../../../../domain/fms/policy_choice.ts';
import type { Fill } from '../../../engine/modules.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';
import { factsOfCustomer, policiesOf } from '../../../platform/policies/policies.ts';

type Row = Record<string, unknown>;

interface Lift {
  id: number;
  stops: number | null;
  capacity_kg: number | null;
  persons: number | null;
  commissioned_on: string | null;
  building_type_id: number | null;
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
    const customer = await factsOfCustomer(unit, record.customer_id);
    const policies = await policiesOf(unit, unit.session.entityId, ['PRICING']);
    const day = typeof record.quoted_on === 'string' ? record.quoted_on : dayOfRecord(unit, record);
    return {
      lines: lines.map(({ lift_id: id, amc_type_id: type }) => {
        const lift = lifts.find((one) => one.id === id);
        const policy =
          lift &&
          chosenPolicy(policies, day, {
            ...customer,
            amc_type_id: typeof type === 'number' ? type : null,
            building_type_id: lift.building_type_id,
            branch_id: typeof record.branch_id === 'number' ? record.branch_id : null,
          });
        if (!lift || !policy) return { guide_rate: null, floor_rate: null };
        const { stops, capacity_kg, persons, commissioned_on: since } = lift;
        const age_years = since === null ? null : completedYears(since, day);
        const { guide, floor } = guideRate(policy.parameters as PricingPolicy, {
          stops,
          capacity_kg,
          persons,
          age_years,
        });
        return { guide_rate: guide, floor_rate: floor };
      }),
    };
  },
};
