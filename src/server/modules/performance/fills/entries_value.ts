import type { Aggregation } from '../../../../domain/performance/over_time.ts';
import { overTime } from '../../../../domain/performance/over_time.ts';
import type { Fill } from '../../../engine/modules.ts';
import { figuresOfParts, partsOf } from '../figures_by_dimension.ts';
import { entriesOf } from '../entries.ts';
import { numberOf } from '../sheet_lines.ts';

/**
 * The actual of a KPI that is entered by day, week or part: from the figures so far, as the KPI is aggregated (§5.6). The
 * parts of a KPI whose last period counts stand side by side: they add up.
 */
export const entriesValue: Fill = {
  async run({ unit, record }) {
    const entries = entriesOf(record);
    const parts = partsOf(record);
    if (entries.length + parts.length === 0) return { value: numberOf(record.value) };
    const [kpi] = await unit.query<{ aggregation: Aggregation }>(
      'select period_aggregation as aggregation from {kpi} where id = $1',
      [record.kpi_id],
    );
    const aggregation = kpi?.aggregation ?? 'sum';
    if (entries.length === 0)
      return { value: overTime(figuresOfParts(parts), aggregation === 'last' ? 'sum' : aggregation).actual };
    const figures = entries.map(({ value }) => ({ actual: numberOf(value), target: null }));
    return { value: overTime(figures, aggregation).actual };
  },
};
