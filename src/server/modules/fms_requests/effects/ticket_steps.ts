import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { rowsOf } from '../request_lines.ts';

type Row = Record<string, unknown>;

/** The pause category for spares; null if the company has none. */
async function spareCategory(unit: Unit): Promise<number | null> {
  const [found] = await unit.query<{ id: number }>(
    `select id from {pause_category} where active and material_request_needed and applies_to <> 'desk' order by id limit 1`,
  );
  return found ? Number(found.id) : null;
}

/** Pauses the ticket of a submitted request for the spare, if the requester chose that and work on site has started. */
export const ticketWaits: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    if (typeof record.ticket_id !== 'number' || record.pause_ticket !== true) return;
    const all = unit.elevated();
    const category = await spareCategory(all);
    const [ticket] = await all.query<{ id: number }>(
      `select t.id from {fms_ticket} t join {ticket_definition} d on d.id = t.ticket_definition_id
       where t.id = $1 and t.status = 'attending' and coalesce(d.may_pause, true) and not (t.trapped and t.all_out_at is null)`,
      [record.ticket_id],
    );
    if (!ticket || category === null) return;
    await all.takeAuto('fms_ticket', record.ticket_id, 'await_spare', {
      pause_category_id: category,
      pause_remark: `Parts of request ${String(record.mr_no ?? record.id)}`,
    });
  },
};

/** Resumes a ticket that waits for a spare when it has no open request left. */
export const ticketGoesOn: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    if (typeof record.ticket_id !== 'number') return;
    const all = unit.elevated();
    const [waiting] = await all.query<{ id: number }>(
      `select t.id from {fms_ticket} t join {pause_category} c on c.id = t.pause_category_id
       where t.id = $1 and t.status = 'paused' and c.material_request_needed and not exists (
         select 1 from {mr} m where m.active and m.ticket_id = t.id and m.id <> $2
           and m.state not in ('draft', 'supplied', 'closed', 'rejected', 'cancelled'))`,
      [record.ticket_id, record.id],
    );
    if (waiting) await all.takeAuto('fms_ticket', record.ticket_id, 'spare_came');
  },
};

/** Lists posted parts on the ticket with their cover and cost; a reversal removes them. */
export const partsOnTicket: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    if (typeof record.ticket_id !== 'number') return;
    const all = unit.elevated();
    // The preceding stock movement has stored the cost of each line.
    const used = await all.read('mr_consumption', record.id);
    const ticket = await all.read('fms_ticket', record.ticket_id, { lock: true });
    const added = rowsOf(used).map(({ item_id, qty, cover, cover_because, price, cost }) => ({
      mr_consumption_id: record.id,
      item_id,
      qty,
      cover,
      cover_because,
      price,
      cost,
    }));
    await all.update('fms_ticket', ticket.id, { parts: [...rowsOf(ticket, 'parts'), ...added] });
  },
  async reverse({ unit, record }) {
    if (typeof record.ticket_id !== 'number') return;
    const all = unit.elevated();
    const ticket = await all.read('fms_ticket', record.ticket_id, { lock: true });
    const kept = rowsOf(ticket, 'parts').filter((row: Row) => row.mr_consumption_id !== record.id);
    await all.update('fms_ticket', ticket.id, { parts: kept });
  },
};
