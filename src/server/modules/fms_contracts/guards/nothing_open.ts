import { existingTables } from '../../../db/existing_tables.ts';
import type { Guard } from '../../../engine/modules.ts';

/** A lift is taken out of service only if no contract line, call and unpaid bill of it is open. */
export const nothingOpen: Guard = {
  async check({ unit, record }) {
    const { db, schema } = unit.session.tenant;
    const there = await existingTables(db, schema);
    const found: string[] = [];
    const first = async (type: string, text: string) => {
      if (!there.has(type)) return;
      const [row] = await unit.query<{ said: string }>(text, [record.id]);
      if (row) found.push(row.said);
    };
    await first(
      'contract_line',
      `select 'Contract ' || coalesce(c.contract_no, '') || ' covers this lift until ' || to_char(l.to_on, 'DD-MM-YYYY') || '. Cancel its line first.' as said
       from {contract_line} l join {contract} c on c.id = l.contract_id
       where l.lift_id = $1 and l.active and l.line_status in ('active', 'held') order by l.id limit 1`,
    );
    await first(
      'fms_ticket',
      `select 'Call ' || t.ticket_no || ' is open. Close or cancel it first.' as said from {fms_ticket} t
       where t.lift_id = $1 and t.active and t.status not in ('closed', 'cancelled', 'duplicate') order by t.id limit 1`,
    );
    await first(
      'billing',
      `select 'Bill ' || b.bill_no || ' is not paid.' as said from {billing.lines} l join {billing} b on b.id = l.parent_id
       where l.lift_id = $1 and b.status = 'posted' and b.outstanding > 0 order by b.id limit 1`,
    );
    return found.map((message) => ({ field: 'status', message }));
  },
};
