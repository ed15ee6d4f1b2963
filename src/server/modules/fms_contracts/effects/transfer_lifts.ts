import type { WireRecord } from '../../../../descriptor/types.ts';
import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { changeLines, deriveLiftStates } from '../contract_lines.ts';
import { dayBefore, idsOf, knownLines, rowsOf } from '../line_money.ts';
import type { KnownLine } from '../line_money.ts';
import { mailCustomers } from '../customer_mail.ts';
import { continueIn, moveLines } from '../move_lines.ts';
import type { LineMove } from '../move_lines.ts';
import { sayUnearned } from '../unearned.ts';
import { leaveEmpty } from './change_contract.ts';

type Row = Record<string, unknown>;

/** Moves lifts, or the buildings that go with them, to their new place. */
async function placeLifts(unit: Unit, record: WireRecord, rows: readonly Row[]): Promise<void> {
  const { transfer_kind: kind, to_building_id: building } = record;
  if (typeof building === 'number' && (kind === 'owner' || kind === 'building')) {
    for (const { lift_id: id } of rows) await unit.update('lift', Number(id), { building_id: building });
    return;
  }
  const set: Row =
    kind === 'owner'
      ? { customer_id: record.to_customer_id, bill_to_customer_id: null }
      : kind === 'route'
        ? { route_id: record.to_route_id }
        : { branch_id: record.to_branch_id };
  for (const id of new Set(rows.map(({ from_building_id: of }) => Number(of)))) await unit.update('building', id, set);
  // The fields that a lift copies from its building.
  const { bill_to_customer_id: _billTo, ...copied } = set;
  for (const { lift_id: id } of rows) await unit.update('lift', Number(id), copied);
}

/** Continues lines in a running contract of the new owner that is long enough, otherwise in a new one. */
async function moveToOwner(
  unit: Unit,
  record: WireRecord,
  lines: readonly KnownLine[],
  from: string,
): Promise<Map<number, number>> {
  const moves: LineMove[] = lines.map((line) => ({ line, new_to_on: line.to_on, new_rate: null }));
  const owner = Number(record.to_customer_id);
  const latest = lines
    .map(({ to_on: to }) => to)
    .toSorted()
    .at(-1)!;
  const [running] = await unit.query<{ id: number }>(
    `select c.id from {contract} c where c.customer_id = $1 and c.status = 'active' and c.contract_kind = 'amc' and c.active and c.branch_id = $2
       and c.start_on <= $3::date and c.end_on >= $4::date order by c.end_on, c.id limit 1`,
    [owner, lines[0]!.branch_id, from, latest],
  );
  const reason = record.reason_id;
  if (running) {
    const byOld = await moveLines(unit, await unit.read('contract', running.id), moves, { from, reason });
    await unit.update('lift_transfer', record.id, { new_contract_id: running.id });
    return byOld;
  }
  const source = await unit.read('contract', lines[0]!.contract_id);
  const [customer] = await unit.query<Row>(
    'select payment_term_id, bill_grouping, po_needed from {customer_dtl} where id = $1',
    [owner],
  );
  const { contract, lines: byOld } = await continueIn(unit, source, moves, {
    from,
    reason,
    set: {
      ...customer,
      customer_id: owner,
      bill_to_customer_id: null,
      building_id: record.to_building_id ?? source.building_id,
      signed_on: null,
      customer_signatory: null,
      root_contract_id: source.root_contract_id ?? source.id,
    },
  });
  await unit.update('lift_transfer', record.id, { new_contract_id: contract.id });
  return byOld;
}

/** Mails the old and the new owners, each about their own lifts. */
async function mailOwners(unit: Unit, record: Row, rows: readonly Row[], from: string): Promise<void> {
  const lifts = await unit.query<{ id: number; lift_no: string }>(
    'select id, lift_no from {lift} where id = any($1::bigint[]) order by lift_no',
    [idsOf(rows.map(({ lift_id: id }) => id))],
  );
  const owner = Number(record.to_customer_id);
  const named = (of: number) =>
    lifts
      .filter(({ id }) => of === owner || rows.some((row) => row.lift_id === id && Number(row.from_customer_id) === of))
      .map(({ lift_no: no }) => no)
      .join(', ');
  const day = from.split('-').toReversed().join('-');
  await mailCustomers(
    unit,
    [owner, ...idsOf(rows.map(({ from_customer_id: id }) => id))],
    `Transfer of lifts on ${day}`,
    (customer) =>
      customer === owner
        ? `from ${day} on, these lifts are registered in your name: ${named(customer)}. ${
            record.contract_action === 'move'
              ? 'Their maintenance continues at the agreed price.'
              : 'We will send you a quotation for their maintenance.'
          }`
        : `from ${day} on, these lifts are no longer registered in your name: ${named(customer)}. Payments for the time after that are credited to you; dues until then remain payable.`,
  );
}

/**
 * Carries out a transfer (section 4 of the design of field service): the lifts move, and with another owner their lines
 * end the day before and continue with the new owner, or end. The event `fms_contracts.unearned` carries the unearned
 * amounts, `fms_contracts.transferred` the moved lifts.
 */
export const transferLifts: Effect = {
  elevated: true,
  locks: ({ record }) =>
    Promise.resolve(
      [...new Set(idsOf(rowsOf(record.lifts).map(({ contract_id: id }) => id)))].map((id) => ({
        type: 'contract',
        id,
      })),
    ),
  async apply({ unit, record }) {
    const product = unit.elevated();
    const rows = rowsOf(record.lifts);
    const from = String(record.effective_on);
    const known = await knownLines(product, idsOf(rows.map(({ contract_line_id: id }) => id)));
    const lines = [...known.values()];
    await placeLifts(product, record, rows);
    const action = record.transfer_kind === 'owner' ? record.contract_action : 'none';
    const ends = action !== 'none' && lines.length > 0;
    const byOld =
      ends && action === 'move' ? await moveToOwner(product, record, lines, from) : new Map<number, number>();
    if (ends && action === 'close')
      for (const [contract, own] of Map.groupBy(lines, ({ contract_id: id }) => id))
        await changeLines(
          product,
          contract,
          new Map(
            own.map(({ id }) => [
              id,
              { line_status: 'closed', closes_on: dayBefore(from), close_reason_id: record.reason_id },
            ]),
          ),
        );
    if (ends) {
      await leaveEmpty(
        product,
        lines.map(({ contract_id: id }) => id),
        action === 'move' ? 'demerge_away' : 'cancel_running',
      );
      await product.update('lift_transfer', record.id, {
        lifts: {
          set: Object.fromEntries(
            rows.map((row) => [String(row.id), { new_line_id: byOld.get(Number(row.contract_line_id)) ?? null }]),
          ),
        },
      });
      const unearned = new Map(rows.map((row) => [Number(row.contract_line_id), String(row.unearned ?? '0.00')]));
      sayUnearned(
        unit,
        { type: 'lift_transfer', id: record.id },
        {
          last_day: dayBefore(from),
          billing_action: 'credit_rebill',
          lines: lines.map(({ id }) => ({
            contract_line_id: id,
            new_line_id: byOld.get(id) ?? null,
            unearned: unearned.get(id)!,
            credit: unearned.get(id)!,
          })),
        },
      );
      await deriveLiftStates(
        product,
        rows.map(({ lift_id: id }) => Number(id)),
        from,
      );
    }
    if (record.transfer_kind === 'owner') await mailOwners(product, record, rows, from);
    unit.emit(
      'fms_contracts.transferred',
      {
        kind: record.transfer_kind,
        effective_on: from,
        tickets: record.tickets_action,
        lifts: rows.map(({ lift_id: id }) => Number(id)),
        lines: rows.map(({ lift_id: id, contract_line_id: line }) => ({
          lift_id: Number(id),
          new_line_id: byOld.get(Number(line)) ?? null,
        })),
      },
      { type: 'lift_transfer', id: record.id },
    );
  },
};
