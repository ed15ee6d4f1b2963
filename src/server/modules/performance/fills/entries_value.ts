import type { Aggregation } from '../../../../domain/performance/over_time.ts';
import { overTime } from '../../../../domain/performance/over_time.ts';
import type { Fill } from '../../../engine/modules.ts';
import { entriesOf } from '../entries.ts';
import { numberOf } from '../sheet_lines.ts';

/** The actual of a KPI that is entered by day or week: from the figures so far, as the KPI is aggregated (§5.6). */
export const entriesValue: Fill = {
  async run({ unit, record }) {
    const entries = entriesOf(record);
    if (entries.length === 0) return { value: numberOf(record.value) };
    const [kpi] = await unit.query<{ aggregation: Aggregation }>(
      'select period_aggregation as aggregation from {kpi} where id = $1',
      [record.kpi_id],
    );
    const figures = entries.map(({ value }) => ({ actual: numberOf(value), target: null }));
    return { value: overTime(figures, kpi?.aggregation ?? 'sum').actual };
  },
};
