import type { Subscriber } from '../../../engine/modules.ts';

/**
 * Lines of requests whose reservation has expired are not ready for collection any more; whoever raised the request
 * learns of it.
 */
export const reservationsExpired: Subscriber = {
  async run({ event, unit }) {
    const { lines } = event.payload as unknown as { lines: number[] };
    const rows = await unit.query<{
      request: number;
      no: string | null;
      raiser: number | null;
      line: number;
      kept: string;
    }>(
      `select m.id as request, m.mr_no as no, m.created_by as raiser, l.id as line,
         coalesce((select sum(r.qty - r.consumed_qty) from {stock_reservation} r
           where r.document_type = 'mr' and r.document_line_id = l.id and r.state = 'active'), 0)::text as kept
       from {mr.lines} l join {mr} m on m.id = l.parent_id
       where l.id = any($1::bigint[]) and l.line_status in ('planned', 'ready') order by m.id, l.id`,
      [lines],
    );
    for (const [request, own] of Map.groupBy(rows, (row) => Number(row.request))) {
      const set = own.map(({ line, kept }) => [line, { reserved_qty: kept, line_status: 'planned' }]);
      await unit.update('mr', request, { lines: { set: Object.fromEntries(set) } });
      const { no, raiser } = own[0]!;
      if (raiser !== null)
        await unit.notify({
          event: 'stores.reservation_expired',
          to: [Number(raiser)],
          entityId: unit.session.entityId,
          link: `/mr_landing/view?id=${request}`,
          record: { type: 'mr', id: request },
          values: { request: no ?? String(request) },
        });
    }
  },
};
