import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { proposedCharges } from '../charges.ts';
import { mailCustomer } from '../customer_mail.ts';
import { accountsOf, notifyOfTicket } from '../ticket_people.ts';
import { assignmentsOf, isOpen } from '../ticket_rows.ts';

/** Completes the work: ends people's time, sets the state of the lift, and proposes the customer's charges. */
export const completed: Effect = {
  elevated: true,
  locks: ({ record }) => Promise.resolve([{ type: 'lift', id: Number(record.lift_id) }]),
  async apply({ unit, record }) {
    const all = unit.elevated();
    const at = unit.at.toISOString();
    const due = typeof record.restore_by === 'string' ? Date.parse(record.restore_by) : null;
    const down = record.running_after === 'down';
    const assignments = assignmentsOf(record).map((row) =>
      isOpen(row)
        ? { ...row, ...(row.arrived_at ? { left_at: at } : { declined_at: at, decline_reason: 'Not needed' }) }
        : row,
    );
    const done = await all.update('fms_ticket', record.id, {
      assignments,
      restored_at: at,
      restore_met: due === null ? null : Date.parse(at) <= due,
    });
    const lines = await proposedCharges(all, done);
    const [definition] = await all.query<{ reopen_days: number | null }>(
      'select reopen_days from {ticket_definition} where id = $1',
      [record.ticket_definition_id],
    );
    await all.update('fms_ticket', record.id, {
      reopen_until: new Date(unit.at.getTime() + (definition?.reopen_days ?? 0) * 86_400_000).toISOString(),
      ...(lines !== null && { charge_lines: lines }),
    });
    if (typeof record.subcategory_id !== 'number') await takeSuggested(all, record);
    const lift = Number(record.lift_id);
    if (!down) await all.update('lift', lift, { running: record.running_after });
    else {
      const stored = await all.read('lift', lift);
      if (['in_warranty', 'in_contract', 'out_of_contract'].includes(String(stored.status)))
        await all.transition('lift', lift, 'shut_down', { reason: String(record.unsafe_because) });
      else await all.update('lift', lift, { running: 'down' });
      await notifyOfTicket(
        all,
        record,
        'fms.shut_down',
        await accountsOf(all, [record.supervisor_id, record.leader_id]),
        {
          reason: String(record.unsafe_because),
        },
      );
      await mailCustomer(
        all,
        record,
        ({ building }) => `Lift shut down for safety: ${building}`,
        ({ number, lift }) =>
          `lift ${lift} is not safe and stays shut down (${number}): ${String(record.unsafe_because)}\n\nPlease keep people away from it. It will run again only after we have released it.`,
      );
    }
  },
};

/** A call without a subcategory gets the one that its gravest finding suggests, within its category. */
async function takeSuggested(unit: Unit, record: Readonly<Record<string, unknown>>): Promise<void> {
  const [suggested] = await unit.query<{ id: number }>(
    `select s.id from {job_history} h join {attribute_lookup} v on v.id = h.attribute_lookup_id
     join {ticket_subcategory_mstr} s on s.id = v.suggest_subcategory_id and s.active and s.ticket_category_id = $2
     where h.fms_ticket_id = $1 and h.active order by v.severity desc, h.id limit 1`,
    [record.id, record.category_id ?? null],
  );
  if (suggested) await unit.update('fms_ticket', Number(record.id), { subcategory_id: suggested.id });
}
