import type { PersonFigure } from '../../engine/person_figure.ts';

/** Figures of sales persons, by the days on which contracts end. */
export const personFigures: Record<string, PersonFigure> = {
  fms_amc_renewal_pct: {
    title: 'Contracts renewed, %',
    reads: ['contract'],
    records: {
      type: 'contract',
      filter: [
        'and',
        ['sales_person_id', 'eq', ':person'],
        ['contract_kind', 'eq', 'amc'],
        ['status', 'in', ['renewed', 'expired']],
        ['end_on', 'between', [':first', ':last']],
      ],
    },
    sql: `select c.sales_person_id as person,
      round(100.0 * count(*) filter (where c.status = 'renewed') / count(*), 4)::text as value
      from {contract} c cross join span where c.active and c.sales_person_id = any(span.people) and c.contract_kind = 'amc' and c.status in ('renewed', 'expired')
      and c.end_on between span.first and span.last group by 1`,
  },
};
