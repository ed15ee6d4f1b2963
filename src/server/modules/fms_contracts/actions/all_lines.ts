import type { Action } from '../../../engine/modules.ts';
import { rowsOf } from '../line_money.ts';

/** Adds all active lifts of the chosen contract to the document. */
export const allLines: Action = {
  async run({ unit, record }) {
    const rows = rowsOf(record?.lines);
    const known = new Set(rows.map(({ contract_line_id: id }) => id));
    const lines = await unit.query<{ id: number }>(
      `select l.id from {contract_line} l where l.contract_id = $1 and l.line_status in ('active', 'held') and l.active order by l."position"`,
      [record?.contract_id ?? null],
    );
    return {
      rows: [...rows, ...lines.flatMap(({ id }) => (known.has(id) ? [] : [{ contract_line_id: id }]))],
    };
  },
};
