import { formatDate } from '../../../descriptor/format.ts';
import type { Field } from '../../../descriptor/types.ts';
import { monthNames } from '../../../domain/month_names.ts';
import type { Tile, TileAnswer, TileKind } from '../../../domain/dashboard.ts';
import type { BotView } from '../../../domain/review/bot_chart.ts';
import type { BotPeriod } from '../../../domain/review/closed_periods.ts';

const KINDS: Record<Exclude<BotView['chart'], 'figure'>, TileKind> = {
  line: 'line',
  bar: 'bar',
  stack: 'bar',
  pie: 'donut',
  funnel: 'funnel',
  heat: 'heat',
  table: 'list',
};
const PERIODS = { day: 'Day', week: 'Week of', month: 'Month' };
const shortMonth = (month: string) => monthNames[Number(month) - 1]!.slice(0, 3);

/** The name of a period by its first day: "Apr 2025", "07-04-2025". */
export function periodText(first: string, period: BotPeriod): string {
  return period === 'month' ? `${shortMonth(first.slice(5, 7))} ${first.slice(0, 4)}` : formatDate(first);
}

const column = (name: string, title: string, type: string, more: Partial<Field> = {}): Field => ({
  name,
  title,
  type,
  required: false,
  schema: {},
  secret: false,
  readOnly: true,
  ...more,
});

/** A bot's history as a tile of its chart shows it. */
export function botTile(bot: BotView): { tile: Tile; answer: TileAnswer } {
  const { chart, period, rows } = bot;
  const figure = (name: string, title: string) =>
    column(name, title, 'decimal', {
      precision: bot.decimals,
      trim: true,
      ...(bot.unit !== null && { unit: bot.unit }),
    });
  const value = figure('value', bot.unit === null ? 'Value' : `Value (${bot.unit})`);
  const isOfParts = rows.some(({ part }) => part !== undefined);
  const isOneMoment = chart === 'pie' || chart === 'funnel' || rows.every(({ first }) => first === null);
  const isByMonth = chart === 'heat' && !isOfParts;
  const monthOf = (first: string | null) => first?.slice(5, 7) ?? '';
  const shown = isByMonth ? rows.toSorted((a, b) => monthOf(a.first).localeCompare(monthOf(b.first))) : rows;
  const time = column('time', PERIODS[period], 'text');
  const part = column('part', 'Part', 'text');
  const columns = (): Field[] => {
    // Months are read downwards: twelve side by side do not fit a card.
    if (isByMonth)
      return [column('month', 'Month', 'enum', { options: monthOptions }), column('year', 'Year', 'text'), value];
    if (!isOfParts) return [time, value, ...(bot.comparison === null ? [] : [figure('other', bot.comparison)])];
    if (isOneMoment) return [part, value];
    return chart === 'heat' ? [part, time, value] : [time, part, value];
  };
  return {
    tile: {
      name: `bot_${bot.id}`,
      title: bot.name,
      kind: KINDS[chart === 'figure' ? 'line' : chart],
      refresh: [],
      // Periods follow each other from left to right, parts are read on lines of their own.
      report: isOneMoment ? null : ({ from: { group: [{ field: 'time', by: period }] } } as unknown as Tile['report']),
      list: null,
      past: null,
      span: null,
      narrow: [],
      choice: [],
    },
    answer: {
      name: `bot_${bot.id}`,
      figures: {
        columns: columns(),
        rows: shown.map(({ first, part: of, value: own, other }) => ({
          time: first === null ? 'Now' : periodText(first, period),
          year: first?.slice(0, 4) ?? '',
          month: monthOf(first),
          part: of ?? 'None',
          value: own,
          other: other ?? null,
        })),
        totals: null,
        more: false,
        figures: [],
      },
    },
  };
}

const monthOptions = monthNames.map((name, at) => ({
  value: String(at + 1).padStart(2, '0'),
  label: name.slice(0, 3),
}));
