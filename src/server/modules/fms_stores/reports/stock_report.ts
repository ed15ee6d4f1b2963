import { Exact } from '../../../../descriptor/exact.ts';
import type { ReportRow } from '../../../../domain/report.ts';
import { valueShares } from '../../../../domain/fms_stores/value_share.ts';
import { MAX_ROWS } from '../../../engine/reports/report_source.ts';
import type { ReportCall, ReportSource } from '../../../engine/reports/report_source.ts';
import { SqlParams } from '../../../db/sql_text.ts';
import { placeOf } from '../../../services/clock/client_day.ts';
import { rowsOf } from '../../../engine/reports/statement_rows.ts';
import { inSlices } from '../../../engine/reports/in_slices.ts';
import { dayEnd, itemConditions, pointConditions, seesValue, valuesIn } from './stock_tables.ts';

interface Line {
  item_id: number;
  condition: string;
  stock_point_id: number;
  batch_id: number | null;
  qty: string;
}

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  line: ['item_id', 'condition', 'stock_point_id', 'batch_id'],
  item: ['item_id', 'condition'],
  stock_point: ['stock_point_id'],
  category: ['item_category_id'],
  kind: ['kind'],
};

/** The columns that the rows of a group do not have: those of a line, and those of a place or an item that it spans. */
function lessThanLine(group: readonly string[]): string[] {
  if (group === GROUPS.line) return [];
  const ofLine =
    'batch_id expires_on reserved free in_transit on_order min_qty reorder_qty max_qty last_receipt last_issue days_since_issue age_90 age_180 age_365 age_older'.split(
      ' ',
    );
  const ofItem = ['item_code', 'item_id', 'make', 'hsn', 'condition', 'abc', 'criticality'];
  return [
    ...ofLine,
    ...(group.includes('stock_point_id') ? [] : ['stock_point_id']),
    ...(group.includes('stock_point_id') || group.includes('kind') ? [] : ['kind']),
    ...(group.includes('item_id') ? [] : ofItem),
    ...(group.includes('item_id') || group.includes('item_category_id') ? [] : ['item_category_id']),
  ];
}

/** What the lines of a row add up to, and the units they are in. */
interface Summed {
  _qty: InstanceType<typeof Exact>;
  _value: InstanceType<typeof Exact>;
  _units: Set<unknown>;
}

/** The address of the lines behind a row: this report, narrowed to the row's group. */
function linesBehind({ parameters }: ReportCall, group: readonly string[], row: ReportRow): string {
  const own = Object.fromEntries(group.map((name) => [name, row[name]]));
  const query = Object.entries({ ...parameters, ...own, group_by: 'line' }).flatMap(([name, value]) =>
    (value ?? null) === null ? [] : [[name, String(value as string | number | boolean)]],
  );
  return `/mr_stock_report?${new URLSearchParams(query).toString()}`;
}

/** A group's name and its quantity lead to its lines. */
function behind(call: ReportCall, group: readonly string[], row: ReportRow): ReportRow {
  const address = linesBehind(call, group, row);
  return { [`${group[0]!}__to`]: address, qty__to: address };
}

/**
 * Stock by stock point at the end of a day: the last closed month plus later movements; optionally only those recorded
 * by a given day.
 */
function quantities(call: ReportCall, values: SqlParams): string {
  const { session, parameters, today } = call;
  const asOf = String(parameters.as_of ?? today);
  const company = values.bind(session.entityId);
  const recorded = (parameters.recorded_on ?? null) === null ? null : String(parameters.recorded_on);
  const closed =
    recorded === null
      ? `(select max(c.month_end) from {stock_period} c where c.entity_id = ${company} and c.state = 'closed' and c.month_end <= ${values.bind(asOf)}::date)`
      : 'null::date';
  const end = dayEnd(call, asOf, values);
  const zone = values.bind(call.session.tenant.timezone);
  return `closed as materialized (select ${closed} as day),
    parts as (
      select s.item_id, s.condition, s.stock_point_id, s.batch_id, s.qty from {stock_closing} s, closed where s.entity_id = ${company} and s.month_end = closed.day
      union all
      select l.item_id, l.condition, l.stock_point_id, l.batch_id, l.qty from {stock_ledger} l
      where l.entity_id = ${company} and l.stock_point_id is not null and l.qty <> 0 and l.posting_at < ${end}
        and l.posting_at >= coalesce(((select day from closed) + 1)::timestamp at time zone ${zone}, '-infinity')
        ${recorded === null ? '' : `and l.recorded_at < ${dayEnd(call, recorded, values)}`}
    ),
    stock as (select item_id, condition, stock_point_id, batch_id, sum(qty) as qty from parts group by 1, 2, 3, 4)`;
}

/** The company's value of each item and condition at the end of the day. */
async function companyValues(call: ReportCall): Promise<Map<string, string>> {
  const { session, parameters, today } = call;
  const values = new SqlParams();
  const company = values.bind(session.entityId);
  const asOf = String(parameters.as_of ?? today);
  const recorded = (parameters.recorded_on ?? null) === null ? null : String(parameters.recorded_on);
  const isNow = asOf >= today && recorded === null;
  const rows = await rowsOf<{ item: number; condition: string; value: string }>(
    call,
    isNow
      ? `select item_id as item, condition, value::text as value from {stock_value} where entity_id = ${company}`
      : `with closed as materialized (select ${recorded === null ? `(select max(c.month_end) from {stock_period} c where c.entity_id = ${company} and c.state = 'closed' and c.month_end <= ${values.bind(asOf)}::date)` : 'null::date'} as day)
         select item, condition, sum(value)::text as value from (
           select v.item_id as item, v.condition, v.value from {value_closing} v, closed where v.entity_id = ${company} and v.month_end = closed.day
           union all select l.item_id, l.condition, l.value_delta from {stock_ledger} l where l.entity_id = ${company} and l.value_delta <> 0 and l.posting_at < ${dayEnd(call, asOf, values)}
             and l.posting_at >= coalesce(((select day from closed) + 1)::timestamp at time zone ${values.bind(session.tenant.timezone)}, '-infinity')
             ${recorded === null ? '' : `and l.recorded_at < ${dayEnd(call, recorded, values)}`}) x group by 1, 2`,
    values,
  );
  return new Map(rows.map(({ item, condition, value }) => [`${item} ${condition}`, value]));
}

/** The value of each line: its share of the company's value by quantity; stock owned by customers has none (5.7). */
async function lineValues(
  lines: readonly Line[],
  owned: ReadonlySet<number>,
  company: ReadonlyMap<string, string>,
): Promise<(string | null)[]> {
  const found: (string | null)[] = lines.map(() => null);
  const groups = Map.groupBy(
    lines.map((line, at) => ({ ...line, at })),
    ({ item_id: item, condition }) => `${item} ${condition}`,
  );
  for await (const slice of inSlices([...groups]))
    for (const [key, group] of slice) {
      const valued = group.filter(({ batch_id: batch }) => batch === null || !owned.has(batch));
      const shares = valueShares(
        company.get(key) ?? '0',
        valued.map(({ at, qty }) => ({ code: String(at).padStart(8, '0'), qty })),
      );
      for (const { at } of valued) found[at] = shares.get(String(at).padStart(8, '0')) ?? null;
    }
  return found;
}

/** Stock as of a date (7.1): quantities, value, levels, ageing, and goods in transit. */
const stockReport: ReportSource = {
  reads: {
    stock_ledger: ['qty', 'value_delta'],
    stock_balance: ['on_hand'],
    stock_value: ['value'],
    stock_closing: [],
    value_closing: [],
    stock_period: [],
    stock_batch: [],
    stock_point: [],
    item_mstr: [],
    site_mstr: [],
    mr_transfer: [],
    purchase_order: [],
  },
  async rows(call) {
    const { session, parameters, today } = call;
    const asOf = String(parameters.as_of ?? today);
    const values = new SqlParams();
    const stock = quantities(call, values);
    const company = values.bind(session.entityId);
    const all = await rowsOf<Line & { shown: boolean }>(
      call,
      `with ${stock} select s.item_id, s.condition, s.stock_point_id, s.batch_id, s.qty::text as qty,
         (${[...pointConditions(call, 'p', values), ...itemConditions(call, 'i', values), ...((parameters.condition ?? null) === null ? [] : [`s.condition = ${values.bind(parameters.condition)}`])].join(' and ') || 'true'}) as shown
       from stock s join {stock_point} p on p.id = s.stock_point_id join {item_mstr} i on i.id = s.item_id
       where p.entity_id = ${company} ${parameters.include_zero === true ? '' : 'and s.qty <> 0'}
       order by i.item_code, s.condition, p.code, s.batch_id nulls first`,
      values,
    );
    const isValued = seesValue(call);
    const owners = new SqlParams();
    const owned = await rowsOf<{ id: number }>(
      call,
      `select id from {stock_batch} where entity_id = ${owners.bind(session.entityId)} and owner_customer_id is not null`,
      owners,
    );
    const worth = isValued
      ? await lineValues(all, new Set(owned.map(({ id }) => Number(id))), await companyValues(call))
      : all.map(() => null);
    const shown = all.flatMap((line, at) => (line.shown ? [{ ...line, value: worth[at] ?? null }] : []));
    const details = new SqlParams();
    const points = [...new Set(shown.map(({ stock_point_id: id }) => id))];
    const items = [...new Set(shown.map(({ item_id: id }) => id))];
    const group = GROUPS[String(parameters.group_by ?? 'line')] ?? GROUPS.line!;
    // Lines beyond the limit of an answer are not computed.
    const answered = group === GROUPS.line ? shown.slice(0, MAX_ROWS + 1) : shown;
    const [itemRows, pointRows, batchRows, keys] = await Promise.all([
      rowsOf<ReportRow & { id: number }>(
        call,
        `select i.id, i.item_code, i.name, i.make, i.criticality, i.abc, i.item_category_id, c.name as category, u.code as uom, h.code as hsn
         from {item_mstr} i join {item_category} c on c.id = i.item_category_id join {uom} u on u.id = i.stock_uom_id join {hs_code} h on h.id = i.hs_code_id where i.id = any(${details.bind(items)}::bigint[])`,
        details,
      ),
      pointsOf(call, points),
      batchesOf(call),
      parameters.group_by === 'line' || (parameters.group_by ?? null) === null
        ? keyFigures(call, asOf, [...new Set(answered.map(({ item_id: id }) => id))])
        : Promise.resolve([]),
    ]);
    const itemOf = new Map(itemRows.map((row) => [Number(row.id), row]));
    const pointOf = new Map(pointRows.map((row) => [Number(row.id), row]));
    const batchOf = new Map(batchRows.map((row) => [Number(row.id), row]));
    const figureOf = new Map(keys.map((row) => [`${row.item} ${row.condition} ${row.point} ${row.batch ?? ''}`, row]));
    const rows = new Map<string, ReportRow & Summed>();
    for await (const slice of inSlices(answered))
      for (const line of slice) {
        const item = itemOf.get(line.item_id)!;
        const point = pointOf.get(line.stock_point_id);
        const full: ReportRow = {
          item_id: line.item_id,
          item_id__label: String(item.name),
          item_code: item.item_code,
          item_category_id: item.item_category_id,
          item_category_id__label: item.category,
          condition: line.condition,
          stock_point_id: line.stock_point_id,
          stock_point_id__label: point?.code ?? '',
          kind: point?.kind ?? null,
          batch_id: line.batch_id,
          batch_id__label: line.batch_id === null ? null : (batchOf.get(line.batch_id)?.batch_no ?? ''),
        };
        const key = group.map((name) => String(full[name] ?? '')).join(' ');
        let row = rows.get(key);
        if (!row) {
          const named = Object.fromEntries(
            group.flatMap((name) => [
              [name, full[name] ?? null],
              [`${name}__label`, full[`${name}__label`] ?? null],
            ]),
          );
          const isItem = group.includes('item_id');
          row = {
            ...named,
            ...(isItem && {
              item_code: item.item_code,
              make: item.make,
              uom: item.uom,
              hsn: item.hsn,
              abc: item.abc,
              criticality: item.criticality,
              item_category_id: item.item_category_id,
              item_category_id__label: item.category,
            }),
            ...(group.includes('stock_point_id') && { kind: point?.kind ?? null }),
            ...(group.includes('batch_id') && {
              expires_on: line.batch_id === null ? null : (batchOf.get(line.batch_id)?.expires_on ?? null),
            }),
            _qty: new Exact(0),
            _value: new Exact(0),
            _units: new Set(),
          } as ReportRow & Summed;
          rows.set(key, row);
        }
        row._qty = row._qty.plus(line.qty);
        row._units.add(item.uom);
        row._value = row._value.plus(line.value ?? 0);
        const figures =
          group === GROUPS.line
            ? figureOf.get(`${line.item_id} ${line.condition} ${line.stock_point_id} ${line.batch_id ?? ''}`)
            : undefined;
        if (figures) Object.assign(row, figuresOf(figures, line.qty, asOf));
      }
    return {
      // Pieces and metres have no quantity together: of such a group only the value is shown.
      rows: [...rows.values()].map(({ _qty: qty, _value: value, _units: units, ...row }) => ({
        ...row,
        ...(units.size === 1 ? { qty: qty.toString(), uom: [...units][0] } : { qty: null, uom: null }),
        ...(group !== GROUPS.line && behind(call, group, row)),
        ...(isValued && {
          value: value.toFixed(2),
          rate: units.size > 1 || qty.isZero() ? null : value.dividedBy(qty).toFixed(4),
        }),
      })),
      without: [...(valuesIn(call, 'value', 'rate').without ?? []), ...lessThanLine(group)],
      ...(isValued ? {} : { note: 'Values are shown to people with the right to see stock values.' }),
    };
  },
};

interface Figures {
  item: number;
  condition: string;
  point: number;
  batch: number | null;
  reserved: string;
  last_receipt: string | null;
  last_issue: string | null;
  in_90: string;
  in_180: string;
  in_365: string;
  min: string | null;
  reorder: string | null;
  max: string | null;
  in_transit: string;
  on_order: string;
}

/** Levels, last movements, goods in transit, and the age of the stock by first in, first out on quantity. */
function figuresOf(row: Figures, qty: string, asOf: string): ReportRow {
  let left = new Exact(qty);
  const take = (came: string) => {
    const part = Exact.max(0, Exact.min(left, came));
    left = left.minus(part);
    return part.toString();
  };
  const [first, second, third] = [take(row.in_90), take(row.in_180), take(row.in_365)];
  return {
    reserved: row.reserved,
    free: new Exact(qty).minus(row.reserved).toString(),
    in_transit: row.in_transit,
    on_order: row.on_order,
    min_qty: row.min,
    reorder_qty: row.reorder,
    max_qty: row.max,
    last_receipt: row.last_receipt,
    last_issue: row.last_issue,
    days_since_issue:
      row.last_issue === null ? null : Math.round((Date.parse(asOf) - Date.parse(row.last_issue)) / 86_400_000),
    age_90: first,
    age_180: second,
    age_365: third,
    age_older: left.toString(),
  };
}

function keyFigures(call: ReportCall, asOf: string, items: readonly number[]): Promise<Figures[]> {
  const values = new SqlParams();
  const company = values.bind(call.session.entityId);
  const end = dayEnd(call, asOf, values);
  const ids = values.bind(items);
  const zone = values.bind(placeOf(call.session).timezone);
  return rowsOf<Figures>(
    call,
    `select b.item_id as item, b.condition, b.stock_point_id as point, b.batch_id as batch, b.reserved::text as reserved,
       m.last_receipt::text, m.last_issue::text, coalesce(m.in_90, 0)::text as in_90, coalesce(m.in_180, 0)::text as in_180, coalesce(m.in_365, 0)::text as in_365,
       v.min_qty::text as min, v.reorder_qty::text as reorder, v.max_qty::text as max,
       coalesce((select sum(t.open_qty) from {mr_transfer} x join {mr_transfer.lines} t on t.parent_id = x.id where x.entity_id = ${company} and x.to_stock_point_id = b.stock_point_id and t.item_id = b.item_id and t.condition = b.condition and x.state in ('dispatched', 'part_received')), 0)::text as in_transit,
       coalesce((select sum(o.qty - o.received_qty) from {purchase_order} x join {purchase_order.lines} o on o.parent_id = x.id where x.entity_id = ${company} and x.ship_to_stock_point_id = b.stock_point_id and o.item_id = b.item_id and x.state in ('approved', 'sent', 'part_received')), 0)::text as on_order
     from {stock_balance} b
     left join {stock_point.levels} v on v.parent_id = b.stock_point_id and v.item_id = b.item_id
     left join lateral (
       select (max(l.posting_at) filter (where l.qty > 0) at time zone ${zone})::date as last_receipt, (max(l.posting_at) filter (where l.qty < 0) at time zone ${zone})::date as last_issue,
         sum(l.qty) filter (where l.qty > 0 and l.posting_at >= ${end} - interval '91 days') as in_90,
         sum(l.qty) filter (where l.qty > 0 and l.posting_at >= ${end} - interval '181 days' and l.posting_at < ${end} - interval '91 days') as in_180,
         sum(l.qty) filter (where l.qty > 0 and l.posting_at >= ${end} - interval '366 days' and l.posting_at < ${end} - interval '181 days') as in_365
       from {stock_ledger} l where l.entity_id = ${company} and l.stock_point_id = b.stock_point_id and l.item_id = b.item_id and l.condition = b.condition
         and l.batch_id is not distinct from b.batch_id and l.posting_at < ${end}) m on true
     where b.entity_id = ${company} and b.item_id = any(${ids}::bigint[])`,
    values,
  );
}

function pointsOf(call: ReportCall, ids: readonly number[]): Promise<{ id: number; code: string; kind: string }[]> {
  const values = new SqlParams();
  return rowsOf(call, `select id, code, kind from {stock_point} where id = any(${values.bind(ids)}::bigint[])`, values);
}

function batchesOf(call: ReportCall): Promise<{ id: number; batch_no: string; expires_on: string | null }[]> {
  const values = new SqlParams();
  return rowsOf(
    call,
    `select id, batch_no, greatest(expires_on, extended_to)::text as expires_on from {stock_batch} where entity_id = ${values.bind(call.session.entityId)}`,
    values,
  );
}

export default stockReport;
