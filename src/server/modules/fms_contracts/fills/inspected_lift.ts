import type { Fill } from '../../../engine/modules.ts';

/** Owner, building and number of our lift as the report shows them: later transfers do not change a report. */
export const inspectedLift: Fill = {
  async run({ unit, record }) {
    if (typeof record.lift_id !== 'number') return {};
    const [lift] = await unit.query<{ customer_name: string | null; building: string; lift_no: string }>(
      `select c.name as customer_name, b.name as building, f.lift_no from {lift} f join {building} b on b.id = f.building_id
       left join {customer_dtl} c on c.id = f.customer_id where f.id = $1 and f.entity_id = $2`,
      [record.lift_id, unit.session.entityId],
    );
    return { ...lift };
  },
};
