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
};
