import { parts, runningSums } from '../../../../domain/performance/phasing.ts';
import type { Action } from '../../../engine/modules.ts';
import { phaseWeights } from '../phase_weights.ts';
import { kpisOf, linesOf, needsNumber, numberOf, periodsOf, startMonthOf } from '../sheet_lines.ts';

/** Spreads the annual targets over the periods of each line, except lines with manual targets (§5.2). */
export const spreadTargets: Action = {
  async run({ unit, record, rows: selected }) {
    const lines = linesOf(record);
    if (!record?.financial_year || !record.valid_from || !record.valid_to)
      unit.refuse([{ field: 'financial_year', message: 'Choose the financial year and its days first.' }]);
    const kpis = await kpisOf(unit, lines);
    const startMonth = await startMonthOf(unit);
    const rows: Record<string, unknown>[] = [];
    for (const [at, line] of lines.entries()) {
      const kpi = kpis.get(line.kpi_id as number);
      const total = numberOf(line.year_target);
      const isMeant = selected.length === 0 || selected.includes(at);
      const periods = kpi ? periodsOf(record!, kpi.frequency, startMonth) : [];
      if (
        !kpi ||
        total === null ||
        line.phasing === 'manual' ||
        !isMeant ||
        !needsNumber(kpi) ||
        periods.length === 0
      ) {
        rows.push({ ...line });
        continue;
      }
      const isToDate = kpi.behaviour === 'cumulative';
      const spread =
        kpi.is_phased && (isToDate || kpi.period_aggregation === 'sum')
          ? parts(total, await phaseWeights(unit, record!, { line, kpi, periods }), kpi.decimals)
          : periods.map(() => total);
      const shares = isToDate && kpi.is_phased ? runningSums(spread) : spread;
      rows.push({ ...line, ...Object.fromEntries(periods.map(({ column }, place) => [column, shares[place]])) });
    }
    return { rows };
  },
};
