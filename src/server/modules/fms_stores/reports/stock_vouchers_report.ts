import { addMonths } from '../../../../descriptor/expression/functions.ts';
import { addDays } from '../../../../domain/fms/contract_years.ts';
import { tallyVouchers } from '../../../../domain/fms/tally.ts';
import type { TallyRow } from '../../../../domain/fms/tally.ts';
import { inColumns, withoutLedger } from '../../../../domain/fms/vouchers.ts';
import type { VoucherPart } from '../../../../domain/fms/vouchers.ts';
import type { ReportRow } from '../../../../domain/report.ts';
import { AppError } from '../../../db/errors.ts';
import { SqlParams } from '../../../db/sql_text.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { rowsOf } from '../../../engine/reports/statement_rows.ts';
import { placeOf } from '../../../services/clock/client_day.ts';
import { dayEnd, dayStart } from './stock_tables.ts';

/** Movements whose other side is the account of goods received. */
const BOUGHT = "('receipt', 'opening', 'repair_back', 'vendor_return', 'exchange_return', 'invoice_difference')";

/**
 * The value of stock movements by month, item class and event, with the accounts of the item classes: stock against
 * consumption, goods received or variance. Refused with the list of classes without an account.
 */
export const stockVouchersReport: ReportSource = {
  reads: {
    stock_ledger: ['value_delta', 'posting_at'],
    stock_move: ['event'],
    stock_adjustment: ['lines'],
    item_mstr: ['item_class_id'],
    item_class: ['stock_account', 'consumption_account', 'variance_account'],
    fms_ledgers: [],
  },
  async rows(call) {
    const { from, to } = call.parameters;
    const values = new SqlParams();
    const company = values.bind(call.session.entityId);
    const zone = values.bind(placeOf(call.session).timezone);
    const parts = await rowsOf<VoucherPart & ReportRow>(
      call,
      `with s as (select (select purchases_ledger from {fms_ledgers} order by id limit 1) as purchases_ledger),
       moved as (
         select to_char(l.posting_at at time zone ${zone}, 'YYYY-MM') as month, m.event, i.item_class_id, sum(l.value_delta) as value
         from {stock_ledger} l left join {stock_ledger} a on a.id = l.adjusts_id join {stock_move} m on m.id = coalesce(a.move_id, l.move_id)
         join {item_mstr} i on i.id = l.item_id
         where l.entity_id = ${company} and l.posting_at >= ${dayStart(call, String(from), values)} and l.posting_at < ${dayEnd(call, String(to), values)}
           and l.value_delta <> 0 group by 1, 2, 3),
       late as (
         select to_char(d.adjusted_on, 'YYYY-MM') as month, i.item_class_id, sum(x.variance) as value
         from {stock_adjustment} d join {stock_adjustment.lines} x on x.parent_id = d.id join {item_mstr} i on i.id = x.item_id
         where d.entity_id = ${company} and d.active and d.kind = 'invoice_difference' and d.state = 'posted'
           and d.adjusted_on between ${values.bind(from)}::date and ${values.bind(to)}::date and x.variance <> 0 group by 1, 2),
       parts as (
         select m.month, m.event, c.name as class, c.stock_account as ledger, 'stock account of item class ' || c.name as owner, m.value
           from moved m join {item_class} c on c.id = m.item_class_id
         union all
         select m.month, m.event, c.name, case when m.event = 'consumption' then c.consumption_account when m.event in ${BOUGHT} then s.purchases_ledger
             else c.variance_account end,
           case when m.event = 'consumption' then 'consumption account of item class ' || c.name when m.event in ${BOUGHT} then 'ledger codes: goods received'
             else 'variance account of item class ' || c.name end, -m.value
           from moved m cross join s join {item_class} c on c.id = m.item_class_id
         union all
         select v.month, 'invoice_difference', c.name, c.variance_account, 'variance account of item class ' || c.name, v.value
           from late v join {item_class} c on c.id = v.item_class_id
         union all
         select v.month, 'invoice_difference', c.name, s.purchases_ledger, 'ledger codes: goods received', -v.value
           from late v cross join s join {item_class} c on c.id = v.item_class_id)
       select month, event, class, month || ' ' || event || ' ' || class as voucher, ledger, owner, sum(value)::text as amount
       from parts group by month, event, class, ledger, owner having sum(value) <> 0
       order by month, event, class, sum(value) < 0, ledger`,
      values,
    );
    const missing = withoutLedger(parts);
    if (missing !== null) throw new AppError(422, 'validation', missing);
    return {
      rows: inColumns(parts).map(({ voucher: _voucher, ...row }) => row),
      note: 'Debits and credits of every movement are equal.',
    };
  },
  xml: {
    title: 'Tally XML',
    write: (rows) =>
      tallyVouchers(
        (rows as unknown as (TallyRow & { month: string; event: string; class: string })[]).map((row) => ({
          ...row,
          kind: 'stock',
          day: addDays(addMonths(`${row.month}-01`, 1), -1),
          voucher: `${row.month} ${row.event} ${row.class}`,
          narration: `Stock, ${row.event.replaceAll('_', ' ')}: ${row.class}`,
        })),
      ),
  },
};
