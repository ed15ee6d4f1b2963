import type { RecordFigure } from '../../engine/record_figure.ts';
import { departmentOf } from '../../engine/record_figure.ts';
import { duesOf } from './dues.ts';

/** The last day of the span, at most today. */
const AS_ON = '(select least(span.last, (now() at time zone span.zone)::date) from span)';
const DUES = duesOf(null).replaceAll('$1', '(select company from span)').replaceAll('$2::date', AS_ON);

/**
 * Figures of whoever collects money, in which a receipt that is a draft, rejected, bounced or reversed does not count; and
 * of account managers, for their customers; and of branches and the company.
 */
export const recordFigures: Record<string, RecordFigure> = {
  fms_collection: {
    title: 'Money collected',
    reads: ['receipt'],
    none: '0',
    records: {
      type: 'receipt',
      by: { employee: 'collected_by_id', branch: 'branch_id' },
      filter: [
        'and',
        ['status', 'in', ['approved', 'deposited', 'cleared']],
        ['receipt_on', 'between', [':first', ':last']],
      ],
    },
    of: {
      employee: 'r.collected_by_id',
      department: departmentOf('r.collected_by_id'),
      branch: 'r.branch_id',
      entity: 'r.entity_id',
    },
    sql: `select :owner as owner, sum(r.amount)::text as value
      from {receipt} r cross join span where r.active and :owner = any(span.owners) and r.status in ('approved', 'deposited', 'cleared')
      and r.receipt_on between span.first and span.last group by 1`,
  },
  fms_billing: {
    title: 'Billed without tax, less credit notes',
    reads: ['billing', 'customer_dtl'],
    none: '0',
    of: { employee: 'c.account_manager_id', branch: 'b.branch_id', entity: 'b.entity_id' },
    sql: `select :owner as owner,
        sum(case when b.bill_kind = 'credit_note' then -b.taxable_total else b.taxable_total end)::text as value
      from {billing} b join {customer_dtl} c on c.id = b.customer_id cross join span
      where b.active and :owner = any(span.owners) and b.status = 'posted' and b.bill_kind <> 'proforma'
      and b.bill_date between span.first and span.last group by 1`,
  },
  fms_outstanding: {
    title: 'Outstanding at the end',
    reads: ['billing', 'receipt', 'advance_use', 'customer_dtl'],
    none: '0',
    of: { employee: 'c.account_manager_id', branch: 'dues.branch_id', entity: 'c.entity_id' },
    sql: `select d.owner, sum(d.outstanding)::text as value from (
        with ${DUES} select :owner as owner, dues.outstanding from dues join {customer_dtl} c on c.id = dues.customer_id) d
      cross join span where d.owner = any(span.owners) group by 1`,
  },
};
