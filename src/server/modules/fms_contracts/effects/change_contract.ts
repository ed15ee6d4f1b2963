import type { WireRecord } from '../../../../descriptor/types.ts';
import { extendedByHold } from '../../../../domain/fms/line_ending.ts';
import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { changeLines, isRunning, linesOf, readableDay } from '../contract_lines.ts';
import { commonEnd, targetOf } from '../fills/change_preview.ts';
import { dayBefore, idsOf, knownLines, rowsOf } from '../line_money.ts';
import type { KnownLine } from '../line_money.ts';
import { amended, continueIn, moveLines } from '../move_lines.ts';
import type { LineMove } from '../move_lines.ts';
import { sayUnearned } from '../unearned.ts';

interface Change {
  unit: Unit;
  record: WireRecord;
  lines: KnownLine[];
  from: string;
  reason: string;
}

/** Ends contracts without a running line in the state that fits. */
export async function leaveEmpty(unit: Unit, contracts: Iterable<number>, step: string): Promise<void> {
  for (const id of new Set(contracts))
    if (!linesOf(await unit.read('contract', id)).some(isRunning)) await unit.takeAuto('contract', id, step);
}

async function demerge({ unit, record, lines, from, reason }: Change) {
  const source = await unit.read('contract', Number(record.contract_id));
  const moves = movesOf(record, lines, false);
  const billTo = record.new_bill_to_id;
  const { contract, lines: byOld } = await continueIn(unit, source, moves, {
    from,
    reason: record.reason_id,
    ...(typeof billTo === 'number' && { set: { bill_to_customer_id: billTo } }),
  });
  await amended(unit, await unit.read('contract', source.id), [
    { effective_on: from, field: 'Lifts', old: liftsOf(lines), new: `In ${String(contract.contract_no)}`, reason },
  ]);
  await leaveEmpty(unit, [source.id], 'demerge_away');
  await unit.update('contract_change', record.id, { new_contract_id: contract.id });
  return byOld;
}

async function merge({ unit, record, lines, from, reason }: Change) {
  const moves = movesOf(record, lines, false);
  const sources = lines.map(({ contract_id: id }) => id);
  const into = await targetOf(unit, record.target_contract_id);
  if (!into) {
    const { contract, lines: byOld } = await continueIn(unit, await unit.read('contract', sources[0]!), moves, {
      from,
      reason: record.reason_id,
      set: { building_id: null },
    });
    await leaveEmpty(unit, sources, 'merge_away');
    await unit.update('contract_change', record.id, { new_contract_id: contract.id });
    return byOld;
  }
  const end = commonEnd(record.dates, [...lines.map(({ to_on: to }) => to), into.end_on]);
  const target = await unit.read('contract', into.id);
  if (end !== null && end !== into.end_on) {
    // The contract's other lifts with the same last day.
    const own = linesOf(target).filter(isRunning);
    if (end > into.end_on) await unit.update('contract', into.id, { ends_on: end });
    await changeLines(unit, into.id, new Map(own.map(({ id }) => [id, { to_on: end }])));
    if (end < into.end_on) await unit.update('contract', into.id, { ends_on: end });
    await amended(unit, await unit.read('contract', into.id), [
      { effective_on: from, field: 'Last day', old: readableDay(into.end_on), new: readableDay(end), reason },
    ]);
  }
  const byOld = await moveLines(unit, await unit.read('contract', into.id), moves, { from, reason: record.reason_id });
  await amended(unit, await unit.read('contract', into.id), [
    { effective_on: from, field: 'Lifts', old: '', new: `With ${liftsOf(lines)}`, reason },
  ]);
  await leaveEmpty(unit, sources, 'merge_away');
  await unit.update('contract_change', record.id, { new_contract_id: into.id });
  return byOld;
}

async function amend({ unit, record, lines, from, reason }: Change) {
  const contract = await unit.read('contract', Number(record.contract_id));
  const moves = movesOf(record, lines, true);
  const byOld = await moveLines(unit, contract, moves, { from, reason: record.reason_id });
  await amended(
    unit,
    await unit.read('contract', contract.id),
    rowsOf(record.lines).map((row, at) => ({
      effective_on: from,
      field: `Price of ${lines[at]!.lift_no}`,
      old: String(row.rate),
      new: String(row.new_rate),
      reason,
    })),
  );
  return byOld;
}

async function hold({ unit, record, from, reason }: Change) {
  const id = Number(record.contract_id);
  const contract = await unit.read('contract', id);
  const own = linesOf(contract).filter(({ line_status: status }) => status === 'active');
  await unit.takeAuto('contract', id, 'hold');
  await changeLines(unit, id, new Map(own.map((line) => [line.id, { line_status: 'held' }])), [], { held_from: from });
  await amended(unit, await unit.read('contract', id), [
    { effective_on: from, field: 'State', old: 'Active', new: 'On hold', reason },
  ]);
}

async function resume({ unit, record, from, reason }: Change) {
  const id = Number(record.contract_id);
  const contract = await unit.read('contract', id);
  const since = typeof contract.held_from === 'string' ? contract.held_from : from;
  const hold = { from_on: since, to_on: dayBefore(from) };
  const extended = (end: string) => (record.extend === true ? extendedByHold(end, hold) : end);
  const end = extended(String(contract.end_on));
  const isLonger = end !== contract.end_on;
  const own = linesOf(contract).filter(({ line_status: status }) => status === 'held');
  await unit.takeAuto('contract', id, 'resume');
  await changeLines(
    unit,
    id,
    new Map(own.map((line) => [line.id, { line_status: 'active', to_on: extended(line.to_on) }])),
    [],
    { held_from: null, ...(isLonger && { ends_on: end }) },
  );
  await amended(unit, await unit.read('contract', id), [
    {
      effective_on: from,
      field: isLonger ? 'State and last day' : 'State',
      old: `On hold since ${readableDay(since)}, until ${readableDay(String(contract.end_on))}`,
      new: `Active until ${readableDay(end)}`,
      reason,
    },
  ]);
}

const liftsOf = (lines: readonly KnownLine[]) =>
  lines
    .map(({ lift_no: no }) => no)
    .join(', ')
    .slice(0, 240);

/** The lines of a document as moves; `priced`: at the price entered there. */
function movesOf(record: WireRecord, lines: readonly KnownLine[], priced: boolean): LineMove[] {
  return rowsOf(record.lines).map((row, at) => ({
    line: lines[at]!,
    new_to_on: typeof row.new_to_on === 'string' ? row.new_to_on : lines[at]!.to_on,
    new_rate: priced && typeof row.new_rate === 'string' ? row.new_rate : null,
  }));
}

/**
 * Carries out a change of contracts (C9, C10): lines close the day before and continue in their new place. The event
 * `fms_contracts.unearned` carries the unearned amounts, for credit notes and bills.
 */
export const changeContract: Effect = {
  elevated: true,
  locks: async ({ unit, record }) => {
    const lines = await knownLines(unit, idsOf(rowsOf(record.lines).map(({ contract_line_id: id }) => id)));
    const ids = [record.contract_id, record.target_contract_id, ...[...lines.values()].map((one) => one.contract_id)];
    return [...new Set(idsOf(ids))].map((id) => ({ type: 'contract', id }));
  },
  async apply({ unit, record }) {
    const product = unit.elevated();
    const rows = rowsOf(record.lines);
    const known = await knownLines(product, idsOf(rows.map(({ contract_line_id: id }) => id)));
    const lines = rows.map(({ contract_line_id: id }) => known.get(Number(id))!);
    const change: Change = {
      unit: product,
      record,
      lines,
      from: String(record.effective_on),
      reason: String(record.reason_id__label ?? ''),
    };
    if (record.change_kind === 'hold') return hold(change);
    if (record.change_kind === 'resume') return resume(change);
    const kinds = { demerge, merge, amend };
    const byOld = await kinds[record.change_kind as keyof typeof kinds](change);
    await product.update('contract_change', record.id, {
      lines: {
        set: Object.fromEntries(rows.map((row, at) => [String(row.id), { new_line_id: byOld.get(lines[at]!.id) }])),
      },
    });
    sayUnearned(
      unit,
      { type: 'contract_change', id: record.id },
      {
        last_day: dayBefore(change.from),
        billing_action: record.change_kind === 'amend' ? 'carry' : String(record.billing_action),
        lines: rows.map((row, at) => ({
          contract_line_id: lines[at]!.id,
          new_line_id: byOld.get(lines[at]!.id) ?? null,
          unearned: String(row.unearned),
          credit: String(row.credit),
        })),
      },
    );
    return undefined;
  },
};
