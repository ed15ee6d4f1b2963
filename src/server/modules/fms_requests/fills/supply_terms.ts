import type { Fill } from '../../../engine/modules.ts';

/** Fills the needed-by time from the request's type, and the store of its branch; first the one that fills the technician's kit. */
export const supplyTerms: Fill = {
  async run({ unit, record }) {
    const [type] = await unit.query<{ hours: number | null }>(
      'select need_hours as hours from {mr_type} where id = $1',
      [record.mr_type_id ?? null],
    );
    const [store] = await unit.query<{ id: number }>(
      `select p.id from {stock_point} p join {storage_location} l on l.id = p.storage_location_id join {site_mstr} s on s.id = l.site_id
       where p.active and p.kind = 'store' and s.branch_id = $1 and p.entity_id = $2
       order by exists (select 1 from {stock_point} k where k.kind = 'technician' and k.active and k.employee_id = $3 and k.supply_from_id = p.id) desc, p.id limit 1`,
      [record.branch_id ?? null, unit.session.entityId, record.technician_id ?? null],
    );
    return {
      needed_by: type?.hours ? new Date(unit.at.getTime() + type.hours * 3_600_000).toISOString() : null,
      from_stock_point_id: store?.id ?? null,
    };
  },
};
