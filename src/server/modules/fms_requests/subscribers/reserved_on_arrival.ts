import { Exact } from '../../../../descriptor/exact.ts';
import type { Subscriber } from '../../../engine/modules.ts';
import { notifyReady } from '../notify_ready.ts';

/** Updates the lines of requests when goods reserved for them arrive; a complete line is ready for collection. */
export const reservedOnArrival: Subscriber = {
  async run({ unit }) {
    const rows = await unit.query<{
      request: number;
      line: number;
      kept: string;
      needed: string;
      issued: string;
      status: string;
    }>(
      `select l.parent_id as request, l.id as line, sum(r.qty - r.consumed_qty)::text as kept, coalesce(l.approved_qty, l.qty)::text as needed, l.issued_qty::text as issued, l.line_status as status
       from {stock_reservation} r join {mr.lines} l on l.id = r.document_line_id and l.parent_id = r.document_id
       where r.document_type = 'mr' and r.state = 'active' and l.line_status in ('planned', 'ready')
       group by l.parent_id, l.id having sum(r.qty - r.consumed_qty) <> l.reserved_qty order by l.parent_id, l.id`,
    );
    for (const [request, own] of Map.groupBy(rows, (row) => Number(row.request))) {
      const ready: number[] = [];
      const set = own.map(({ line, kept, needed, issued, status }) => {
        const isComplete = new Exact(kept).plus(issued).greaterThanOrEqualTo(needed);
        if (isComplete && status !== 'ready') ready.push(Number(line));
        return [line, { reserved_qty: kept, line_status: isComplete ? 'ready' : 'planned' }];
      });
      await unit.update('mr', request, { lines: { set: Object.fromEntries(set) } });
      await notifyReady(unit, request, ready);
    }
  },
};
