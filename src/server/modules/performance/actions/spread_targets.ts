import { parts } from '../../../../domain/performance/phasing.ts';
import type { Action } from '../../../engine/modules.ts';
import { kpisOf, linesOf, needsNumber, numberOf, periodsOf, startMonthOf } from '../sheet_lines.ts';

/** Spreads the year's targets over the periods of each line, but where they are entered by hand (§5.2). */
export const spreadTargets: Action = {
  async run({ unit, record, rows: selected }) {
    const lines = linesOf(record);
    if (!record?.financial_year || !record.valid_from || !record.valid_to)
      unit.refuse([{ field: 'financial_year', message: 'Choose the financial year and its days first.' }]);
    const kpis = await kpisOf(unit, lines);
    const startMonth = await startMonthOf(unit);
    return {
      rows: lines.map((line, at) => {
        const kpi = kpis.get(line.kpi_id as number);
        const total = numberOf(line.year_target);
        const isMeant = selected.length === 0 || selected.includes(at);
        if (!kpi || total === null || line.phasing === 'manual' || !isMeant || !needsNumber(kpi)) return { ...line };
        const periods = periodsOf(record!, kpi.frequency, startMonth);
        const shares =
          kpi.period_aggregation === 'sum'
            ? parts(total, Array<number>(periods.length).fill(1), kpi.decimals)
            : periods.map(() => total);
        return { ...line, ...Object.fromEntries(periods.map(({ column }, place) => [column, shares[place]])) };
      }),
    };
  },
};
