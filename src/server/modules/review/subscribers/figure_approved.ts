import type { Subscriber } from '../../../engine/modules.ts';

/** Runs the bots of a KPI when one of its figures is approved. */
export const figureApproved: Subscriber = {
  async run({ event, unit }) {
    const [known] = await unit.query<{ there: boolean }>(`select to_regclass('{kpi_bot}') is not null as there`);
    if (!known!.there) return;
    const [of] = await unit.query<{ kpi: number; employee: number }>(
      `select a.kpi_id as kpi, a.employee_id as employee from {kpi_actual} a where a.id = $1 and exists (
         select 1 from {kpi_bot} b where b.active and b.schedule = 'approved' and b.entity_id = a.entity_id
           and b.kpi_id = a.kpi_id and b.employee_id = a.employee_id)`,
      [event.of!.id],
    );
    if (of) unit.enqueue('look_at_approved', { ...of }, `bots of ${event.of!.id} ${event.id}`);
  },
};
