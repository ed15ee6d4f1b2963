import { Decimal } from 'decimal.js';
import { AGEING_DAYS } from '../../../domain/fms/ageing.ts';
import type { ReportRow } from '../../../domain/report.ts';
import { tableName } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';
import { ADVANCES, DUES } from './dues.ts';
import { ageingDays, applyingPolicy, policiesOf } from './policies.ts';
import type { CollectionPolicy } from './policies.ts';

/** The columns that dues are grouped by, for what the reader chose. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  customer: ['customer_id'],
  building: ['customer_id', 'building_id'],
  contract: ['customer_id', 'contract_id'],
  bill: ['customer_id', 'building_id', 'billing_id', 'bill_date', 'due_on'],
};

/** "31–60" and so on, by the bounds of the policy. */
export function bucketTitles(bounds: readonly number[]): string[] {
  return ['Not due', ...bounds.map((to, at) => `${(bounds[at - 1] ?? 0) + 1}–${to}`), `Over ${bounds.at(-1)!}`];
}

/** Dues and their age as on any day (C16); advances and cheques that are held stand beside and are never netted. */
const outstanding: ReportSource = {
  reads: {
    billing: ['grand_total', 'customer_id', 'paid'],
    receipt: ['amount', 'customer_id'],
    advance_use: ['total'],
    customer_dtl: ['name', 'customer_grade_id'],
    collection_follow_up: ['remark'],
    policy_definition: [],
    policy_type_mstr: [],
  },
  async rows({ session, parameters, scoped, today }) {
    const { db, schema } = session.tenant;
    const statement = (text: string) =>
      text.replace(/\{(\w+)(?:\.(\w+))?\}/g, (_all, type: string, rows?: string) =>
        tableName(schema, rows === undefined ? type : `${type}__${rows}`),
      );
    const asks = { query: <T>(text: string, values?: unknown[]) => db.query<T>(statement(text), values) };
    const asOn = String(parameters.as_on ?? today);
    const policy = applyingPolicy<CollectionPolicy>(await policiesOf(asks, session.entityId, 'COLLECTION'), asOn, {
      branch_id: (parameters.branch_id as number | null) ?? null,
    });
    const bounds = ageingDays(policy ?? { ageing_days: [...AGEING_DAYS] });
    const group = GROUPS[String(parameters.shown_by ?? 'customer')]!;
    const values = new SqlParams();
    values.bind(session.entityId);
    values.bind(asOn);
    const where = ['c.active', ...scoped('customer_dtl', 'c', values)];
    const limits: [string, string][] = [
      ['branch_id', 'd.branch_id'],
      ['customer_id', 'd.customer_id'],
      ['building_id', 'd.building_id'],
      ['customer_group_id', 'c.customer_group_id'],
      ['customer_grade_id', 'c.customer_grade_id'],
    ];
    for (const [name, column] of limits)
      if ((parameters[name] ?? null) !== null) where.push(`${column} = ${values.bind(parameters[name])}`);
    const late = parameters.basis === 'bill_date' ? '$2::date - d.bill_date' : '$2::date - d.due_on';
    const at = `case when ${late} <= 0 then 0 ${bounds.map((bound, place) => `when ${late} <= ${bound} then ${place + 1}`).join(' ')} else ${bounds.length + 1} end`;
    const keys = group.map((name) => (name === 'billing_id' ? 'd.id as billing_id' : `d.${name}`));
    const columns = group.map((name) => `o.${name}`);
    const rows = await db.query<ReportRow & { bucket: number; outstanding: string }>(
      preparedStatement(
        statement(`with ${DUES}, ${ADVANCES},
         o as (select ${keys.join(', ')}, ${late} as days, ${at} as bucket, d.total, d.cash, d.tds, d.other, d.notes, d.outstanding
           from dues d join {customer_dtl} c on c.id = d.customer_id where d.outstanding <> 0 and ${where.join(' and ')}),
         held as (select r.customer_id, sum(r.amount) as amount from {receipt} r where r.entity_id = $1 and r.status = 'held' group by 1),
         last as (select distinct on (f.customer_id) f.customer_id, f.done_on, f.remark from {collection_follow_up} f
           where f.entity_id = $1 and f.active and f.done_on <= $2::date order by f.customer_id, f.done_on desc, f.id desc),
         sums as (select ${group.join(', ')}, max(days) as days, sum(total) as total, sum(cash) as cash, sum(tds) as tds, sum(other) as other,
           sum(notes) as notes from o group by ${group.join(', ')})
         select ${columns.join(', ')}, o.bucket, sum(o.outstanding)::text as outstanding, s.days::int, s.total::text, s.cash::text, s.tds::text,
           s.other::text, s.notes::text, coalesce(a.amount, 0)::text as advance, coalesce(h.amount, 0)::text as held,
           l.done_on::text as followed_on, l.remark as comment, c.name as customer_id__label, count(*)::int as bills
           ${group.includes('building_id') ? ', (select g.name from {building} g where g.id = o.building_id) as building_id__label' : ''}
           ${group.includes('contract_id') ? ', (select k.contract_no from {contract} k where k.id = o.contract_id) as contract_id__label' : ''}
           ${group.includes('billing_id') ? ', (select b.bill_no from {billing} b where b.id = o.billing_id) as billing_id__label' : ''}
         from o join sums s on ${group.map((name) => `s.${name} is not distinct from o.${name}`).join(' and ')}
         join {customer_dtl} c on c.id = o.customer_id
         left join advances a on a.customer_id = o.customer_id left join held h on h.customer_id = o.customer_id
         left join last l on l.customer_id = o.customer_id
         group by ${columns.join(', ')}, o.bucket, s.days, s.total, s.cash, s.tds, s.other, s.notes, a.amount, h.amount, l.done_on, l.remark, c.name
         order by c.name, ${columns.join(', ')}, o.bucket limit 20000`),
        values.list,
      ),
    );
    const [whole] = await db.query<{ sum: string; advance: string }>(
      preparedStatement(
        statement(`with ${DUES}, ${ADVANCES}
         select coalesce(sum(d.outstanding), 0)::text as sum,
           (select coalesce(sum(a.amount), 0)::text from advances a) as advance
         from dues d join {customer_dtl} c on c.id = d.customer_id where ${where.join(' and ')}`),
        values.list,
      ),
    );
    const sum = rows.reduce((total, row) => total.plus(row.outstanding), new Decimal(0));
    if (!sum.equals(whole!.sum)) throw new Error(`Ageing adds up to ${sum.toFixed(2)}, outstanding is ${whole!.sum}.`);
    const titles = bucketTitles(bounds);
    const chosen = parameters.bucket === null || parameters.bucket === undefined ? null : Number(parameters.bucket);
    const kept = chosen === null ? rows : rows.filter(({ bucket }) => Math.min(bucket, 9) === chosen);
    return {
      rows: kept.map((row) => ({
        ...row,
        bucket: titles[row.bucket]!,
        statement: 'Statement',
        reminder: 'Follow up',
      })),
      pivot: titles.map((title) => ({ value: title, title })),
      note: `Outstanding ₹ ${new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2 }).format(Number(whole!.sum))}: the total of the age columns. Advances are shown separately.`,
    };
  },
};
export default outstanding;
