import type { PersonFigure } from '../../engine/person_figure.ts';
import { duesOf } from './dues.ts';

/** The last day of the span, at most today. */
const AS_ON = '(select least(span.last, (now() at time zone span.zone)::date) from span)';
const DUES = duesOf(null).replaceAll('$1', '(select company from span)').replaceAll('$2::date', AS_ON);

/**
 * Figures of whoever collects money, in which a receipt that is a draft, rejected, bounced or reversed does not count; and
 * of account managers, for their customers.
 */
export const personFigures: Record<string, PersonFigure> = {
  fms_collection: {
    title: 'Money collected',
    reads: ['receipt'],
    none: '0',
    records: {
      type: 'receipt',
      filter: [
        'and',
        ['collected_by_id', 'eq', ':person'],
        ['status', 'in', ['approved', 'deposited', 'cleared']],
        ['receipt_on', 'between', [':first', ':last']],
      ],
    },
    sql: `select r.collected_by_id as person, sum(r.amount)::text as value
      from {receipt} r cross join span where r.active and r.collected_by_id = any(span.people) and r.status in ('approved', 'deposited', 'cleared')
      and r.receipt_on between span.first and span.last group by 1`,
  },
  fms_billing: {
    title: 'Billed without tax, less credit notes',
    reads: ['billing', 'customer_dtl'],
    none: '0',
    sql: `select c.account_manager_id as person,
        sum(case when b.bill_kind = 'credit_note' then -b.taxable_total else b.taxable_total end)::text as value
      from {billing} b join {customer_dtl} c on c.id = b.customer_id cross join span
      where b.active and c.account_manager_id = any(span.people) and b.status = 'posted' and b.bill_kind <> 'proforma'
      and b.bill_date between span.first and span.last group by 1`,
  },
  fms_outstanding: {
    title: 'Outstanding at the end',
    reads: ['billing', 'receipt', 'advance_use', 'customer_dtl'],
    none: '0',
    sql: `select d.person, sum(d.outstanding)::text as value from (
        with ${DUES} select c.account_manager_id as person, dues.outstanding from dues join {customer_dtl} c on c.id = dues.customer_id) d
      cross join span where d.person = any(span.people) group by 1`,
  },
};
