import type { RecordFigure } from '../../engine/record_figure.ts';
import { departmentOf } from '../../engine/record_figure.ts';

const OWNERS: RecordFigure['of'] = {
  employee: 'c.sales_person_id',
  department: departmentOf('c.sales_person_id'),
  branch: 'c.branch_id',
  entity: 'c.entity_id',
};

/** Figures of sales persons and units, by the days on which contracts end. */
export const recordFigures: Record<string, RecordFigure> = {
  fms_amc_renewal_pct: {
    title: 'Contracts renewed, %',
    reads: ['contract'],
    records: {
      type: 'contract',
      by: { employee: 'sales_person_id', branch: 'branch_id' },
      filter: [
        'and',
        ['contract_kind', 'eq', 'amc'],
        ['status', 'in', ['renewed', 'expired']],
        ['end_on', 'between', [':first', ':last']],
      ],
    },
    of: OWNERS,
    sql: `select :owner as owner,
      round(100.0 * count(*) filter (where c.status = 'renewed') / count(*), 4)::text as value
      from {contract} c cross join span where c.active and :owner = any(span.owners) and c.contract_kind = 'amc' and c.status in ('renewed', 'expired')
      and c.end_on between span.first and span.last group by 1`,
  },
};
