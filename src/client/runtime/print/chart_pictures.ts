import * as echarts from 'echarts/core';
import type { EChartsCoreOption } from 'echarts/core';
import { host } from '../../app/brand.ts';
import { themeFor } from '../../app/theme.ts';
import { printedCharts } from './printed_charts.ts';

/** The size of a printed chart, in page pixels. */
const [WIDTH, HEIGHT] = [680, 300];

/**
 * Renders a chart of the page again for printing, with the light theme, as long as the chart exists. @returns the
 * cleanup function
 */
export function offerPicture(
  chart: Element,
  option: (drawn: { token: (name: string) => string; width: number }) => EChartsCoreOption,
): () => void {
  printedCharts.set(chart, () => {
    const theme = themeFor(host.get()?.brand?.primary ?? null, false);
    const token = (name: string) => String(theme[name.slice('--'.length) as keyof typeof theme]);
    const drawn = echarts.init(document.createElement('div'), null, { width: WIDTH, height: HEIGHT });
    drawn.setOption({ ...option({ token, width: WIDTH }), animation: false });
    const picture = drawn.getDataURL({ pixelRatio: 2, backgroundColor: token('--colorNeutralBackground1') });
    drawn.dispose();
    return picture;
  });
  return () => printedCharts.delete(chart);
}
