import type { PersonFigure } from '../../engine/person_figure.ts';

/** Figures of store managers, by the days of the sales of their stores. */
export const personFigures: Record<string, PersonFigure> = {
  sales_value: {
    title: 'Sales of the store',
    reads: ['line_sale', 'store'],
    none: '0',
    sql: `select s.manager_id as person, sum(l.amount)::text as value
      from {line_sale} l join {store} s on s.id = l.store_id cross join span where l.active and s.manager_id = any(span.people)
      and l.sold_on between span.first and span.last group by 1`,
  },
  sales_pieces: {
    title: 'Pieces sold by the store',
    reads: ['line_sale', 'store'],
    none: '0',
    sql: `select s.manager_id as person, sum(l.pieces)::text as value
      from {line_sale} l join {store} s on s.id = l.store_id cross join span where l.active and s.manager_id = any(span.people)
      and l.sold_on between span.first and span.last group by 1`,
  },
  inv_cover_days: {
    title: 'Days that the stock of the store lasts',
    reads: ['line_stock', 'line_sale', 'store'],
    isOfNow: true,
    sql: `select s.manager_id as person, round(sum(k.pieces) * 90.0 / sum(l.pieces), 2)::text as value
      from {store} s cross join span
      cross join lateral (select coalesce(sum(k.pieces), 0) as pieces from {line_stock} k where k.store_id = s.id and k.active) k
      cross join lateral (select coalesce(sum(l.pieces), 0) as pieces from {line_sale} l where l.store_id = s.id and l.active
        and l.sold_on > (now() at time zone span.zone)::date - 90 and l.sold_on <= (now() at time zone span.zone)::date) l
      where s.active and s.manager_id = any(span.people) group by 1 having sum(l.pieces) > 0`,
  },
};
