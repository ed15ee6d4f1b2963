import type { PersonFigure } from '../../engine/modules.ts';

/** Figures of sales persons, by the days on which contracts end. */
export const personFigures: Record<string, PersonFigure> = {
  fms_amc_renewal_pct: {
    title: 'Contracts renewed, %',
    reads: ['contract'],
    sql: `select c.sales_person_id as person,
      round(100.0 * count(*) filter (where c.status = 'renewed') / count(*), 4)::text as value
      from {contract} c cross join span where c.active and c.sales_person_id = any(span.people) and c.contract_kind = 'amc' and c.status in ('renewed', 'expired')
      and c.end_on between span.first and span.last group by 1`,
  },
};
