import type { RecordFigure } from '../../engine/record_figure.ts';

const OWNERS: RecordFigure['of'] = {
  employee: 's.manager_id',
  store: 's.id',
  branch: 's.branch_id',
  entity: 's.entity_id',
};

const SALES: RecordFigure['records'] = {
  type: 'line_sale',
  by: { store: 'store_id' },
  filter: ['sold_on', 'between', [':first', ':last']],
};

/** Figures of store managers, stores, branches and the company, by the days of the sales of their stores. */
export const recordFigures: Record<string, RecordFigure> = {
  sales_value: {
    title: 'Sales of the store',
    records: SALES,
    reads: ['line_sale', 'store'],
    none: '0',
    of: OWNERS,
    sql: `select :owner as owner, sum(l.amount)::text as value
      from {line_sale} l join {store} s on s.id = l.store_id cross join span where l.active and :owner = any(span.owners)
      and l.sold_on between span.first and span.last group by 1`,
  },
  sales_pieces: {
    title: 'Pieces sold by the store',
    records: SALES,
    reads: ['line_sale', 'store'],
    none: '0',
    of: OWNERS,
    sql: `select :owner as owner, sum(l.pieces)::text as value
      from {line_sale} l join {store} s on s.id = l.store_id cross join span where l.active and :owner = any(span.owners)
      and l.sold_on between span.first and span.last group by 1`,
  },
  inv_cover_days: {
    title: 'Days that the stock of the store lasts',
    reads: ['line_stock', 'line_sale', 'store'],
    isOfNow: true,
    of: OWNERS,
    sql: `select :owner as owner, round(sum(k.pieces) * 90.0 / sum(l.pieces), 2)::text as value
      from {store} s cross join span
      cross join lateral (select coalesce(sum(k.pieces), 0) as pieces from {line_stock} k where k.store_id = s.id and k.active) k
      cross join lateral (select coalesce(sum(l.pieces), 0) as pieces from {line_sale} l where l.store_id = s.id and l.active
        and l.sold_on > (now() at time zone span.zone)::date - 90 and l.sold_on <= (now() at time zone span.zone)::date) l
      where s.active and :owner = any(span.owners) group by 1 having sum(l.pieces) > 0`,
  },
};
