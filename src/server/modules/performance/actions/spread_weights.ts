import { evenWeights } from '../../../../domain/performance/phasing.ts';
import type { Action } from '../../../engine/modules.ts';
import { kpisOf, linesOf } from '../sheet_lines.ts';

/** Distributes a weight of 100 equally among the KPIs of the sheet; metrics get none. */
export const spreadWeights: Action = {
  async run({ unit, record }) {
    const lines = linesOf(record);
    const kpis = await kpisOf(unit, lines);
    const isWeighed = (id: unknown) => kpis.get(id as number)?.measure === 'kpi';
    const weights = evenWeights(lines.filter(({ kpi_id: id }) => isWeighed(id)).length);
    return {
      rows: lines.map((line) => ({ ...line, weight: isWeighed(line.kpi_id) ? weights.shift()! : '0.00' })),
    };
  },
};
