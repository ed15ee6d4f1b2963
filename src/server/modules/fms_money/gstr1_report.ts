import { formatMoney } from '../../../descriptor/format.ts';
import { Exact } from '../../../descriptor/exact.ts';
import { GSTR1_AMOUNTS, addedUp, gstr1Table } from '../../../domain/fms/gstr1.ts';
import type { Gstr1Part, Gstr1Table } from '../../../domain/fms/gstr1.ts';
import { monthTitle } from '../../../domain/month_names.ts';
import type { ReportRow } from '../../../domain/report.ts';
import { SqlParams } from '../../db/sql_text.ts';
import type { ReportCall, ReportRows, ReportSource } from '../../engine/reports/report_source.ts';
import { rowsOf } from '../../engine/reports/statement_rows.ts';

type Part = ReportRow &
  Gstr1Part &
  Record<'rate' | (typeof GSTR1_AMOUNTS)[number], string> & {
    id: number;
    code: string | null;
    code_text: string | null;
  };

/** The columns of each table, in the order of the return's offline tool. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  b2b: [
    'recipient_gstin',
    'customer_id',
    'document',
    'day',
    'value',
    'place',
    'reverse',
    'kind',
    'rate',
    'taxable',
    'igst',
    'cgst',
    'sgst',
    'cess',
  ],
  b2cl: ['document', 'day', 'value', 'place', 'rate', 'taxable', 'igst', 'cess'],
  b2cs: ['kind', 'place', 'rate', 'taxable', 'igst', 'cgst', 'sgst', 'cess'],
  cdnr: [
    'recipient_gstin',
    'customer_id',
    'document',
    'day',
    'kind',
    'original',
    'original_day',
    'value',
    'place',
    'reverse',
    'rate',
    'taxable',
    'igst',
    'cgst',
    'sgst',
    'cess',
  ],
  cdnur: ['document', 'day', 'kind', 'original', 'original_day', 'value', 'place', 'rate', 'taxable', 'igst', 'cess'],
  exempt: ['recipient_gstin', 'customer_id', 'document', 'day', 'place', 'kind', 'taxable'],
  hsn: ['code', 'code_text', 'unit', 'qty', 'rate', 'taxable', 'igst', 'cgst', 'sgst', 'cess'],
  docs: ['kind', 'first_no', 'last_no', 'issued', 'cancelled', 'net'],
};
const ALL = [...new Set(Object.values(COLUMNS).flat())];

/** The kind of supply as the return names it. */
function kindOf(table: Gstr1Table, { bill_kind: kind, supply, recipient_gstin: gstin }: Part): string {
  if (table === 'cdnr' || table === 'cdnur') return kind === 'credit_note' ? 'C' : 'D';
  if (table === 'b2cs') return 'OE';
  const isZone = supply === 'sez_lut';
  if (table === 'exempt') return gstin === null ? 'To unregistered persons' : 'To registered persons';
  return isZone ? 'SEZ supplies without payment' : 'Regular B2B';
}

/** The posted bills and notes of a month by rate and code, credit notes with amounts above 0. */
function partsOf(call: ReportCall, where: string, values: SqlParams): Promise<Part[]> {
  return rowsOf<Part>(
    call,
    `select b.id, b.bill_kind, b.bill_no as document, '/billing/view/' || b.id as document__to, b.bill_date::text as day, b.grand_total::text as value,
       b.supply, b.recipient_gstin, b.customer_id, coalesce(b.customer_name, c.name) as customer_id__label, p.gst_code || '-' || p.name as place,
       case when b.reverse_charge then 'Y' else 'N' end as reverse, o.bill_no as original, o.bill_date::text as original_day,
       coalesce(o.bill_date, b.bill_date)::text as supplied_on, coalesce(o.grand_total, b.grand_total)::text as supplied_total,
       trim_scale(coalesce(l.cgst_rate, 0) + coalesce(l.sgst_rate, 0) + coalesce(l.igst_rate, 0))::text as rate, l.sac as code, h.description as code_text,
       case when l.item_id is null then 'NA' else coalesce(u.uqc, 'OTH') end as unit, sum(l.qty)::text as qty,
       sum(l.taxable)::text as taxable, coalesce(sum(l.igst), 0)::text as igst, coalesce(sum(l.cgst), 0)::text as cgst, coalesce(sum(l.sgst), 0)::text as sgst,
       coalesce(sum(l.cess), 0)::text as cess
     from {billing} b join {billing.lines} l on l.parent_id = b.id left join {billing} o on o.id = b.original_bill_id
     left join {customer_dtl} c on c.id = b.customer_id left join {state_mstr} p on p.id = b.place_of_supply_id
     left join {item_mstr} i on i.id = l.item_id left join {uom} u on u.id = i.stock_uom_id
     left join lateral (select x.description from {hs_code} x where x.code = l.sac order by x.id limit 1) h on true
     where ${where} and b.status = 'posted' and b.bill_kind <> 'proforma'
     group by b.id, c.id, p.id, o.id, l.cgst_rate, l.sgst_rate, l.igst_rate, l.sac, h.description, l.item_id is null, u.id
     order by b.bill_date, b.bill_no, b.id`,
    values,
  );
}

/** The values of these columns, with the texts of references and the addresses behind them. */
const withColumns = (row: ReportRow, names: readonly string[]): ReportRow =>
  Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name.split('__')[0]!)));

/** Table 12: by code and rate. */
function byCode(parts: readonly Part[]): ReportRow[] {
  const key = ({ code, rate, unit }: Part) => `${code ?? ''} ${rate} ${String(unit)}`;
  const quantities = Map.groupBy(parts, key);
  return addedUp(parts, key)
    .toSorted((a, b) => (a.code ?? '').localeCompare(b.code ?? ''))
    .map((row) => ({
      ...row,
      qty:
        row.unit === 'NA'
          ? '0'
          : quantities
              .get(key(row))!
              .reduce(
                (sum, one) =>
                  one.bill_kind === 'credit_note' ? sum.minus(String(one.qty)) : sum.plus(String(one.qty)),
                new Exact(0),
              )
              .toString(),
    }));
}

/** Table 13: the documents of the month by kind and series, including cancelled ones, whose numbers stay used. */
function documents(call: ReportCall, where: string, values: SqlParams): Promise<ReportRow[]> {
  return rowsOf<ReportRow>(
    call,
    `select case b.bill_kind when 'credit_note' then 'Credit note' when 'debit_note' then 'Debit note' when 'bill_of_supply' then 'Bill of supply'
         else 'Invoices for outward supply' end as kind,
       min(b.bill_no) as first_no, max(b.bill_no) as last_no, count(*)::int as issued, count(*) filter (where b.status = 'cancelled')::int as cancelled,
       count(*) filter (where b.status <> 'cancelled')::int as net
     from {billing} b where ${where} and b.status in ('posted', 'cancelled') and b.bill_no is not null and b.bill_kind <> 'proforma'
     group by b.bill_kind, b.series order by 1, 2`,
    values,
  );
}

/**
 * The outward supplies of a month as the tables of the return GSTR-1 ask for them: each table has its own columns, whose
 * order is that of the return's offline tool.
 */
const gstr1: ReportSource = {
  reads: {
    billing: ['bill_no', 'bill_date', 'lines', 'grand_total', 'recipient_gstin', 'supplier_gstin'],
    customer_dtl: ['name'],
    fmsservice: [],
    item_mstr: [],
    uom: [],
    hs_code: [],
    state_mstr: [],
  },
  async rows(call): Promise<ReportRows> {
    const { session, parameters, scoped } = call;
    const conditions = (values: SqlParams) => {
      const month = `${values.bind(`${String(parameters.month)}-01`)}::date`;
      return [
        `b.entity_id = ${values.bind(session.entityId)}`,
        'b.active',
        ...scoped('billing', 'b', values),
        `b.bill_date >= ${month} and b.bill_date < ${month} + interval '1 month'`,
        ...((parameters.branch_id ?? null) === null
          ? []
          : // A return is filed for a registration, which several branches may share.
            [
              `b.supplier_gstin = (select coalesce(x.gstin, e.gstin) from {branch} x join {entity} e on e.id = b.entity_id where x.id = ${values.bind(parameters.branch_id)})`,
            ]),
      ].join(' and ');
    };
    const chosen = String(parameters.table ?? 'b2b');
    const without = ALL.filter((name) => !COLUMNS[chosen]!.includes(name));
    const values = new SqlParams();
    const parts = await partsOf(call, conditions(values), values);
    const tables = Map.groupBy(parts, gstr1Table);
    const sum = (of: readonly Part[], name: (typeof GSTR1_AMOUNTS)[number]) =>
      of.length === 0 ? '0.00' : addedUp(of, () => '')[0]![name];
    const figures = [
      { title: 'Documents', value: String(new Set(parts.map(({ id }) => id)).size) },
      { title: 'Taxable value, all tables', value: formatMoney(sum(parts, 'taxable')) },
      {
        title: 'Tax, all tables',
        value: formatMoney(
          ['igst', 'cgst', 'sgst', 'cess']
            .reduce((all, name) => all.plus(sum(parts, name as 'igst')), new Exact(0))
            .toFixed(2),
        ),
      },
    ];
    const answer = (rows: readonly ReportRow[]): ReportRows => {
      if (rows.length > 0) return { rows: [...rows], figures, without };
      const others = [...tables.keys()].map((name) => name.toUpperCase()).toSorted();
      const where =
        others.length === 0
          ? 'There are no posted bills in this month.'
          : `The bills of the month are in ${others.join(', ')}.`;
      const month = monthTitle(String(parameters.month));
      return { rows: [], figures, without, note: `Table ${chosen.toUpperCase()} of ${month} is empty. ${where}` };
    };
    if (chosen === 'docs') {
      const own = new SqlParams();
      return answer(await documents(call, conditions(own), own));
    }
    const shown = (rows: readonly ReportRow[]) => rows.map((row) => withColumns(row, COLUMNS[chosen]!));
    if (chosen === 'hsn') return answer(shown(byCode(parts)));
    const table = chosen as Gstr1Table;
    const own = (tables.get(table) ?? []).map((part) => ({ ...part, kind: kindOf(table, part) }));
    // A bill has a row for each rate, whatever the codes of its lines; sales to consumers are added up by state.
    const key = (row: Part) => (table === 'b2cs' ? `${String(row.place)} ${row.rate}` : `${row.id} ${row.rate}`);
    const rows =
      table === 'b2cs'
        ? addedUp(own, key).toSorted((a, b) => key(a).localeCompare(key(b)))
        : addedUp(
            own.map((row) => ({ ...row, bill_kind: 'tax_invoice' as const })),
            key,
          );
    return answer(shown(rows));
  },
};

export default gstr1;
