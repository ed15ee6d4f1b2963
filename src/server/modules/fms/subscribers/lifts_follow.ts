import { existingTables } from '../../../db/existing_tables.ts';
import type { Subscriber } from '../../../engine/modules.ts';

/** Lifts follow their building to its owner, branch and route. */
export const buildingChanged: Subscriber = {
  async run({ event, unit }) {
    const { db, schema } = unit.session.tenant;
    if (!(await existingTables(db, schema)).has('lift')) return;
    const lifts = await unit.query<{ id: number } & Record<string, number | null>>(
      `select f.id, b.customer_id, b.branch_id, b.route_id, b.licence_months from {lift} f join {building} b on b.id = f.building_id
       where b.id = $1 and (f.customer_id, f.branch_id, f.route_id, f.licence_months) is distinct from (b.customer_id, b.branch_id, b.route_id, b.licence_months)
       order by f.id`,
      [event.of!.id],
    );
    for (const { id, ...copied } of lifts) await unit.update('lift', id, copied);
  },
};

/** Lifts follow their type to the lives of ropes and batteries; there can be very many. */
export const liftTypeChanged: Subscriber = {
  async run({ event, unit }) {
    const { db, schema } = unit.session.tenant;
    if (!(await existingTables(db, schema)).has('lift')) return;
    await unit.query(
      `with n as (
         select f.id, t.rope_life_months, t.battery_life_months, (f.ropes_fitted_on + make_interval(months => t.rope_life_months))::date as ropes,
           case when f.rescue_device then (f.ard_battery_on + make_interval(months => t.battery_life_months))::date end as battery
         from {lift} f join {lift_type_mstr} t on t.id = f.lift_type_id
         where t.id = $1 and (f.rope_life_months, f.battery_life_months) is distinct from (t.rope_life_months, t.battery_life_months))
       update {lift} f set rope_life_months = n.rope_life_months, battery_life_months = n.battery_life_months, ropes_due_on = n.ropes,
         battery_due_on = n.battery, replace_by = least(n.ropes, n.battery), version = f.version + 1, updated_at = now()
       from n where n.id = f.id`,
      [event.of!.id],
    );
  },
};
