import type { RecordFigure } from '../../engine/record_figure.ts';
import { departmentOf } from '../../engine/record_figure.ts';

/** Visitors who might buy; who comes for service or to sell does not count. A group is one. */
const COUNTED = ['purchase', 'enquiry', 'exchange'];

const COUNTED_IN_SPAN = `w.active and w.purpose in ('${COUNTED.join("', '")}')
      and (w.walkin_at at time zone span.zone)::date between span.first and span.last`;

const OF_WALKINS: Pick<RecordFigure, 'reads' | 'of' | 'records'> = {
  reads: ['walkin'],
  of: {
    employee: 'w.salesman_id',
    department: departmentOf('w.salesman_id'),
    branch: 'w.branch_id',
    store: 'w.store_id',
    entity: 'w.entity_id',
  },
  records: {
    type: 'walkin',
    by: { employee: 'salesman_id', branch: 'branch_id', store: 'store_id' },
    filter: ['and', ['purpose', 'in', COUNTED], ['walkin_at', 'between', [':first', ':last']]],
  },
};

/** Figures of salesmen, departments, branches, stores and the company, by the day on which the visitors came. */
export const recordFigures: Record<string, RecordFigure> = {
  wlk_count: {
    ...OF_WALKINS,
    title: 'Walk-ins',
    none: '0',
    sql: `select :owner as owner, count(*)::text as value
      from {walkin} w cross join span where :owner = any(span.owners) and ${COUNTED_IN_SPAN} group by 1`,
  },
  wlk_conversion_pct: {
    ...OF_WALKINS,
    title: 'Walk-ins who bought, %',
    sql: `select :owner as owner, round(100.0 * count(*) filter (where w.outcome = 'purchased') / count(*), 4)::text as value
      from {walkin} w cross join span where :owner = any(span.owners) and ${COUNTED_IN_SPAN} group by 1`,
  },
};
