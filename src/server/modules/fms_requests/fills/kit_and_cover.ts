import { Exact } from '../../../../descriptor/exact.ts';
import type { Fill } from '../../../engine/modules.ts';
import { coverOfLines } from '../cover_facts.ts';
import { heldLines } from '../open_lines.ts';
import { dayOfAct } from '../request_day.ts';
import { rowsOf } from '../request_lines.ts';

/** Fills the source kit of used parts, the requests that they were issued for, and their approved or current cover. */
export const kitAndCover: Fill = {
  async run({ unit, record }) {
    const [kit] = await unit.query<{ id: number }>(
      `select id from {stock_point} where active and kind = 'technician' and employee_id = $1 and entity_id = $2 order by id limit 1`,
      [record.technician_id ?? null, unit.session.entityId],
    );
    const lift = typeof record.lift_id === 'number' ? record.lift_id : null;
    const held = lift === null ? [] : await heldLines(unit, record.technician_id, lift);
    const rows = rowsOf(record);
    const doneAt = typeof record.done_at === 'string' ? new Date(record.done_at) : unit.at;
    const covered = await coverOfLines(
      unit,
      { ...record, id: null, lines: rows },
      { day: dayOfAct(unit, record, doneAt), forLift: true },
    );
    return {
      from_stock_point_id: kit ? Number(kit.id) : null,
      lines: rows.map((row, at) => {
        const line = held.find(({ item }) => item === row.item_id);
        const now = covered.lines[at]!;
        return {
          mr_line: line?.id ?? null,
          mr_id: line?.request ?? null,
          cover: line ? line.cover : (now.cover?.cover ?? null),
          cover_because: line ? line.because : now.because,
          price: line
            ? new Exact(line.each)
                .times(String(row.qty ?? 0))
                .toDecimalPlaces(2)
                .toFixed(2)
            : (now.cover?.customer ?? '0'),
        };
      }),
    };
  },
};
