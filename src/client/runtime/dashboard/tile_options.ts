import type { EChartsCoreOption } from 'echarts/core';
import { isComputed } from '../../../descriptor/dashboard_kinds.ts';
import { formatCompact } from '../../../descriptor/format.ts';
import type { Field } from '../../../descriptor/types.ts';
import type { Tile, TileAnswer } from '../../../domain/dashboard.ts';
import type { ReportRow, Tone } from '../../../domain/report.ts';
import { toneOf } from '../../../domain/tone.ts';
import { coloursOf } from '../series_colours.ts';
import { waterfallSeries } from '../waterfall.ts';
import { columnsOf, exactText, figureText, gaugeFigure, matrixOf, nameOf, numberOf } from './tile_view.ts';

/** Tokens of the theme that series take in turn: apart in light, dark and to those who do not tell red from green. */
const COLOURS = [
  '--colorBrandStroke1',
  '--colorPaletteMarigoldBorderActive',
  '--colorPaletteTealBorderActive',
  '--colorPaletteBerryBorderActive',
  '--colorPaletteSteelBorderActive',
  '--colorPalettePumpkinBorderActive',
  '--colorPaletteLilacBorderActive',
];

/** What the page's theme and room give a chart. */
export interface Drawn {
  token: (name: string) => string;
  width: number;
}

/** What a click on a part of the chart means: the row behind it, and which of its figures. */
export type Part = { row: ReportRow; measure?: string } | null;

/** A chart as ECharts draws it, with the rows behind its parts by series and place. */
export interface Chart {
  option: EChartsCoreOption;
  parts: Part[][];
  /** The height in pixels that it needs to be readable, where that depends on its rows. */
  height?: number;
}

/** The height of a bar with its name, in pixels. */
const ROW_HEIGHT = 20;
/** A chart grows up to this number of rows. With more rows, some names are left out. */
const MAX_ROWS = 60;

/** What stands on its own name or figure: a group's rows, or the figures of one row. */
function slices(
  answer: TileAnswer,
): { name: string; value: number; column: Field; part: Part; tone?: Tone | undefined }[] {
  const { names, figures } = columnsOf(answer);
  const rows = answer.figures?.rows ?? [];
  const [along] = names;
  if (along)
    return rows.map((row) => ({
      name: nameOf(along, row),
      value: numberOf(row[figures[0]!.name]) ?? 0,
      column: figures[0]!,
      part: { row },
      tone: toneOf(along, row),
    }));
  return figures.map((column) => ({
    name: column.title,
    value: numberOf(rows[0]?.[column.name]) ?? 0,
    column,
    part: { row: {}, measure: column.name },
  }));
}

/** The chart of a tile. */
export function chartOf(tile: Tile, answer: TileAnswer, drawn: Drawn): Chart {
  switch (tile.kind) {
    case 'gauge':
      return gauge(tile, answer, drawn);
    case 'donut':
      return donut(answer, drawn);
    case 'funnel':
      return funnel(answer, drawn);
    case 'treemap':
      return treemap(answer, drawn);
    case 'waterfall':
      return waterfall(answer, drawn);
    default:
      return axes(tile, answer, drawn);
  }
}

const wordsOf = ({ token }: Drawn) => ({
  color: token('--colorNeutralForeground2'),
  fontFamily: token('--fontFamilyBase'),
  fontSize: 12,
});

function base(drawn: Drawn, tones: readonly (Tone | undefined)[] = []): EChartsCoreOption {
  const { token } = drawn;
  return {
    color: coloursOf(tones, token) ?? COLOURS.map(token),
    textStyle: wordsOf(drawn),
    // Drawn on the canvas: a tip of HTML carries styles of its own, which the page's rules refuse.
    tooltip: {
      renderMode: 'richText',
      confine: true,
      backgroundColor: token('--colorNeutralBackground1'),
      borderColor: token('--colorNeutralStroke1'),
      textStyle: wordsOf(drawn),
    },
  };
}

function legend(drawn: Drawn, at: object) {
  return { type: 'scroll', icon: 'roundRect', itemWidth: 12, itemHeight: 12, textStyle: wordsOf(drawn), ...at };
}

function axes(tile: Tile, answer: TileAnswer, drawn: Drawn): Chart {
  const { token, width } = drawn;
  const { x, series } = matrixOf(answer, isComputed({ kind: tile.kind, from: tile.report?.from ?? undefined }));
  const { names } = columnsOf(answer);
  const dated =
    ['date', 'month'].includes(names[0]!.type) || tile.report?.from?.group.some((one) => typeof one !== 'string');
  // Names of things are read on lines of their own; days and months follow on each other.
  const isHorizontal = tile.kind === 'bar' && !dated;
  const isStacked = tile.kind === 'bar' && names.length === 2;
  const words = wordsOf(drawn);
  const categories = {
    type: 'category',
    data: x.map(({ title }) => title),
    axisLine: { lineStyle: { color: token('--colorNeutralStroke1') } },
    axisTick: { show: false },
    axisLabel: isHorizontal
      ? { ...words, width: Math.min(140, width * 0.36), overflow: 'truncate', hideOverlap: true }
      : { ...words, hideOverlap: true },
    ...(isHorizontal && { inverse: true }),
  };
  const amounts = {
    type: 'value',
    axisLabel: { ...words, hideOverlap: true, formatter: (value: number) => formatCompact(value) },
    splitNumber: width < 400 ? 3 : 5,
    splitLine: { lineStyle: { color: token('--colorNeutralStroke3') } },
    minInterval: series.every(({ column }) => column.type === 'integer') ? 1 : 0,
    ...(tile.kind === 'line' && { scale: false }),
  };
  const many = series.length > 1;
  // The bars of a single figure have the colours of their values.
  const own = many
    ? null
    : coloursOf(
        x.map(({ row }) => toneOf(names[0]!, row)),
        token,
      );
  return {
    option: {
      ...base(
        drawn,
        series.map(({ tone }) => tone),
      ),
      // Figures stand behind their bars.
      grid: { left: 8, right: isHorizontal && !many ? 64 : 20, top: many ? 34 : 12, bottom: 4, containLabel: true },
      ...(many && { legend: legend(drawn, { top: 0, left: 0, right: 0 }) }),
      xAxis: isHorizontal ? amounts : categories,
      yAxis: isHorizontal ? categories : amounts,
      series: series.map(({ title, column, cells }) => ({
        name: title,
        type: tile.kind === 'line' ? 'line' : 'bar',
        data: cells.map((row, at) => {
          const value = row ? numberOf(row[column.name]) : null;
          return own && tile.kind === 'bar' ? { value, itemStyle: { color: own[at] } } : value;
        }),
        tooltip: { valueFormatter: (value: unknown) => exactText(column, value) },
        ...(isStacked && { stack: 'all' }),
        ...(tile.kind === 'line'
          ? { showSymbol: x.length <= 40, symbolSize: 7, lineStyle: { width: 2 }, connectNulls: true }
          : { barMaxWidth: 24, itemStyle: { borderRadius: isHorizontal ? [0, 3, 3, 0] : [3, 3, 0, 0] } }),
        ...(isHorizontal &&
          !many && {
            label: {
              ...words,
              show: true,
              position: 'right',
              formatter: ({ value }: { value: unknown }) => figureText(column, value),
            },
          }),
      })),
    },
    parts: series.map(({ column, cells }) => cells.map((row) => (row ? { row, measure: column.name } : null))),
    ...(isHorizontal && { height: Math.min(x.length, MAX_ROWS) * ROW_HEIGHT * (many && !isStacked ? 1.5 : 1) + 60 }),
  };
}

function donut(answer: TileAnswer, drawn: Drawn): Chart {
  const all = slices(answer);
  const beside = drawn.width >= 420;
  return {
    option: {
      ...base(
        drawn,
        all.map(({ tone }) => tone),
      ),
      legend: legend(
        drawn,
        beside ? { orient: 'vertical', right: 0, top: 'middle', left: '55%' } : { bottom: 0, left: 0, right: 0 },
      ),
      series: [
        {
          type: 'pie',
          radius: ['48%', '76%'],
          center: beside ? ['27%', '50%'] : ['50%', '44%'],
          label: { show: false },
          itemStyle: { borderColor: drawn.token('--colorNeutralBackground1'), borderWidth: 2 },
          data: all.map(({ name, value, column }) => ({
            name,
            value,
            tooltip: { valueFormatter: (one: unknown) => exactText(column, one) },
          })),
        },
      ],
    },
    parts: [all.map(({ part }) => part)],
  };
}

function funnel(answer: TileAnswer, drawn: Drawn): Chart {
  const all = slices(answer);
  return {
    option: {
      ...base(drawn),
      series: [
        {
          type: 'funnel',
          sort: 'none',
          left: 0,
          right: 0,
          top: 4,
          bottom: 4,
          gap: 2,
          minSize: '18%',
          label: {
            ...wordsOf(drawn),
            position: 'inside',
            color: drawn.token('--colorNeutralForegroundOnBrand'),
            formatter: ({ dataIndex }: { dataIndex: number }) =>
              `${all[dataIndex]!.name}  ${figureText(all[dataIndex]!.column, all[dataIndex]!.value)}`,
          },
          itemStyle: { color: drawn.token('--colorBrandBackground'), borderWidth: 0 },
          data: all.map(({ name, value }) => ({ name, value })),
        },
      ],
    },
    parts: [all.map(({ part }) => part)],
  };
}

function treemap(answer: TileAnswer, drawn: Drawn): Chart {
  const { names, figures } = columnsOf(answer);
  const figure = figures[0]!;
  const rows = answer.figures?.rows ?? [];
  const [outer, inner] = names as [Field, Field | undefined];
  const parts: Part[] = [];
  const leaf = (column: Field, row: ReportRow) => {
    parts.push({ row });
    return { name: nameOf(column, row), value: numberOf(row[figure.name]) ?? 0, part: parts.length - 1 };
  };
  const data = inner
    ? [...Map.groupBy(rows, (row) => nameOf(outer, row))].map(([name, own]) => ({
        name,
        children: own.map((row) => leaf(inner, row)),
      }))
    : rows.map((row) => leaf(outer, row));
  return {
    option: {
      ...base(drawn),
      series: [
        {
          type: 'treemap',
          left: 0,
          right: 0,
          top: 0,
          bottom: 0,
          roam: false,
          nodeClick: false,
          breadcrumb: { show: false },
          label: {
            ...wordsOf(drawn),
            color: drawn.token('--colorNeutralForegroundOnBrand'),
            // Without it, the two lines are drawn over each other.
            lineHeight: 16,
            formatter: ({ name, value }: { name: string; value: number }) => `${name}\n${figureText(figure, value)}`,
          },
          itemStyle: { borderColor: drawn.token('--colorNeutralBackground1'), gapWidth: 1 },
          data,
          tooltip: { valueFormatter: (value: unknown) => exactText(figure, value) },
        },
      ],
    },
    parts: [parts],
  };
}

function waterfall(answer: TileAnswer, drawn: Drawn): Chart {
  const all = slices(answer);
  const { token } = drawn;
  const values = all.map(({ value }) => value);
  const [stand, bars] = waterfallSeries(values, token);
  const total = values.reduce((sum, value) => sum + value, 0);
  const column = all[0]?.column;
  const words = wordsOf(drawn);
  return {
    option: {
      ...base(drawn),
      tooltip: { ...(base(drawn).tooltip as object), trigger: 'item' },
      grid: { left: 8, right: 12, top: 12, bottom: 4, containLabel: true },
      xAxis: {
        type: 'category',
        data: [...all.map(({ name }) => name), 'Total'],
        axisTick: { show: false },
        axisLine: { lineStyle: { color: token('--colorNeutralStroke1') } },
        axisLabel: { ...words, interval: 0, width: Math.max(40, drawn.width / (all.length + 2)), overflow: 'break' },
      },
      yAxis: {
        type: 'value',
        axisLabel: { ...words, formatter: (value: number) => formatCompact(value) },
        splitLine: { lineStyle: { color: token('--colorNeutralStroke3') } },
      },
      series: [
        stand,
        {
          ...bars,
          // The bars have the size of their steps; the text also says which way they go.
          ...(column && {
            tooltip: { valueFormatter: (_size: unknown, at: number) => exactText(column, values[at] ?? total) },
          }),
        },
      ],
    },
    parts: [[], all.map(({ part }) => part)],
  };
}

/** What a gauge shows of its whole. */
function gaugeOf(tile: Tile, answer: TileAnswer): { value: number; whole: number; column: Field } {
  const { figures } = columnsOf(answer);
  const row = answer.figures?.rows[0] ?? {};
  const column = gaugeFigure(tile, figures);
  return {
    value: numberOf(row[column.name]) ?? 0,
    whole: typeof tile.of === 'number' ? tile.of : (numberOf(row[tile.of ?? '']) ?? 0),
    column,
  };
}

function gauge(tile: Tile, answer: TileAnswer, drawn: Drawn): Chart {
  const { value, whole, column } = gaugeOf(tile, answer);
  const { token } = drawn;
  return {
    option: {
      ...base(drawn),
      series: [
        {
          type: 'gauge',
          min: 0,
          max: Math.max(whole, value, 1),
          startAngle: 200,
          endAngle: -20,
          center: ['50%', '62%'],
          radius: '92%',
          progress: { show: true, width: 14, itemStyle: { color: token('--colorBrandBackground') } },
          axisLine: { lineStyle: { width: 14, color: [[1, token('--colorNeutralStroke2')]] } },
          pointer: { show: false },
          axisTick: { show: false },
          splitLine: { show: false },
          axisLabel: { show: false },
          title: { show: false },
          detail: {
            valueAnimation: false,
            offsetCenter: [0, 0],
            color: token('--colorNeutralForeground1'),
            fontFamily: token('--fontFamilyBase'),
            fontSize: 26,
            lineHeight: 30,
            formatter: () => `${figureText(column, value)}\n{of|of ${figureText(column, whole)}}`,
            rich: { of: { color: token('--colorNeutralForeground3'), fontSize: 12 } },
          },
          data: [{ value }],
        },
      ],
    },
    parts: [[{ row: {}, measure: column.name }]],
  };
}
