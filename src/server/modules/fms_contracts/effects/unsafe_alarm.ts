import type { Effect } from '../../../engine/modules.ts';

/** Notifies everybody who may approve inspections of an unsafe lift at once. */
export const unsafeAlarm: Effect = {
  async apply({ unit, record: { id } }) {
    const record = await unit.read('tis_inspection', id);
    if (record.unsafe !== true) return;
    const { userId, entityId } = unit.session;
    const people = await unit.query<{ id: number }>(
      `select u.id from {users} u where u.active and u.status = 'active' and u.id <> $1 and (u.is_admin or exists (
         select 1 from {users.companies} c join {screen_rights} r on r.role_id = any(c.role_ids) where c.parent_id = u.id and c.entity_id = $2 and r.screen_code = 'SCN_FMS_TIS' and r.approval_screen))`,
      [userId, entityId],
    );
    await unit.notify({
      event: 'tis.unsafe',
      to: people.map((one) => one.id),
      entityId,
      link: `/tis_inspection_view/${id}`,
      record: { type: 'tis_inspection', id },
      values: {
        lift: String(record.lift_no),
        building: String(record.building),
        customer: String(record.customer_name),
        number: String(record.inspection_no),
        surveyor: String(record.surveyor_id__label ?? ''),
      },
    });
  },
};
