import type { Job } from '../../../engine/modules.ts';
import { release } from '../stock/reservations.ts';

const PER_STEP = 100;

/** Every morning, releases reservations whose last day has passed, and updates the lines that had them. */
export const expireReservations: Job = {
  async run({ company, due, each }) {
    const freed = await each(
      (unit, after) =>
        unit.query<{ id: number; line: number; type: string }>(
          `select id, document_line_id as line, document_type as type from {stock_reservation} where entity_id = $1 and state = 'active' and expires_on < $2 and id > $3 order by id limit ${PER_STEP}`,
          [company, due.slice(0, 10), after ?? 0],
        ),
      async (unit, rows) => {
        await release(unit, { type: '', ids: rows.map(({ id }) => Number(id)) }, 'expired');
        const lines = rows.flatMap(({ type, line }) => (type === 'mr' ? [Number(line)] : []));
        if (lines.length > 0) unit.emit('fms_stores.reservations_expired', { lines });
        return Number(rows.at(-1)!.id);
      },
    );
    return `${freed} reservations released.`;
  },
};
