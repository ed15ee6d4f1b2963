import type { ReportSource } from '../../engine/reports/report_source.ts';
import { NOTHING, SALES_READS, methodOf, monthsAhead, storeForecasts } from './sources/sales.ts';

const fixed = (value: number | null | undefined): string | null =>
  value === null || value === undefined ? null : value.toFixed(2);

/** How far the forecast of each category in each store was off in its back-test (performance.md §7). */
const forecastAccuracy: ReportSource = {
  reads: SALES_READS,
  async rows(call) {
    const series = await storeForecasts(call, 1);
    const rows = series
      .map(({ store, category, found: { errors, held, ...found } }) => ({
        series: `${store}, ${category}`,
        method: methodOf(found),
        wape: fixed(errors?.wape),
        mase: fixed(errors?.mase),
        bias: fixed(errors?.bias),
        origins: held.length,
        actual: fixed(held.at(-1)?.actual),
        expected: fixed(held.at(-1)?.expected),
      }))
      .toSorted((a, b) => Number(b.wape) - Number(a.wape));
    if (rows.length === 0) return { rows, note: NOTHING };
    const months = await monthsAhead(call);
    const line = (title: string, name: string) => ({
      title,
      values: months.map((month) => (month[name] === null ? null : Number(month[name]))),
    });
    return {
      rows,
      chart: {
        x: months.map(({ month }) => String(month)),
        series: [line('Sold', 'sold'), line('Forecast', 'expected'), line('At least', 'low'), line('At most', 'high')],
      },
    };
  },
};

export default forecastAccuracy;
