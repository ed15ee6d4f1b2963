import type { PersonFigure } from '../../engine/person_figure.ts';

/** Figures of whoever collects money; a receipt that is a draft, rejected, bounced or reversed does not count. */
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
};
