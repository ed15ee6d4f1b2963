import { Exact } from '../../../../descriptor/exact.ts';
import type { WireRecord } from '../../../../descriptor/types.ts';
import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { expectedCards } from '../exchange.ts';
import { addToOrders } from '../open_lines.ts';
import { addDays, addMonths, dayOfAct } from '../request_day.ts';
import { addToRows, rowsOf, sumByRow } from '../request_lines.ts';
import { storesSetting } from '../stores_setting.ts';

type Row = Record<string, unknown>;

interface UsedItem {
  id: number;
  needs_cover: boolean;
  comes_back: boolean;
  return_days: number | null;
  months: number;
  spare: number | null;
  life: number | null;
}

interface Done {
  dues: number[];
  parts: number[];
  removed: number[];
  /** The request that was made for parts from the kit. */
  kitRequest: number | null;
}

/** Counts the used quantity (below 0: a reversal) at the requests and their orders. */
async function count(unit: Unit, record: Row, sign: 1 | -1): Promise<void> {
  const used = rowsOf(record).flatMap(({ mr_line: line, mr_id: request, qty }) =>
    typeof line === 'number' && typeof request === 'number'
      ? [{ row: line, request, qty: new Exact(String(qty)).times(sign).toString() }]
      : [],
  );
  await addToOrders(
    unit,
    used.map(({ row, qty }) => ({ line: row, column: 'used_qty' as const, qty })),
  );
  for (const request of new Set(used.map((one) => one.request)))
    await addToRows(
      unit,
      'mr',
      request,
      sumByRow(
        used.filter((one) => one.request === request),
        'used_qty',
      ),
      lineAfter,
    );
}

/** A line is used when the technician holds nothing more of it; an undecided line keeps its state. */
export function lineAfter(row: Row): Row {
  const isEnded = new Exact(String(row.used_qty))
    .plus(String(row.returned_qty))
    .greaterThanOrEqualTo(String(row.issued_qty));
  if (row.line_status !== 'issued' && row.line_status !== 'used') return {};
  return { line_status: isEnded ? 'used' : 'issued' };
}

async function itemsOf(unit: Unit, record: Row): Promise<UsedItem[]> {
  return unit.query<UsedItem>(
    `select i.id, coalesce(t.issue_needs_cover, false) as needs_cover, coalesce(i.return_faulty, false) or coalesce(g.return_faulty, false) as comes_back,
       i.return_days, coalesce(nullif(i.spare_warranty_months, 0), g.default_warranty_months, 0) as months, i.spare_part_id as spare, p.life_months as life
     from {item_mstr} i join {item_type} t on t.id = i.item_type_id left join {spare_group_master} g on g.id = i.spare_group_id
       left join {spare_parts_master} p on p.id = i.spare_part_id
     where i.id = any($1::bigint[])`,
    [rowsOf(record).map(({ item_id: id }) => id)],
  );
}

/**
 * A part used from the kit without a request still needs a decision on its cover: its request is created and submitted.
 * @returns its id
 */
async function requestKitUse(unit: Unit, record: WireRecord, lines: readonly Row[]): Promise<number> {
  const [terms] = await unit.query<{ type: number | null; reason: number | null }>(
    `select (select id from {mr_type} where active and kind = 'breakdown' order by id limit 1) as type,
       (select id from {reason_for_requirement} where active order by id limit 1) as reason`,
  );
  if (!terms?.type || !terms.reason)
    unit.refuse([
      {
        field: 'lines',
        message: 'Parts used from the kit need a request type for breakdowns and a reason. Add them first.',
      },
    ]);
  const all = unit.elevated();
  const made = await all.create('mr', {
    mr_type_id: Number(terms!.type),
    reason_id: Number(terms!.reason),
    ticket_id: record.ticket_id ?? null,
    lift_id: record.lift_id,
    branch_id: record.branch_id,
    raised_by_id: record.technician_id,
    technician_id: record.technician_id,
    root_cause_id: record.root_cause_id,
    priority: 'P3',
    kit_use: true,
    remark: 'Used from the kit.',
    lines: lines.map(({ item_id, qty, uom_id, lift_position, old_serial_no }) => ({
      item_id,
      qty,
      uom_id,
      lift_position,
      old_serial_no,
      approved_item_id: item_id,
      approved_qty: qty,
      issued_qty: qty,
      used_qty: qty,
    })),
  });
  await all.takeAuto('mr', made.id, 'submit_kit_use');
  return made.id;
}

/** Replaces the previous part with the new one in the lift's list of parts. */
async function fit(
  unit: Unit,
  record: Row,
  row: Row & { id: number },
  item: UsedItem,
  day: string,
  done: Done,
): Promise<void> {
  const before = await unit.query<{ id: number }>(
    `select id from {lift_part} where active and lift_id = $1 and item_id = $2 and removed_on is null and position is not distinct from $3 order by id limit 1`,
    [record.lift_id, row.item_id, row.lift_position ?? null],
  );
  const all = unit.elevated();
  for (const { id } of before) {
    await all.update('lift_part', Number(id), {
      removed_on: day,
      removed_reason: String(record.root_cause_id__label ?? ''),
    });
    done.removed.push(Number(id));
  }
  const serials = Array.isArray(row.new_serial_ids) ? row.new_serial_ids : [];
  for (const serial of serials.length === 0 ? [null] : serials) {
    const part = await all.create('lift_part', {
      lift_id: record.lift_id,
      item_id: row.item_id,
      spare_part_id: item.spare,
      position: row.lift_position ?? null,
      serial_id: serial,
      fitted_on: day,
      fitted_by: record.technician_id,
      consumption_line_id: row.id,
      life_ends_on: item.life === null ? null : addMonths(day, item.life),
      warranty_to: item.months > 0 ? addDays(addMonths(day, item.months), -1) : null,
    });
    done.parts.push(part.id);
  }
}

/** Updates the request, the parts of the lift and the old parts to return after parts were used. */
export const partsUsed: Effect = {
  elevated: true,
  async apply({ unit, record }): Promise<Done> {
    const done: Done = { dues: [], parts: [], removed: [], kitRequest: null };
    const items = await itemsOf(unit, record);
    const [action] = await unit.query<{ due: boolean }>(
      'select coalesce(creates_return_due, false) as due from {action_taken_mstr} where id = $1',
      [record.action_taken_id],
    );
    const { return_days: usual } = await storesSetting(unit);
    const exchanged = await expectedCards(
      unit,
      rowsOf(record).flatMap(({ mr_line: line }) => (typeof line === 'number' ? [line] : [])),
    );
    const day = dayOfAct(unit, record, typeof record.done_at === 'string' ? new Date(record.done_at) : unit.at);
    await count(unit, record, 1);
    const fromKit: Row[] = [];
    for (const row of rowsOf(record)) {
      const item = items.find(({ id }) => Number(id) === row.item_id)!;
      if (row.mr_line === null && item.needs_cover) fromKit.push(row);
      // A lent part stays ours: it is no part of the lift.
      if (item.needs_cover && row.cover !== 'loan') await fit(unit, record, row, item, day, done);
      if (
        (row.removed_condition === 'faulty' || row.removed_condition === 'reusable') &&
        (item.comes_back ||
          action?.due === true ||
          exchanged.some(({ line, item: card }) => line === row.mr_line && card === row.item_id))
      ) {
        const due = await unit.elevated().create('mr_return_due', {
          mr_consumption_id: record.id,
          consumption_line: row.id,
          ticket_id: record.ticket_id ?? null,
          lift_id: record.lift_id,
          technician_id: record.technician_id,
          item_id: row.item_id,
          qty: row.qty,
          old_serial_no: row.old_serial_no ?? null,
          removed_condition: row.removed_condition,
          due_on: addDays(day, item.return_days ?? usual),
        });
        done.dues.push(due.id);
      }
    }
    if (fromKit.length > 0) done.kitRequest = await requestKitUse(unit, record, fromKit);
    return done;
  },
  async reverse({ unit, record }, result) {
    const { dues, parts, removed, kitRequest } = result as Done;
    const all = unit.elevated();
    for (const id of dues) {
      const due = await all.read('mr_return_due', id, { lock: true });
      if (new Exact(String(due.received_qty)).greaterThan(0))
        unit.refuse([{ field: '', message: 'The old part was received already. Reverse that receipt first.' }], 409);
      await all.takeAuto('mr_return_due', id, 'drop');
    }
    const day = dayOfAct(unit, record);
    for (const id of parts)
      await all.update('lift_part', id, {
        removed_on: day,
        removed_reason: 'The use was reversed.',
        warranty_to: null,
      });
    for (const id of removed) await all.update('lift_part', id, { removed_on: null, removed_reason: null });
    await count(unit, record, -1);
    // A request that was decided already stays: its cover may have been charged.
    if (kitRequest) await all.takeAuto('mr', kitRequest, 'kit_use_reversed');
  },
};
