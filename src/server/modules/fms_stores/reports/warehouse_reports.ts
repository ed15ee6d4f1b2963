import { Exact } from '../../../../descriptor/exact.ts';
import type { ReportRow } from '../../../../domain/report.ts';
import { vendorScore } from '../../../../domain/fms_stores/reorder.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SqlParams } from '../../../db/sql_text.ts';
import { placeOf } from '../../../services/clock/client_day.ts';
import { reorderProposal } from '../stock/reorder_proposal.ts';
import { rowsOf } from '../../../engine/reports/statement_rows.ts';
import { itemConditions, pointConditions, seesValue, valuesIn } from './stock_tables.ts';

/** Whether a transfer leaves or reaches a stock point of a branch, as SQL. */
export const ofBranch = (transfer: string, branch: string): string =>
  `exists (select 1 from {stock_point} p join {storage_location} sl on sl.id = p.storage_location_id join {site_mstr} si on si.id = sl.site_id
     where p.id in (${transfer}.from_stock_point_id, ${transfer}.to_stock_point_id) and si.branch_id = ${branch})`;

/** Transfers in transit and their differences. */
export const inTransitReport: ReportSource = {
  reads: {
    mr_transfer: ['lines'],
    stock_value: ['value'],
    stock_point: [],
    storage_location: [],
    site_mstr: [],
    fms_stores_setting: [],
  },
  async rows(call) {
    const { parameters, session } = call;
    const values = new SqlParams();
    const company = values.bind(session.entityId);
    const zone = values.bind(placeOf(session).timezone);
    const where = [
      ...call.scoped('mr_transfer', 't', values),
      ...(['from_stock_point_id', 'to_stock_point_id'] as const).flatMap((name) =>
        (parameters[name] ?? null) === null ? [] : [`t.${name} = ${values.bind(parameters[name])}`],
      ),
      ...((parameters.branch_id ?? null) === null ? [] : [ofBranch('t', values.bind(parameters.branch_id))]),
      ...((parameters.days ?? null) === null
        ? []
        : [
            `${values.bind(call.today)}::date - (t.dispatched_at at time zone ${zone})::date >= ${values.bind(parameters.days)}`,
          ]),
    ];
    const worth = seesValue(call) ? `, round(sum(l.open_qty * v.value / nullif(v.qty, 0)), 2)::text as value` : '';
    return {
      ...valuesIn(call, 'value'),
      rows: await rowsOf<ReportRow>(
        call,
        `select t.id as transfer_id, t.transfer_no as transfer_id__label, t.from_stock_point_id, a.code as from_stock_point_id__label, t.to_stock_point_id, b.code as to_stock_point_id__label,
           (t.dispatched_at at time zone ${zone})::date::text as dispatched_on, (${values.bind(call.today)}::date - (t.dispatched_at at time zone ${zone})::date) as days, t.state,
           (${values.bind(call.today)}::date - (t.dispatched_at at time zone ${zone})::date) > coalesce((select transit_alert_days from {fms_stores_setting} order by id limit 1), 5) as is_late,
           sum(l.qty)::text as sent, coalesce(sum(l.received_qty), 0)::text as received, coalesce(sum(l.damaged_qty), 0)::text as damaged,
           (case when t.state in ('dispatched', 'part_received') then sum(l.open_qty) else 0 end)::text as open,
           (case when t.state in ('differing', 'loss_submitted') then sum(l.open_qty) else 0 end)::text as difference${worth}
         from {mr_transfer} t join {mr_transfer.lines} l on l.parent_id = t.id join {stock_point} a on a.id = t.from_stock_point_id join {stock_point} b on b.id = t.to_stock_point_id
         left join {stock_value} v on v.entity_id = t.entity_id and v.item_id = l.item_id and v.condition = l.condition
         where t.entity_id = ${company} and t.active and t.state in ('dispatched', 'part_received', 'differing', 'loss_submitted')${where.length > 0 ? ` and ${where.join(' and ')}` : ''}
         group by t.id, a.code, b.code order by t.dispatched_at`,
        values,
      ),
    };
  },
};

/** The quantities that stock points should indent or order (5.14). */
export const reorderReport: ReportSource = {
  reads: {
    stock_balance: ['on_hand'],
    stock_ledger: ['qty'],
    stock_move: [],
    mr_transfer: [],
    mr_indent: [],
    purchase_order: [],
    stock_point: ['levels'],
    item_mstr: [],
    vendor_mstr: [],
  },
  async rows(call) {
    const { parameters, session, today } = call;
    const asks = {
      session: { entityId: session.entityId },
      now: new Date(`${today}T23:59:59Z`),
      query: <T>(text: string, given: unknown[] = []) => {
        const values = new SqlParams();
        given.forEach((one) => values.bind(one));
        return rowsOf<T>(call, text, values);
      },
    };
    const values = new SqlParams();
    const seen = await rowsOf<{ id: number; code: string; supplied: boolean }>(
      call,
      `select p.id, p.code, p.supply_from_id is not null as supplied from {stock_point} p where p.entity_id = ${values.bind(session.entityId)}${pointConditions(
        call,
        'p',
        values,
      )
        .map((one) => ` and ${one}`)
        .join('')}`,
      values,
    );
    const codes = new Map(seen.map(({ id, code }) => [Number(id), code]));
    // A store that no other one supplies orders from a vendor.
    const supplied = new Set(seen.filter((one) => one.supplied).map(({ id }) => Number(id)));
    const lines = (await reorderProposal(asks, (parameters.stock_point_id as number | null) ?? null)).filter(
      ({ point }) => codes.has(point),
    );
    const names = new SqlParams();
    const items = await rowsOf<{
      id: number;
      item_code: string;
      name: string;
      uom: string;
      vendor: number | null;
      vendor_name: string | null;
    }>(
      call,
      `select i.id, i.item_code, i.name, u.code as uom, null::bigint as vendor, null::text as vendor_name from {item_mstr} i join {uom} u on u.id = i.stock_uom_id where i.id = any(${names.bind(lines.map(({ item }) => item))}::bigint[])`,
      names,
    );
    const of = new Map(items.map((row) => [Number(row.id), row]));
    return {
      rows: lines
        .filter(({ vendor }) => (parameters.vendor_id ?? null) === null || vendor === parameters.vendor_id)
        .filter(({ propose }) => parameters.all === true || propose !== '0')
        .map((line) => ({
          stock_point_id: line.point,
          stock_point_id__label: codes.get(line.point) ?? '',
          item_id: line.item,
          item_id__label: of.get(line.item)?.name ?? '',
          item_code: of.get(line.item)?.item_code ?? '',
          uom: of.get(line.item)?.uom ?? '',
          daily: line.mean,
          deviation: line.deviation,
          lead_days: line.lead,
          on_hand: line.on_hand,
          reserved: line.reserved,
          on_order: line.on_order,
          in_transit: line.in_transit,
          reorder: line.reorder,
          target: line.target,
          position: line.position,
          propose: line.propose,
          ...(supplied.has(line.point)
            ? { action: 'Make indent' }
            : {
                action: 'Make purchase order',
                action__to: `/mr_purchase_order/add?ship_to_stock_point_id=${line.point}${line.vendor === null ? '' : `&vendor_id=${line.vendor}`}`,
              }),
        })),
    };
  },
};

/** Batches that expire within a number of days or have expired. */
export const expiryReport: ReportSource = {
  reads: { stock_balance: ['on_hand'], stock_batch: [], stock_point: [], stock_value: ['value'], item_mstr: [] },
  async rows(call) {
    const { parameters, session, today } = call;
    const values = new SqlParams();
    const where = [...pointConditions(call, 'p', values), ...itemConditions(call, 'i', values)];
    const day = values.bind(today);
    const worth = seesValue(call) ? ', round(b.on_hand * v.value / nullif(v.qty, 0), 2)::text as value' : '';
    return {
      ...valuesIn(call, 'value'),
      rows: await rowsOf<ReportRow>(
        call,
        `select t.id as batch_id, t.batch_no as batch_id__label, i.id as item_id, i.name as item_id__label, i.item_code, p.id as stock_point_id, p.code as stock_point_id__label,
           b.on_hand::text as qty, greatest(t.expires_on, t.extended_to)::text as expires_on, (greatest(t.expires_on, t.extended_to) - ${day}::date) as days${worth}
         from {stock_balance} b join {stock_batch} t on t.id = b.batch_id join {stock_point} p on p.id = b.stock_point_id join {item_mstr} i on i.id = b.item_id
         left join {stock_value} v on v.entity_id = b.entity_id and v.item_id = b.item_id and v.condition = b.condition
         where b.entity_id = ${values.bind(session.entityId)} and b.on_hand > 0 and greatest(t.expires_on, t.extended_to) <= ${day}::date + ${values.bind(Number(parameters.days ?? 90))}::int
           ${where.map((one) => `and ${one}`).join(' ')} order by 9, i.item_code`,
        values,
      ),
    };
  },
};

/** Items without an issue for a number of days, with their last user. */
export const slowReport: ReportSource = {
  reads: {
    stock_balance: ['on_hand'],
    stock_ledger: ['qty'],
    stock_value: ['value'],
    stock_point: [],
    item_mstr: [],
    stock_move: [],
    item_category: [],
    fms_stores_setting: [],
  },
  async rows(call) {
    const { parameters, session, today } = call;
    const values = new SqlParams();
    const where = [...pointConditions(call, 'p', values), ...itemConditions(call, 'i', values)];
    const company = values.bind(session.entityId);
    const day = values.bind(today);
    const zone = values.bind(placeOf(session).timezone);
    const worth = seesValue(call) ? ', round(b.qty * v.value / nullif(v.qty, 0), 2)::text as value' : '';
    return {
      ...valuesIn(call, 'value'),
      rows: await rowsOf<ReportRow>(
        call,
        `with b as (select item_id, condition, stock_point_id, sum(on_hand) as qty from {stock_balance} where entity_id = ${company} and on_hand > 0 group by 1, 2, 3),
           used as (select l.item_id, l.stock_point_id, max((l.posting_at at time zone ${zone})::date) as last from {stock_ledger} l join {stock_move} m on m.id = l.move_id
             where l.entity_id = ${company} and l.qty < 0 and m.event in ('issue', 'consumption', 'dispatch') group by 1, 2),
           came as (select item_id, stock_point_id, min((posting_at at time zone ${zone})::date) as first from {stock_ledger} where entity_id = ${company} and qty > 0 group by 1, 2)
         select i.id as item_id, i.name as item_id__label, i.item_code, b.condition, p.id as stock_point_id, p.code as stock_point_id__label, b.qty::text as qty,
           (${day}::date - coalesce(u.last, c.first)) as days, u.last::text as last_issue,
           (select string_agg(distinct o.code, ', ') from used x join {stock_point} o on o.id = x.stock_point_id where x.item_id = b.item_id and x.stock_point_id <> b.stock_point_id and x.last >= ${day}::date - 90) as used_by${worth}
         from b join {stock_point} p on p.id = b.stock_point_id join {item_mstr} i on i.id = b.item_id
         left join used u on u.item_id = b.item_id and u.stock_point_id = b.stock_point_id left join came c on c.item_id = b.item_id and c.stock_point_id = b.stock_point_id
         left join {stock_value} v on v.entity_id = ${company} and v.item_id = b.item_id and v.condition = b.condition
         where p.kind = 'store' and ${day}::date - coalesce(u.last, c.first) >= coalesce(${values.bind(parameters.days ?? null)}::int, (select dead_stock_days from {fms_stores_setting} order by id limit 1), 180) ${where.map((one) => `and ${one}`).join(' ')}
         order by 8 desc, i.item_code limit 5000`,
        values,
      ),
    };
  },
};

/** Purchases by vendor and item: rates, variance from the order and the list, and the vendor's score (5.17). */
export const purchaseReport: ReportSource = {
  reads: { grn: ['lines'], purchase_order: ['lines'], vendor_mstr: [], item_mstr: [], price_mstr: ['rate'] },
  async rows(call) {
    const { parameters, session, today } = call;
    if (!seesValue(call)) return { rows: [], note: 'Rates are shown to people with the right to see stock values.' };
    const values = new SqlParams();
    const company = values.bind(session.entityId);
    const limits: [string, string][] = [
      ['vendor_id', 'g.vendor_id'],
      ['item_id', 'l.item_id'],
    ];
    const where = [
      ...call.scoped('grn', 'g', values).map((one) => `and ${one}`),
      ...limits.flatMap(([name, column]) =>
        (parameters[name] ?? null) === null ? [] : [`and ${column} = ${values.bind(parameters[name])}`],
      ),
    ];
    interface Bought {
      vendor_id: number;
      vendor: string;
      item_id: number;
      item: string;
      item_code: string;
      receipts: number;
      on_time: number;
      received: string;
      accepted: string;
      last_rate: string;
      order_rate: string | null;
      list_rate: string | null;
      last_on: string;
    }
    const rows = await rowsOf<Bought>(
      call,
      `select g.vendor_id, v.name as vendor, l.item_id, i.name as item, i.item_code, count(*)::int as receipts,
         count(*) filter (where o.due_on is null or g.grn_date <= o.due_on)::int as on_time, sum(l.received_qty)::text as received, sum(l.accepted_qty)::text as accepted,
         (array_agg(round(l.rate * coalesce(g.exchange_rate, 1), 4) order by g.grn_date desc, g.id desc))[1]::text as last_rate,
         (array_agg(round(o.rate * coalesce(x.exchange_rate, 1), 2) order by g.grn_date desc, g.id desc))[1]::text as order_rate,
         (select p.rate::text from {price_mstr} p where p.item_mstr_id = l.item_id and p.kind = 'purchase' and p.active and p.valid_from <= max(g.grn_date) order by p.valid_from desc limit 1) as list_rate, max(g.grn_date)::text as last_on
       from {grn} g join {grn.lines} l on l.parent_id = g.id join {vendor_mstr} v on v.id = g.vendor_id join {item_mstr} i on i.id = l.item_id
       left join {purchase_order} x on x.id = g.po_id left join {purchase_order.lines} o on o.parent_id = x.id and o.item_id = l.item_id
       where g.entity_id = ${company} and g.source = 'vendor' and g.state = 'posted' and g.grn_date between ${values.bind(String(parameters.from ?? `${Number(today.slice(0, 4)) - 1}${today.slice(4)}`))}::date and ${values.bind(String(parameters.to ?? today))}::date
         ${where.join(' ')} group by g.vendor_id, v.name, l.item_id, i.name, i.item_code order by v.name, i.item_code limit 5000`,
      values,
    );
    const over = (rate: string, list: string | null) =>
      list === null || new Exact(list).isZero() ? new Exact(0) : new Exact(rate).minus(list).times(100).dividedBy(list);
    const scores = new Map(
      [...Map.groupBy(rows, ({ vendor_id: id }) => id)].map(([id, own]) => {
        const sum = (of: (row: Bought) => string | number) =>
          own.reduce((total, row) => total.plus(of(row)), new Exact(0));
        const listed = own.filter(({ list_rate: rate }) => rate !== null);
        const average =
          listed.length === 0
            ? 0
            : listed
                .reduce((total, row) => total.plus(over(row.last_rate, row.list_rate)), new Exact(0))
                .dividedBy(listed.length);
        return [
          id,
          vendorScore(
            [sum((row) => row.on_time).toNumber(), sum((row) => row.receipts).toNumber()],
            [sum((row) => row.accepted), sum((row) => row.received)],
            average,
          ),
        ];
      }),
    );
    return {
      rows: rows.map((row) => ({
        vendor_id: row.vendor_id,
        vendor_id__label: row.vendor,
        item_id: row.item_id,
        item_id__label: row.item,
        item_code: row.item_code,
        receipts: row.receipts,
        accepted: row.accepted,
        last_on: row.last_on,
        last_rate: row.last_rate,
        over_order: row.order_rate === null ? null : over(row.last_rate, row.order_rate).toFixed(2),
        over_list: row.list_rate === null ? null : over(row.last_rate, row.list_rate).toFixed(2),
        score: scores.get(row.vendor_id) ?? null,
      })),
    };
  },
};
