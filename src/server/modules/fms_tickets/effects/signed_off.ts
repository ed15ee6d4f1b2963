import type { Effect } from '../../../engine/modules.ts';

/** Sets the time at which a signed-off ticket closes automatically. */
export const signedOff: Effect = {
  elevated: true,
  async apply({ unit, record, input }) {
    const all = unit.elevated();
    const [definition] = await all.query<{ close_after_hours: number | null }>(
      'select close_after_hours from {ticket_definition} where id = $1',
      [record.ticket_definition_id],
    );
    const hours = definition?.close_after_hours ?? null;
    await all.update('fms_ticket', record.id, {
      closes_at: hours === null ? null : new Date(unit.at.getTime() + hours * 3_600_000).toISOString(),
      code_ok: typeof input.sign_code === 'string' && input.sign_code !== '',
      sign_code: null,
      sign_code_sent: null,
    });
  },
};
