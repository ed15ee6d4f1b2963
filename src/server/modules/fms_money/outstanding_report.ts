import { Decimal } from 'decimal.js';
import { formatMoney } from '../../../descriptor/format.ts';
import { AGEING_DAYS, collectionEfficiency, daysOfSales } from '../../../domain/fms/ageing.ts';
import type { ReportFigure, ReportRow } from '../../../domain/report.ts';
import { tableName } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import { MAX_ROWS } from '../../engine/reports/report_source.ts';
import type { ReportCall, ReportSource } from '../../engine/reports/report_source.ts';
import { bucketSql, bucketTitles } from './ageing_bands.ts';
import { duesOf } from './dues.ts';
import { applyingPolicy, policiesOf } from '../../platform/policies/policies.ts';
import { ageingDays } from './policies.ts';
import type { CollectionPolicy } from './policies.ts';

/** The columns of the chosen grouping. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  customer: ['customer_id'],
  building: ['customer_id', 'building_id'],
  contract: ['customer_id', 'contract_id'],
  bill: ['customer_id', 'building_id', 'billing_id', 'bill_date', 'due_on'],
};

/** What was billed, what fell due and what of it is settled, in the days before the report's. */
interface Recent {
  billed: string;
  fell_due: string;
  settled: string;
}

type Due = ReportRow &
  Recent & {
    company: string;
    bucket: number;
    outstanding: string;
    whole: string;
    late: string | null;
    of_bills: string;
  };

interface Asks {
  query: <T>(text: string, values?: unknown[]) => Promise<T[]>;
}

/** A statement in which `{billing}` is the table of a type, and `{receipt.deductions}` that of its rows. */
const inSchema = (schema: string, text: string): string =>
  text.replace(/\{(\w+)(?:\.(\w+))?\}/g, (_all, type: string, rows?: string) =>
    tableName(schema, rows === undefined ? type : `${type}__${rows}`),
  );

const groupOf = (parameters: ReportCall['parameters']): readonly string[] =>
  GROUPS[String(parameters.shown_by ?? 'customer')]!;

/** The limits of the age columns in a company. */
async function ageingOf(asks: Asks, company: number, asOn: string, branch: unknown): Promise<readonly number[]> {
  const policy = applyingPolicy<CollectionPolicy>(await policiesOf(asks, company, ['COLLECTION']), asOn, {
    branch_id: (branch as number | null) ?? null,
  });
  return ageingDays(policy ?? { ageing_days: [...AGEING_DAYS] });
}

/** Advances of one customer, and cheques not yet presented; both exist without dues. */
async function besides(
  asks: Asks,
  companies: readonly number[],
  asOn: string,
  customer: unknown,
): Promise<ReportFigure[]> {
  if (customer === null) return [];
  let [advances, cheques] = [new Decimal(0), new Decimal(0)];
  for (const company of companies) {
    const [found] = await asks.query<{ advance: string; held: string }>(
      `with ${duesOf('$3')} select coalesce((select sum(amount) from advances), 0)::text as advance,
         coalesce((select sum(amount) from {receipt} where entity_id = $1 and customer_id = $3 and status = 'held'), 0)::text as held`,
      [company, asOn, customer],
    );
    [advances, cheques] = [advances.plus(found!.advance), cheques.plus(found!.held)];
  }
  return [
    { title: 'Advances', value: formatMoney(advances.toFixed(2)) },
    ...(cheques.isZero() ? [] : [{ title: 'Cheques held', value: formatMoney(cheques.toFixed(2)) }]),
  ];
}

/** How fast the dues of the last 90 days are paid (C21). */
function pace(outstanding: string, { billed, fell_due: due, settled }: Recent): ReportFigure[] {
  const efficiency = collectionEfficiency(settled, due);
  const days = daysOfSales(outstanding, billed);
  return [
    ...(efficiency === null ? [] : [{ title: 'Settled, of the dues of 90 days', value: `${efficiency} %` }]),
    ...(days === null ? [] : [{ title: 'Days of sales outstanding', value: days }]),
  ];
}

/** Advances and held cheques belong to customers of a company: each counts once, whatever number of rows there are. */
function ofCustomers(rows: readonly Due[]): ReportRow {
  const customers = [...new Map(rows.map((row) => [`${row.company} ${String(row.customer_id)}`, row])).values()];
  const sum = (name: 'advance' | 'held') =>
    customers.reduce((all, row) => all.plus(String(row[name])), new Decimal(0)).toFixed(2);
  return { advance: sum('advance'), held: sum('held') };
}

/** What is due in a company on a day, in groups, by customer. */
function duesIn(
  { session, parameters, scoped }: ReportCall,
  company: number,
  asOn: string,
  bounds: readonly number[],
): Promise<Due[]> {
  const { db, schema } = session.tenant;
  const group = groupOf(parameters);
  const values = new SqlParams();
  values.bind(company);
  values.bind(asOn);
  const customer = (parameters.customer_id ?? null) === null ? null : values.bind(parameters.customer_id);
  const ofCustomer = (alias: string) => (customer === null ? '' : ` and ${alias}.customer_id = ${customer}`);
  const where = ['c.active', ...scoped('customer_dtl', 'c', values)];
  const limits: [string, string][] = [
    ['branch_id', 'd.branch_id'],
    ['building_id', 'd.building_id'],
    ['customer_group_id', 'c.customer_group_id'],
    ['customer_grade_id', 'c.customer_grade_id'],
  ];
  for (const [name, column] of limits)
    if ((parameters[name] ?? null) !== null) where.push(`${column} = ${values.bind(parameters[name])}`);
  for (const name of ['area_id', 'route_id'])
    if ((parameters[name] ?? null) !== null)
      where.push(`d.building_id in (select id from {building} where ${name} = ${values.bind(parameters[name])})`);
  const late = parameters.basis === 'bill_date' ? '$2::date - d.bill_date' : '$2::date - d.due_on';
  const at = bucketSql(late, bounds);
  const keys = group.map((name) => (name === 'billing_id' ? 'd.id as billing_id' : `d.${name}`));
  const same = group.map((name) => `g.${name}`).join(', ');
  const named: Readonly<Record<string, string>> = {
    building_id: 'left join {building} n_building_id on n_building_id.id = g.building_id',
    contract_id: 'left join {contract} n_contract_id on n_contract_id.id = g.contract_id',
    billing_id: 'left join {billing} n_billing_id on n_billing_id.id = g.billing_id',
  };
  const names: Readonly<Record<string, string>> = {
    building_id: 'name',
    contract_id: 'contract_no',
    billing_id: 'bill_no',
  };
  const labelled = group.filter((name) => name in named);
  // One statement reads the total of the bills and of the columns, so that both are of one moment.
  return db.query<Due>(
    preparedStatement(
      inSchema(
        schema,
        `with ${duesOf(customer)},
         o as materialized (select ${keys.join(', ')}, ${late} as days, ${at} as bucket, d.total, d.cash, d.tds, d.other, d.notes, d.outstanding
           from dues d join {customer_dtl} c on c.id = d.customer_id where d.outstanding <> 0 and ${where.join(' and ')}),
         g as (select ${group.join(', ')}, bucket, max(days) as days, sum(total) as total, sum(cash) as cash, sum(tds) as tds,
           sum(other) as other, sum(notes) as notes, sum(outstanding) as outstanding from o group by ${group.join(', ')}, bucket),
         w as (select g.*, greatest((max(g.days) over same)::int, 0) as most, (sum(g.total) over same)::text as all_total, (sum(g.cash) over same)::text as all_cash,
           (sum(g.tds) over same)::text as all_tds, (sum(g.other) over same)::text as all_other, (sum(g.notes) over same)::text as all_notes,
           (sum(g.outstanding) over ())::text as whole, (sum(g.outstanding) filter (where g.bucket > 0) over ())::text as late from g window same as (partition by ${same})),
         recent as (select coalesce(sum(d.total) filter (where d.bill_date > $2::date - 90), 0)::text as billed,
           coalesce(sum(d.total) filter (where d.due_on between $2::date - 89 and $2::date), 0)::text as fell_due,
           coalesce(sum(d.total - d.outstanding) filter (where d.due_on between $2::date - 89 and $2::date), 0)::text as settled
           from dues d join {customer_dtl} c on c.id = d.customer_id where ${where.join(' and ')}),
         held as (select r.customer_id, sum(r.amount) as amount from {receipt} r where r.entity_id = $1 and r.status = 'held'${ofCustomer('r')} group by 1),
         last as (select distinct on (f.customer_id) f.customer_id, f.done_on, f.remark, f.promised_on, f.promised_amount from {collection_follow_up} f
           where f.entity_id = $1 and f.active and f.done_on <= $2::date${ofCustomer('f')} order by f.customer_id, f.done_on desc, f.id desc)
         select (select n.name from {entity} n where n.id = $1) as company, ${same}, g.bucket, g.outstanding::text as outstanding, g.whole, g.late, (select sum(outstanding)::text from o) as of_bills, g.most as days, g.all_total as total, g.all_cash as cash,
           g.all_tds as tds, g.all_other as other, g.all_notes as notes, coalesce(a.amount, 0)::text as advance,
           coalesce(h.amount, 0)::text as held, l.done_on::text as followed_on, l.remark as comment,
           l.promised_on::text as promised_on, l.promised_amount::text as promised, c.name as customer_id__label, x.billed, x.fell_due, x.settled
           ${labelled.map((name) => `, n_${name}.${names[name]!} as ${name}__label`).join('')}
         from w g cross join recent x join {customer_dtl} c on c.id = g.customer_id
         left join advances a on a.customer_id = g.customer_id left join held h on h.customer_id = g.customer_id
         left join last l on l.customer_id = g.customer_id ${labelled.map((name) => named[name]!).join(' ')}
         order by c.name, ${same}, g.bucket limit ${MAX_ROWS + 1}`,
      ),
      values.list,
    ),
  );
}

/** Dues by age on any day (C16); advances and post-dated cheques are shown separately and never netted. */
const outstanding: ReportSource = {
  reads: {
    billing: ['grand_total', 'customer_id', 'paid'],
    receipt: ['amount', 'customer_id'],
    advance_use: ['total'],
    customer_dtl: ['name', 'customer_grade_id'],
    collection_follow_up: ['remark', 'promised_on', 'promised_amount'],
    building: ['area_id', 'route_id'],
    policy_definition: [],
    policy_type_mstr: [],
  },
  // The names of the reader's own companies.
  counts: ['entity'],
  async rows(call) {
    const { session, parameters, today } = call;
    const { db, schema } = session.tenant;
    const asks: Asks = { query: (text, values) => db.query(inSchema(schema, text), values) };
    const asOn = String(parameters.as_on ?? today);
    const companies = session.entityId === null ? session.entityIds : [session.entityId];
    const limits = await Promise.all(companies.map((company) => ageingOf(asks, company, asOn, parameters.branch_id)));
    // Columns of all companies have one meaning: where their policies differ, they are the usual ones.
    const isSame = limits.every((one) => String(one) === String(limits[0]));
    const bounds = (isSame ? limits[0] : undefined) ?? [...AGEING_DAYS];
    const group = groupOf(parameters);
    const rows: Due[] = [];
    let [sum, overdue] = [new Decimal(0), new Decimal(0)];
    const recent = { billed: new Decimal(0), fell_due: new Decimal(0), settled: new Decimal(0) };
    for (const company of companies) {
      const own = await duesIn(call, company, asOn, bounds);
      const [first] = own;
      if (!first) continue;
      if (!new Decimal(first.whole).equals(first.of_bills))
        throw new Error(`Ageing adds up to ${first.whole}, outstanding is ${first.of_bills}.`);
      rows.push(...own);
      [sum, overdue] = [sum.plus(first.of_bills), overdue.plus(first.late ?? 0)];
      for (const name of ['billed', 'fell_due', 'settled'] as const) recent[name] = recent[name].plus(first[name]);
    }
    const titles = bucketTitles(bounds);
    const chosen = parameters.bucket === null || parameters.bucket === undefined ? null : Number(parameters.bucket);
    const kept = chosen === null ? rows : rows.filter(({ bucket }) => Math.min(bucket, 9) === chosen);
    const total = formatMoney(sum.toFixed(2));
    return {
      figures: [
        { title: 'Outstanding', value: total },
        {
          title: 'Overdue',
          value: formatMoney(overdue.toFixed(2)),
          ...(overdue.greaterThan(0) && { tone: 'danger' as const }),
        },
        ...(rows[0]
          ? pace(sum.toFixed(2), {
              billed: recent.billed.toFixed(2),
              fell_due: recent.fell_due.toFixed(2),
              settled: recent.settled.toFixed(2),
            })
          : []),
        ...(await besides(asks, companies, asOn, parameters.customer_id ?? null)),
      ],
      rows: kept.map(
        ({ whole: _whole, late: _late, of_bills: _sum, billed: _billed, fell_due: _due, settled: _paid, ...row }) => ({
          ...row,
          bucket: titles[row.bucket]!,
          statement: 'Statement',
          reminder: 'Follow up',
        }),
      ),
      totals: ofCustomers(kept),
      pivot: titles.map((title) => ({ value: title, title })),
      without: [...GROUPS.bill!, 'contract_id', 'company'].filter(
        (name) => !(name === 'company' ? companies.length > 1 : group.includes(name)),
      ),
      note: `Outstanding ${total}: the total of the age columns. Advances are shown separately.${isSame ? '' : ' The companies count age by different days; these are the usual ones.'}`,
    };
  },
};
export default outstanding;
