import * as echarts from 'echarts/core';
import type { EChartsCoreOption } from 'echarts/core';
import { host } from '../../app/brand.ts';
import { themeFor } from '../../app/theme.ts';
import { printedCharts } from './printed_charts.ts';

/** The size of a chart on paper, in pixels of the page. */
const [WIDTH, HEIGHT] = [680, 300];

/** Draws a chart of the page anew for paper, with the light theme's tokens, as long as the chart is there. @returns the end of it */
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
