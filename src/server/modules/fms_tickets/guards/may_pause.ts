import type { Guard } from '../../../engine/modules.ts';

/** The ticket type must allow pauses, and the category's required fields must be filled. */
export const mayPause: Guard = {
  elevated: true,
  async check({ unit, record }) {
    const [found] = await unit.query<{
      may_pause: boolean | null;
      name: string | null;
      applies_to: string | null;
      remark_needed: boolean | null;
      photo_needed: boolean | null;
      lacks_request: boolean | null;
    }>(
      `select d.may_pause, c.name, c.applies_to, c.remark_needed, c.photo_needed,
         c.material_request_needed and not exists (select 1 from {mr} m where m.active and m.ticket_id = $3 and m.state not in ('draft', 'rejected', 'cancelled')) as lacks_request
       from {ticket_definition} d left join {pause_category} c on c.id = $2 where d.id = $1`,
      [record.ticket_definition_id, record.pause_category_id ?? null, record.id],
    );
    if (found?.may_pause === false) return [{ field: '', message: 'Tickets of this type cannot be paused.' }];
    if (found?.applies_to === 'desk')
      return [{ field: 'pause_category_id', message: `"${found.name}" is for the ticket desk. Choose another.` }];
    if (found?.lacks_request === true)
      return [
        {
          field: 'pause_category_id',
          message: `"${found.name}" needs a material request of this ticket. Request the parts first.`,
        },
      ];
    return [
      ...(found?.remark_needed === true && !record.pause_remark
        ? [{ field: 'pause_remark', message: `"${found.name}" needs a remark. Please explain.` }]
        : []),
      ...(found?.photo_needed === true && !record.pause_photo
        ? [{ field: 'pause_photo', message: `Take a photo: "${found.name}" needs one.` }]
        : []),
    ];
  },
};
