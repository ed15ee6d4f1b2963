import { distanceKm } from '../../../../domain/fms/best_order.ts';
import type { Place } from '../../../../domain/fms/best_order.ts';
import type { Effect } from '../../../engine/modules.ts';
import { rescueReportOf } from '../rescue_report.ts';
import { assignmentsOf, noted, peopleOf } from '../ticket_rows.ts';
import { travelled } from '../travelled.ts';

/** Records an arrival: position, distance from the building, the way, and whether the first arrival was on time. */
export const arrived: Effect = {
  elevated: true,
  async apply({ unit, record, input }) {
    const all = unit.elevated();
    const at = unit.at.toISOString();
    const [building] = await all.query<{ geo: Place | null }>('select geo from {building} where id = $1', [
      record.building_id ?? null,
    ]);
    const here = (input.arrive_geo ?? null) as Place | null;
    const off = here && building?.geo ? Math.round(distanceKm(here, building.geo) * 1000) : null;
    const first = !record.responded_at;
    const due = typeof record.respond_by === 'string' ? Date.parse(record.respond_by) : null;
    const people = peopleOf(record);
    const ways = await travelled(all, record, people, building?.geo ?? here);
    await all.update('fms_ticket', record.id, {
      // Trapped people discovered only on site make it a rescue too.
      ...(await rescueReportOf(all, record)),
      assignments: noted(assignmentsOf(record), people, {
        arrived_at: at,
        arrive_geo: here,
        arrive_off_m: off,
        arrive_note: input.arrive_note ?? null,
      }).map((row) => (row.arrived_at === at ? { ...row, ...ways.get(row.employee_id) } : row)),
      attendances: Number(record.attendances ?? 0) + 1,
      ...(first && { responded_at: at, respond_met: due === null ? null : Date.parse(at) <= due }),
    });
  },
};
