import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { notifyOfTicket, peopleAt } from '../ticket_people.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * The follow-up of what the customer said: a complaint becomes a ticket of its own; the branch manager, or the desk that
 * took the call, is notified.
 */
async function followUp(all: Unit, record: Row & { id: number }): Promise<void> {
  const [comment] = await all.query<{ name: string; then: string | null }>(
    'select name, "then" from {customer_comment} where id = $1',
    [record.customer_comment_id ?? null],
  );
  if (!comment) return;
  const notify = (to: readonly number[]) =>
    notifyOfTicket(all, record, 'fms.customer_comment', to, { comment: comment.name });
  if (comment.then === 'complaint') {
    const [definition] = await all.query<{ id: number }>(
      `select id from {ticket_definition} where ticket_type = 'complaint' and active order by id limit 1`,
    );
    if (definition)
      await all.create('fms_ticket', {
        ticket_definition_id: definition.id,
        source: 'technician',
        lift_id: record.lift_id,
        caller_name: record.signed_by ?? null,
        reported_at: all.at.toISOString(),
        description: `Complaint at the sign-off of ${String(record.ticket_no)}: ${comment.name}`,
      });
  }
  if (comment.then === 'call_back' && typeof record.coordinator_id === 'number') await notify([record.coordinator_id]);
  else if (comment.then === 'call_back' || comment.then === 'complaint' || comment.then === 'alert_manager')
    await notify(await peopleAt(all, record, comment.then === 'call_back' ? 'supervisor' : 'branch_manager'));
}

/** Sets the time at which a signed-off ticket closes automatically, and follows up what the customer said. */
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
    await followUp(all, record);
  },
};
