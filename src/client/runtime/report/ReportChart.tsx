import { BarChart, BoxplotChart, LineChart } from 'echarts/charts';
import { AriaComponent, GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import * as echarts from 'echarts/core';
import { LabelLayout } from 'echarts/features';
import { CanvasRenderer } from 'echarts/renderers';
import type { KeyboardEvent } from 'react';
import { useEffect, useRef, useState } from 'react';
import type { ChartKind, ReportAnswer } from '../../../domain/report.ts';
import { useDark } from '../../app/preferences.ts';
import { offerPicture } from '../print/chart_pictures.ts';
import { coloursOf } from '../series_colours.ts';
import { waterfallSeries } from '../waterfall.ts';
import { chartText } from './chart_text.ts';
import styles from './report.module.css';

echarts.use([
  BarChart,
  BoxplotChart,
  LineChart,
  GridComponent,
  TooltipComponent,
  LegendComponent,
  AriaComponent,
  LabelLayout,
  CanvasRenderer,
]);

/**
 * Theme colours used in turn for series: distinguishable in light and dark, and for people with red-green colour
 * blindness.
 */
const COLOURS = [
  '--colorBrandStroke1',
  '--colorPaletteMarigoldBorderActive',
  '--colorPaletteTealBorderActive',
  '--colorPaletteBerryBorderActive',
  '--colorPaletteSteelBorderActive',
  '--colorPaletteForestBorderActive',
  '--colorPaletteLavenderBorderActive',
];

/** The space needed by a value label, in pixels. */
const MIN_LABEL = 28;

/** The chart of the report's figures; the table below has the same numbers. */
export default function ReportChart({
  kind,
  stacked = false,
  title,
  chart,
  onPick,
}: {
  kind: ChartKind;
  stacked?: boolean;
  title: string;
  chart: NonNullable<ReportAnswer['chart']>;
  onPick?: ((at: number) => void) | undefined;
}) {
  const pick = useRef(onPick);
  useEffect(() => {
    pick.current = onPick;
  });
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<echarts.ECharts>(null);
  /** The point focused by arrow keys; null = none yet. */
  const [point, setPoint] = useState<number | null>(null);
  const said =
    point === null || point >= chart.x.length
      ? ''
      : `${chart.x[point]}: ${chart.series.map(({ title: of, values }) => `${of} ${values[point] === null ? 'none' : chartText(chart, values[point]!)}`).join(', ')}`;
  const walk = (event: KeyboardEvent) => {
    const last = chart.x.length - 1;
    const to: Record<string, number> = {
      ArrowRight: point === null ? 0 : Math.min(last, point + 1),
      ArrowLeft: point === null ? last : Math.max(0, point - 1),
      Home: 0,
      End: last,
    };
    if (event.key === 'Enter' && point !== null) pick.current?.(point);
    const next = to[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setPoint(next);
    canvas.current?.dispatchAction({ type: 'showTip', seriesIndex: kind === 'waterfall' ? 1 : 0, dataIndex: next });
  };
  const dark = useDark();
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const drawn = echarts.init(element);
    canvas.current = drawn;
    const css = getComputedStyle(element);
    const option = (on: { token: (name: string) => string; width: number }) =>
      optionOf({ ...on, kind, stacked, title, chart, pointer: pick.current !== undefined });
    drawn.setOption(option({ token: (name) => css.getPropertyValue(name).trim(), width: element.clientWidth }));
    const withdraw = offerPicture(element, option);
    drawn.on('click', ({ dataIndex }) => {
      if (typeof dataIndex === 'number') pick.current?.(dataIndex);
    });
    const resize = new ResizeObserver(() => drawn.resize());
    resize.observe(element);
    return () => {
      resize.disconnect();
      withdraw();
      drawn.dispose();
    };
  }, [chart, kind, stacked, title, dark]);
  return (
    // Arrow keys focus point after point, whose values are announced.
    <div
      className={styles.points}
      tabIndex={0}
      role="group"
      aria-label={`Points of the chart of ${title}: arrow keys go from one to the next`}
      onKeyDown={walk}
    >
      <div ref={frame} className={styles.chart} role="img" aria-label={`Chart of ${title}`} />
      <span className={styles.said} role="status">
        {said}
      </span>
    </div>
  );
}

/** The chart for a given width, in the colours of the theme. */
function optionOf({
  token,
  width,
  kind,
  stacked,
  title,
  chart,
  pointer,
}: {
  token: (name: string) => string;
  width: number;
  kind: ChartKind;
  stacked: boolean;
  title: string;
  chart: NonNullable<ReportAnswer['chart']>;
  pointer: boolean;
}) {
  const words = { color: token('--colorNeutralForeground2'), fontFamily: token('--fontFamilyBase'), fontSize: 12 };
  // Every bar has a label if there is room for it in a few lines.
  const room = Math.floor(width / Math.max(1, chart.x.length + (kind === 'waterfall' ? 1 : 0))) - 12;
  // Values are shown at their points if there is room.
  const isLabelled = !stacked && room / Math.max(1, chart.series.length) >= MIN_LABEL;
  const names =
    kind !== 'line' && room >= 56
      ? { interval: 0, width: room, overflow: 'break', lineHeight: 15 }
      : { hideOverlap: true, width: 110, overflow: 'truncate' };
  const label = (formatter: (of: { value?: unknown; dataIndex: number }) => string) => ({
    show: true,
    position: 'top',
    ...words,
    fontSize: 11,
    formatter,
  });
  /** A waterfall: its bars have the size of their steps, the text also says which way they go. */
  const fallOf = () => {
    const { title: of = '', values = [] } = chart.series[0] ?? {};
    const total = values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
    const text = (at: number) => chartText(chart, at < values.length ? (values[at] ?? 0) : total);
    const [stand, bars] = waterfallSeries(values, token);
    return [
      { ...stand, tooltip: { show: false } },
      {
        ...bars,
        name: of,
        cursor: pointer ? 'pointer' : 'default',
        label: label(({ dataIndex }) => text(dataIndex)),
        labelLayout: { hideOverlap: true },
        tooltip: { valueFormatter: (_size: unknown, at: number) => text(at) },
      },
    ];
  };
  /** One box for each value of the axis: its figures are the series in order. */
  const boxes = {
    type: 'boxplot',
    cursor: pointer ? 'pointer' : 'default',
    boxWidth: [12, 40],
    itemStyle: { color: token('--colorBrandBackground2'), borderColor: token('--colorBrandStroke1'), borderWidth: 2 },
    data: chart.x.map((_, at) => chart.series.map(({ values }) => values[at] ?? 0)),
  };
  const boxText = ({ dataIndex: at }: { dataIndex: number }) =>
    [chart.x[at], ...chart.series.map(({ title: of, values }) => `${of}: ${chartText(chart, values[at] ?? 0)}`)].join(
      '\n',
    );
  return {
    animation: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    animationDuration: 200,
    aria: {
      enabled: true,
      label: {
        description: `${title}: ${chart.series.map((series) => series.title).join(', ')}. The table below has the figures.`,
      },
    },
    color:
      coloursOf(
        chart.series.map(({ tone }) => tone),
        token,
      ) ?? COLOURS.map(token),
    textStyle: words,
    // Space for the legend only if there is one; on a narrow screen it scrolls instead of covering the chart.
    grid: {
      left: 8,
      right: 16,
      top: chart.series.length > 1 && kind !== 'box' ? 40 : 20,
      bottom: 8,
      containLabel: true,
    },
    ...(chart.series.length > 1 &&
      kind !== 'box' && {
        legend: { type: 'scroll', top: 0, left: 0, right: 0, icon: 'roundRect', textStyle: words },
      }),
    // Rendered on the canvas: an HTML tooltip has inline styles, which the content security policy forbids.
    tooltip: {
      trigger: kind === 'waterfall' || kind === 'box' ? 'item' : 'axis',
      ...(kind === 'box' && { formatter: boxText }),
      renderMode: 'richText',
      backgroundColor: token('--colorNeutralBackground1'),
      borderColor: token('--colorNeutralStroke1'),
      textStyle: words,
      valueFormatter: (value: unknown) => (typeof value === 'number' ? chartText(chart, value) : '–'),
    },
    xAxis: {
      type: 'category',
      data: kind === 'waterfall' ? [...chart.x, 'Total'] : chart.x,
      axisLabel: { ...words, ...names },
      axisLine: { lineStyle: { color: token('--colorNeutralStroke1') } },
      axisTick: { show: false },
    },
    yAxis: {
      type: 'value',
      axisLabel: { ...words, formatter: (value: number) => chartText(chart, value) },
      splitLine: { lineStyle: { color: token('--colorNeutralStroke3') } },
      ...((kind === 'line' || kind === 'box') && { scale: true }),
    },
    series:
      kind === 'waterfall'
        ? fallOf()
        : kind === 'box'
          ? [boxes]
          : chart.series.map((series) => ({
              name: series.title,
              type: kind,
              cursor: pointer ? 'pointer' : 'default',
              ...(isLabelled && {
                label: label(({ value }) => (typeof value === 'number' ? chartText(chart, value) : '')),
                labelLayout: { hideOverlap: true },
              }),
              data: series.values,
              ...(kind === 'line'
                ? { showSymbol: chart.x.length <= 40, symbolSize: 6, lineStyle: { width: 2 } }
                : stacked
                  ? { stack: 'all', barMaxWidth: 48 }
                  : { barMaxWidth: 32, itemStyle: { borderRadius: [3, 3, 0, 0] } }),
            })),
  };
}
