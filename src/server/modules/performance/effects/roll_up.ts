import type { Effect } from '../../../engine/modules.ts';
import type { Place } from '../rolled_up.ts';
import { rollUpInto } from '../rolled_up.ts';

/** The figures above follow an update that was approved or reopened, and those that it is the weight of (§5.7). */
export const rollUp: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    // What was rolled up itself is followed from the figure that was entered.
    if (record.source === 'rollup') return;
    const places = await unit.query<Place>(
      `select distinct a.parent_sheet_id as sheet_id, a.kpi_id, a.into_part_key as part_key from {kpi_actual} a join {kpi} k on k.id = a.kpi_id
       where a.sheet_id = $1 and a.month = $2 and a.active and a.parent_sheet_id is not null
         and ((a.kpi_id = $3 and a.part_key = $4) or k.weight_kpi_id = $3) order by 1, 2, 3`,
      [record.sheet_id, record.month, record.kpi_id, record.part_key],
    );
    for (const place of places) await rollUpInto(unit, place, String(record.month));
  },
};

/** Recomputes a figure when its own part is approved or withdrawn, and the figures that it weights. */
export const rollUpOwn: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const places = await unit.query<Place>(
      `select a.sheet_id, a.kpi_id, a.part_key from {kpi_actual} a join {kpi} k on k.id = a.kpi_id
       where a.sheet_id = $1 and a.month = $2 and a.active and a.source = 'rollup' and ((a.kpi_id = $3 and a.part_key = $4) or k.weight_kpi_id = $3)
       order by a.id`,
      [record.sheet_id, record.month, record.kpi_id, record.part_key],
    );
    for (const place of places) await rollUpInto(unit, place, String(record.month));
  },
};
