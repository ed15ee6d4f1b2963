import { Decimal } from 'decimal.js';
import { addDays } from '../../../../domain/fms/contract_years.ts';
import { partOfPeriod } from '../../../../domain/fms/instalments.ts';
import type { Subscriber } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';

type Row = Record<string, unknown>;

/** The event `fms_contracts.unearned`: ended lines, with the part of the billed amount to credit. */
interface Unearned {
  last_day: string;
  billing_action: string;
  nets_dues?: boolean;
  lines: { contract_line_id: number; new_line_id: number | null; unearned: string; credit: string }[];
}

interface Planned extends Row {
  id: number;
  period_from: string;
  period_to: string;
  amount: string;
  status: string;
  billing_id: number | null;
}

/** A plan row of the continuing line that replaces one of the previous line. */
interface Goes {
  contract_year: number;
  seq_no: number;
  period_from: string;
  period_to: string;
  bill_on: string;
  amount: string;
  status: string;
  hold_reason: string | null;
}

/** The plan rows of a line beyond a day, locked. */
function beyond(unit: Unit, line: number, last: string): Promise<Planned[]> {
  return unit.query<Planned>(
    `select s.id, s.contract_year, s.seq_no, s.period_from::text, s.period_to::text, s.bill_on::text, s.amount::text, s.status, s.billing_id,
       s.service_id, s.lift_id, s.branch_id, s.bill_as, s.order_no, s.hold_reason
     from {billing_schedule} s where s.contract_line_id = $1 and s.period_to > $2::date and s.status not in ('cancelled', 'carried')
     order by s.period_from for update`,
    [line, last],
  );
}

/** The rest of a plan row: billed again, carried over as paid, or planned as before. */
function rest(row: Planned, last: string, left: string, carry: boolean): Goes {
  const from = row.period_from > last ? row.period_from : addDays(last, 1);
  const isBilled = row.status === 'billed';
  return {
    contract_year: Number(row.contract_year),
    seq_no: Number(row.seq_no),
    period_from: from,
    period_to: row.period_to,
    bill_on: isBilled || String(row.bill_on) < from ? from : String(row.bill_on),
    amount: left,
    status: isBilled ? (carry ? 'carried' : 'planned') : row.status === 'held' ? 'held' : 'planned',
    hold_reason: row.status === 'held' ? (row.hold_reason as string | null) : null,
  };
}

/** Moves the remaining rows to the new line, whose contract decides the payer. */
async function planOn(unit: Unit, newLine: number, rows: readonly Goes[], like: Planned): Promise<void> {
  const [owner] = await unit.query<Row>(
    `select c.id as contract_id, coalesce(c.bill_to_customer_id, c.customer_id) as customer_id, c.branch_id, l.lift_id, f.building_id
     from {contract_line} l join {contract} c on c.id = l.contract_id join {lift} f on f.id = l.lift_id where l.id = $1`,
    [newLine],
  );
  const { service_id, bill_as, order_no } = like;
  await unit.createMany(
    'billing_schedule',
    rows.map((row) => ({ ...row, ...owner, contract_line_id: newLine, service_id, bill_as, order_no })),
    { skip: ['contract_line_id', 'contract_year', 'seq_no'] },
  );
}

/** Drafts a credit note for the unearned part of a bill, at the rates of the bill; people approve it (C9, C10). */
async function draftNote(
  unit: Unit,
  bill: number,
  credits: readonly { row: Planned; amount: string }[],
  last: string,
  nets: boolean,
): Promise<void> {
  const original = await unit.read('billing', bill);
  await unit.create('billing', {
    bill_kind: 'credit_note',
    customer_id: original.customer_id,
    building_id: original.building_id,
    branch_id: original.branch_id,
    contract_id: original.contract_id,
    original_bill_id: bill,
    nets_dues: nets,
    reason_text: `Ended on ${last.split('-').toReversed().join('-')}`,
    lines: credits.map(({ row, amount }) => ({
      service_id: row.service_id,
      lift_id: row.lift_id,
      description: `Not earned of ${String(original.bill_no)}`,
      period_from: row.period_from > last ? row.period_from : addDays(last, 1),
      period_to: row.period_to,
      qty: '1',
      rate: amount,
    })),
  });
}

/**
 * The billing side of lines that end early (C9, C10): plans end on the last day and continue with the new line. The
 * amount billed beyond it is carried over, or credited by drafts of credit notes and billed again, without rounding
 * differences.
 */
export const unearnedMoney: Subscriber = {
  async run({ event, unit }) {
    const {
      last_day: last,
      billing_action: action,
      nets_dues: nets = false,
      lines,
    } = event.payload as unknown as Unearned;
    const notes = new Map<number, { row: Planned; amount: string }[]>();
    for (const line of lines) {
      const goOn: Goes[] = [];
      let credit = new Decimal(line.credit);
      const rows = await beyond(unit, line.contract_line_id, last);
      for (const row of rows) {
        const period = { from_on: row.period_from, to_on: row.period_to };
        const { part, left } = partOfPeriod(row.amount, period, { from_on: row.period_from, to_on: last });
        if (row.status === 'billed') {
          const amount = Decimal.min(credit, left);
          if (action !== 'carry' && amount.gt(0) && row.billing_id !== null) {
            credit = credit.minus(amount);
            notes.set(row.billing_id, [...(notes.get(row.billing_id) ?? []), { row, amount: amount.toFixed(2) }]);
          }
        } else {
          // An unposted draft is made again: its row is shortened, and the rest continues.
          if (row.status === 'drafted')
            await unit.query(`update {billing_schedule} set status = 'planned', billing_id = null where id = $1`, [
              row.id,
            ]);
          const isOver = row.period_from > last;
          await unit.query(
            `update {billing_schedule} set status = case when $2 then 'cancelled' when status = 'drafted' then 'planned' else status end,
               amount = case when $2 then amount else $3::numeric end, period_to = case when $2 then period_to else $4::date end,
               version = version + 1, updated_at = now() where id = $1`,
            [row.id, isOver, part, last],
          );
        }
        goOn.push(rest(row, last, left, action === 'carry'));
      }
      if (line.new_line_id !== null && goOn.length > 0) await planOn(unit, line.new_line_id, goOn, rows[0]!);
    }
    for (const [bill, credits] of notes) await draftNote(unit, bill, credits, last, nets);
  },
};
