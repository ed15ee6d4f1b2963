import type { Fill } from '../../../engine/modules.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';

/**
 * Fills the technician of the ticket and the branch of the lift. Technicians raise requests for their own work, and
 * without a lift in their own branch: whoever has a kit or is in a team on that day is a technician.
 */
export const ownRequest: Fill = {
  async run({ unit, record }) {
    const [own] = await unit.query<{ id: number; branch: number | null }>(
      `select e.id, e.branch_id as branch from {employee} e where e.id = $1
         and (exists (select 1 from {stock_point} p where p.kind = 'technician' and p.active and p.employee_id = e.id and p.entity_id = $2)
           or exists (select 1 from {team.members} m join {team} t on t.id = m.parent_id where t.active and t.entity_id = $2
             and m.employee_id = e.id and m."from" <= $3::date and (m."to" is null or m."to" >= $3::date)))`,
      [record.raised_by_id ?? null, unit.session.entityId, record.mr_date ?? dayOfRecord(unit, record)],
    );
    const [known] = await unit.query<{ technician: number | null; branch: number | null }>(
      `select (select technician_id from {fms_ticket} where id = $1) as technician,
         (select branch_id from {lift} where id = $2) as branch`,
      [record.ticket_id ?? null, record.lift_id ?? null],
    );
    return {
      technician_id: known?.technician ?? own?.id ?? null,
      branch_id: known?.branch ?? own?.branch ?? null,
    };
  },
};
