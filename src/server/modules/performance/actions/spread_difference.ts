import { weightsOfHundred } from '../../../../domain/performance/phasing.ts';
import type { Action } from '../../../engine/modules.ts';
import { kpisOf, linesOf, numberOf } from '../sheet_lines.ts';

/** Brings the weights of a sheet to 100, in proportion and within the limits of their types (§10); metrics get none. */
export const spreadDifference: Action = {
  async run({ unit, record }) {
    const lines = linesOf(record);
    const kpis = await kpisOf(unit, lines);
    const weighed = lines.filter(({ kpi_id: id }) => kpis.get(id as number)?.measure === 'kpi');
    if (weighed.length === 0) unit.refuse([{ field: 'lines', message: 'Add at least one KPI.' }]);
    const weights = weightsOfHundred(
      weighed.map((line) => {
        const { weight_min: min, weight_max: max } = kpis.get(line.kpi_id as number)!;
        return { weight: numberOf(line.weight) ?? '0', min, max };
      }),
    );
    if (weights === null)
      return unit.refuse([
        {
          field: 'lines',
          message: 'The limits of the KPI types allow no total of 100. Add or remove a KPI, or change the limits.',
        },
      ]);
    return {
      set: { lines: lines.map((line) => ({ ...line, weight: weighed.includes(line) ? weights.shift()! : '0.00' })) },
      done: 'The weights add up to 100.',
    };
  },
};
