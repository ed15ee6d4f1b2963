import { Exact } from '../../../../descriptor/exact.ts';
import type { ReportRow } from '../../../../domain/report.ts';
import type { ReportCall, ReportSource } from '../../../engine/reports/report_source.ts';
import { SqlParams } from '../../../db/sql_text.ts';
import { rowsOf } from '../../../engine/reports/statement_rows.ts';
import { dayEnd, dayStart, itemConditions, pointConditions, seesValue, valuesIn } from './stock_tables.ts';

const READS = {
  stock_ledger: ['qty', 'value_delta'],
  stock_move: [],
  stock_point: ['levels'],
  item_mstr: [],
  stock_batch: [],
  stock_serial: [],
  site_mstr: [],
};

const span = ({ parameters, today }: ReportCall): [string, string] => [
  String(parameters.from ?? `${today.slice(0, 8)}01`),
  String(parameters.to ?? today),
];

/** Opening, in, out and closing of each item and stock point in a period (7.2). */
export const ledgerReport: ReportSource = {
  reads: READS,
  async rows(call) {
    const values = new SqlParams();
    const [from, to] = span(call);
    const company = values.bind(call.session.entityId);
    const start = dayStart(call, from, values);
    const end = dayEnd(call, to, values);
    const where = [...pointConditions(call, 'p', values), ...itemConditions(call, 'i', values)];
    const isValued = seesValue(call);
    const rows = await rowsOf<ReportRow>(
      call,
      `select l.item_id, i.name as item_id__label, i.item_code, l.condition, l.stock_point_id, p.code as stock_point_id__label, u.code as uom,
         coalesce(sum(l.qty) filter (where l.posting_at < ${start}), 0)::text as opening,
         coalesce(sum(l.qty) filter (where l.posting_at >= ${start} and l.qty > 0), 0)::text as qty_in,
         coalesce(-sum(l.qty) filter (where l.posting_at >= ${start} and l.qty < 0), 0)::text as qty_out,
         sum(l.qty)::text as closing
         ${isValued ? `, coalesce(sum(l.value_delta) filter (where l.posting_at >= ${start}), 0)::text as value_change` : ''}
       from {stock_ledger} l join {stock_point} p on p.id = l.stock_point_id join {item_mstr} i on i.id = l.item_id join {uom} u on u.id = i.stock_uom_id
       where l.entity_id = ${company} and l.posting_at < ${end}${where.length > 0 ? ` and ${where.join(' and ')}` : ''}
       group by l.item_id, i.name, i.item_code, l.condition, l.stock_point_id, p.code, u.code
       having sum(l.qty) <> 0 or count(*) filter (where l.posting_at >= ${start}) > 0
       order by i.item_code, l.condition, p.code limit 5000`,
      values,
    );
    // The card opens for the same period.
    const card = (row: ReportRow) =>
      `/mr_stock_ledger_view?${new URLSearchParams({
        item_id: String(row.item_id),
        stock_point_id: String(row.stock_point_id),
        condition: String(row.condition),
        from,
        to,
      }).toString()}`;
    return {
      rows: rows.map((row) => ({ ...row, item_code__to: card(row), closing__to: card(row) })),
      ...valuesIn(call, 'value_change'),
    };
  },
};

interface Entry {
  id: number;
  posting_at: string;
  recorded_at: string;
  late: boolean;
  event: string;
  document_type: string;
  document_id: number;
  document_no: string | null;
  batch: string | null;
  serial: string | null;
  point: string | null;
  other: string | null;
  party: string | null;
  qty: string;
  value: string;
  adjusts_id: number | null;
  by: string | null;
  reverses: number | null;
}

/** The path of a document's page, to be followed by its number. */
const PAGES: Readonly<Record<string, string>> = {
  grn: 'grn_view',
  stock_count: 'mr_stock_count_view',
  stock_adjustment: 'mr_stock_adjustment_view',
};

const EVENTS: Readonly<Record<string, string>> = {
  dispatch: 'Sent',
  transfer_receipt: 'Received of a transfer',
  receipt: 'Received from the vendor',
  opening: 'Opening stock',
  issue: 'Issued',
  consumption: 'Used',
  write_off: 'Written off',
  count: 'Counted',
};

const inWords = (event: string): string =>
  EVENTS[event] ?? event.charAt(0).toUpperCase() + event.slice(1).replaceAll('_', ' ');

/**
 * The card of an item: every movement with its running balance, and value corrections below the entry that they adjust
 * (7.2).
 */
export const cardReport: ReportSource = {
  reads: { ...READS, grn: [], vendor_mstr: [], mr_consumption: [], lift: [], stock_adjustment: [] },
  async rows(call) {
    const { parameters, session } = call;
    if ((parameters.item_id ?? null) === null) return { rows: [], note: 'Choose an item.' };
    const values = new SqlParams();
    const [from, to] = span(call);
    const company = values.bind(session.entityId);
    const item = values.bind(parameters.item_id);
    const condition =
      (parameters.condition ?? null) === null ? '' : `and l.condition = ${values.bind(parameters.condition)}`;
    const where = pointConditions(call, 'p', values);
    const seen = where.length > 0 ? `and (l.stock_point_id is null or (${where.join(' and ')}))` : '';
    const rows = await rowsOf<Entry & { before: boolean; starts: string; ends: string }>(
      call,
      `select l.id, to_char(l.posting_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as posting_at, to_char(l.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as recorded_at,
         l.recorded_at > l.posting_at + interval '1 minute' as late, m.event, m.document_type, m.document_id, m.document_no, b.batch_no as batch, s.serial_no as serial,
         p.code as point, (select max(o.code) from {stock_ledger} x join {stock_point} o on o.id = x.stock_point_id where x.move_id = l.move_id and x.line_id is not distinct from l.line_id and x.item_id = l.item_id and x.stock_point_id <> l.stock_point_id) as other,
         case m.document_type
           when 'mr_consumption' then (select concat_ws(' ', f.lift_no, f.position_name) from {mr_consumption} c join {lift} f on f.id = c.lift_id where c.id = m.document_id)
           when 'grn' then (select v.name from {grn} g join {vendor_mstr} v on v.id = g.vendor_id where g.id = m.document_id)
           when 'stock_adjustment' then (select v.name from {stock_adjustment} d join {vendor_mstr} v on v.id = d.vendor_id where d.id = m.document_id) end as party,
         l.qty::text as qty, l.value_delta::text as value, l.adjusts_id, u.name as by, l.reverses_id as reverses, l.posting_at < ${dayStart(call, from, values)} as before,
         to_char(${dayStart(call, from, values)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as starts, to_char((${dayEnd(call, to, values)} - interval '1 second') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as ends
       from {stock_ledger} l join {stock_move} m on m.id = l.move_id left join {stock_point} p on p.id = l.stock_point_id
       left join {stock_batch} b on b.id = l.batch_id left join {stock_serial} s on s.id = l.serial_id left join {users} u on u.id = l.created_by
       where l.entity_id = ${company} and l.item_id = ${item} ${condition} ${seen} and l.posting_at < ${dayEnd(call, to, values)}
       order by l.posting_at, coalesce(l.adjusts_id, l.id), l.id`,
      values,
    );
    const isValued = seesValue(call);
    const level = await reorderLevel(call);
    let balance = new Exact(0);
    let value = new Exact(0);
    const shown: ReportRow[] = [];
    const first = rows.findIndex(({ before }) => !before);
    rows.forEach((row, at) => {
      balance = balance.plus(row.qty);
      value = value.plus(row.value);
      if (row.before) return;
      if (at === first)
        shown.push(
          border('Opening balance', row.starts, balance.minus(row.qty), value.minus(row.value), isValued, level),
        );
      const qty = new Exact(row.qty);
      shown.push({
        posting_at: row.posting_at,
        recorded_at: row.late ? row.recorded_at : null,
        document: row.document_no ?? `${row.document_type} ${row.document_id}`,
        page: PAGES[row.document_type] ?? `${row.document_type}_view`,
        document_id: row.document_id,
        event:
          row.adjusts_id !== null
            ? 'Value corrected'
            : row.reverses !== null
              ? `${inWords(row.event)}, reversed`
              : inWords(row.event),
        stock_point: row.point,
        party: row.other ?? row.party,
        ...(level !== null && { reorder_level: level }),
        piece: row.serial ?? row.batch,
        qty_in: qty.isPositive() && !qty.isZero() ? qty.toString() : null,
        qty_out: qty.isNegative() ? qty.abs().toString() : null,
        balance: balance.toString(),
        ...(isValued && { value: row.value, worth: value.toFixed(2) }),
        by: row.by,
      });
    });
    if (first < 0) shown.push(border('Opening balance', rows[0]?.starts ?? null, balance, value, isValued, level));
    shown.push(border('Closing balance', rows[0]?.ends ?? null, balance, value, isValued, level));
    return {
      rows: shown.slice(0, 5_000),
      without: [...(valuesIn(call, 'value', 'worth').without ?? []), ...(level === null ? ['reorder_level'] : [])],
    };
  },
};

/** The reorder level of the chosen item at the chosen stock point; null = none is chosen, or it has none. */
async function reorderLevel(call: ReportCall): Promise<string | null> {
  const { item_id: item, stock_point_id: point } = call.parameters;
  if ((point ?? null) === null) return null;
  const values = new SqlParams();
  const [row] = await rowsOf<{ level: string | null }>(
    call,
    `select l.reorder_qty::text as level from {stock_point.levels} l
     where l.parent_id = ${values.bind(point)} and l.item_id = ${values.bind(item)}`,
    values,
  );
  return row?.level ?? null;
}

const border = (
  event: string,
  at: string | null,
  balance: InstanceType<typeof Exact>,
  value: InstanceType<typeof Exact>,
  isValued: boolean,
  level: string | null,
): ReportRow => ({
  event,
  posting_at: at,
  balance: balance.toString(),
  ...(level !== null && { reorder_level: level }),
  ...(isValued && { worth: value.toFixed(2) }),
});
