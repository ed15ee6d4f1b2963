import type { Effect } from '../../../engine/modules.ts';
import { rollUpInto } from '../rolled_up.ts';

/** The figures above follow an update that was approved or reopened, and those that it is the weight of (§5.7). */
export const rollUp: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    // What was rolled up itself is followed from the figure that was entered.
    if (record.source === 'rollup') return;
    const places = await unit.query<{ sheet_id: number; kpi_id: number }>(
      `select a.parent_sheet_id as sheet_id, a.kpi_id from {kpi_actual} a join {kpi} k on k.id = a.kpi_id
       where a.sheet_id = $1 and a.month = $2 and a.active and a.parent_sheet_id is not null
         and (a.kpi_id = $3 or k.weight_kpi_id = $3) order by a.id`,
      [record.sheet_id, record.month, record.kpi_id],
    );
    for (const place of places) await rollUpInto(unit, place, String(record.month));
  },
};

/** Recomputes a figure when its own part is approved or withdrawn, and the figures that it weights. */
export const rollUpOwn: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const places = await unit.query<{ sheet_id: number; kpi_id: number }>(
      `select a.sheet_id, a.kpi_id from {kpi_actual} a join {kpi} k on k.id = a.kpi_id
       where a.sheet_id = $1 and a.month = $2 and a.active and a.source = 'rollup' and (a.kpi_id = $3 or k.weight_kpi_id = $3) order by a.id`,
      [record.sheet_id, record.month, record.kpi_id],
    );
    for (const place of places) await rollUpInto(unit, place, String(record.month));
  },
};
