import { Exact } from '../../../../descriptor/exact.ts';
import { contractYearOf, daysIn } from '../../../../domain/fms/contract_years.ts';
import { extensionAmount } from '../../../../domain/fms/line_ending.ts';
import type { Fill } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { readableDay } from '../contract_lines.ts';
import { dayBefore, earnedOf, idsOf, knownLines, priceOn, rowsOf } from '../line_money.ts';
import type { KnownLine } from '../line_money.ts';

type Row = Record<string, unknown>;

/** The contract into which lines are merged. */
export interface Target {
  id: number;
  contract_no: string | null;
  status: string;
  bill_to_id: number;
  start_on: string;
  end_on: string;
}

export async function targetOf(unit: Unit, id: unknown): Promise<Target | null> {
  if (typeof id !== 'number') return null;
  const [row] = await unit.query<Target>(
    `select id, contract_no, status, coalesce(bill_to_customer_id, customer_id) as bill_to_id, start_on::text, end_on::text from {contract}
     where id = $1 and entity_id = $2`,
    [id, unit.session.entityId],
  );
  return row ?? null;
}

/** The common last day of merged lines; null = each keeps its own. */
export function commonEnd(dates: unknown, ends: readonly string[]): string | null {
  const sorted = ends.toSorted();
  if (dates === 'longest') return sorted.at(-1) ?? null;
  return dates === 'shortest' ? (sorted[0] ?? null) : null;
}

async function chosen(unit: Unit, record: Readonly<Row>) {
  const rows = rowsOf(record.lines);
  const lines = await knownLines(unit, idsOf(rows.map(({ contract_line_id: id }) => id)));
  const target = record.change_kind === 'merge' ? await targetOf(unit, record.target_contract_id) : null;
  return { rows, target, of: (row: Row) => lines.get(Number(row.contract_line_id)), lines: [...lines.values()] };
}

/** The continuation of a line: its last day and annual price. */
export const changeTerms: Fill = {
  async run({ unit, record }) {
    const { rows, target, of, lines } = await chosen(unit, record);
    const common =
      record.change_kind === 'merge'
        ? commonEnd(record.dates, [...lines.map(({ to_on: to }) => to), ...(target ? [target.end_on] : [])])
        : null;
    const day = record.effective_on;
    return {
      lines: await Promise.all(
        rows.map(async (row) => {
          const line = of(row);
          if (!line) return { new_to_on: null, new_rate: null };
          return {
            new_to_on: common ?? line.to_on,
            new_rate: typeof day === 'string' ? await priceOn(unit, line, day) : line.net,
          };
        }),
      ),
    };
  },
};

function problemOf(
  record: Readonly<Row>,
  line: KnownLine,
  row: Row,
  target: Target | null,
  others: KnownLine[],
): string | null {
  const { change_kind: kind, effective_on: day } = record;
  if (line.line_status !== (kind === 'resume' ? 'held' : 'active'))
    return kind === 'resume' ? 'This lift is not on hold.' : 'This line is not running now.';
  if (kind !== 'merge' && line.contract_id !== record.contract_id) return 'This lift is in another contract.';
  if (typeof day === 'string' && (day <= line.from_on || day > line.to_on) && kind !== 'hold' && kind !== 'resume')
    return `The line runs from ${readableDay(line.from_on)} to ${readableDay(line.to_on)}. Choose a day within it.`;
  const end = row.new_to_on;
  if (typeof end === 'string' && typeof day === 'string' && end < day) return 'It would end before it begins.';
  if (kind === 'amend' && typeof end === 'string' && end > line.end_on)
    return `The contract ends on ${readableDay(line.end_on)}.`;
  if (kind !== 'merge') return null;
  const first = others[0];
  const billTo = target?.bill_to_id ?? first?.bill_to_id;
  if (line.bill_to_id !== billTo)
    return 'Contracts of different bill-to customers cannot be merged. Transfer the lift first.';
  if (!target) return null;
  if (target.id === line.contract_id) return 'This lift is in that contract already.';
  if (target.status !== 'active') return `Contract ${target.contract_no ?? ''} is not running.`;
  if (record.dates !== 'longest' && typeof end === 'string' && end > target.end_on)
    return `It runs longer than ${target.contract_no ?? 'the contract'}, which ends on ${readableDay(target.end_on)}. Choose another last day.`;
  return null;
}

/** The effect of a change on each line and its money (C9). */
export const changePreview: Fill = {
  async run({ unit, record }) {
    const { rows, target, of, lines } = await chosen(unit, record);
    const day = typeof record.effective_on === 'string' ? record.effective_on : null;
    const pauses = record.change_kind === 'hold' || record.change_kind === 'resume';
    const ids = lines.map(({ id }) => id);
    const money = day !== null && !pauses ? await earnedOf(unit, ids, dayBefore(day)) : null;
    const isCredited = record.billing_action === 'credit_rebill' && record.change_kind !== 'amend';
    return {
      lines: await Promise.all(
        rows.map(async (row) => {
          const line = of(row);
          if (!line) return { problem: row.contract_line_id ? 'This line does not exist.' : null };
          const { earned = '0.00', unearned = '0.00', billed_to: billedTo = null } = money?.get(line.id) ?? {};
          const end = typeof row.new_to_on === 'string' ? row.new_to_on : line.to_on;
          const beyond =
            !pauses && billedTo !== null && end < billedTo
              ? (await earnedOf(unit, [line.id], end)).get(line.id)!.unearned
              : '0.00';
          const credit = isCredited ? unearned : beyond;
          const year = contractYearOf(line.start_on, end) ?? { from_on: line.from_on, to_on: line.to_on };
          const price = typeof row.new_rate === 'string' ? row.new_rate : line.net;
          return {
            lift_id: line.lift_id,
            old_contract_id: line.contract_id,
            from_on: line.from_on,
            to_on: line.to_on,
            rate: day === null ? line.net : await priceOn(unit, line, day),
            new_from_on: pauses ? line.from_on : day,
            billed: new Exact(earned).plus(unearned).toFixed(2),
            earned,
            unearned,
            carried: new Exact(unearned).minus(credit).toFixed(2),
            credit,
            extra:
              !pauses && end > line.to_on
                ? extensionAmount(price, daysIn({ from_on: line.to_on, to_on: end }) - 1, year)
                : '0.00',
            problem: problemOf(record, line, row, target, lines),
          };
        }),
      ),
    };
  },
};
