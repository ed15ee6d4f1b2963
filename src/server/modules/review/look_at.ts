import { formatDate } from '../../../descriptor/format.ts';
import type { WireRecord } from '../../../descriptor/types.ts';
import type { BotComparison, BotFigure } from '../../../domain/review/bot_chart.ts';
import { comparedWith, comparisonText } from '../../../domain/review/bot_chart.ts';
import { bandChange, look, yearEnd } from '../../../domain/review/bot_rules.ts';
import type { BotFinding, BotRule } from '../../../domain/review/bot_rules.ts';
import type { Services } from '../../engine/modules.ts';
import type { Unit } from '../../engine/records/unit.ts';
import type { Followed, KpiFigure } from './bot_figures.ts';
import { bandsOf, followed } from './bot_figures.ts';

/** A bot's finding, as stored with it. */
export interface BotLook {
  state: 'waiting' | 'quiet' | 'alarm';
  looked_month: string | null;
  finding: string | null;
}

/** A finding with what its reports depend on. */
export interface BotFound extends BotLook {
  /** What people are notified of when it changes: whether the rule is true, or the band. */
  report: string | null;
  /** The same for the previous figure: unchanged findings are not reported again. */
  before: string | null;
  last: BotFigure | null;
}

const numberOf = (value: unknown): number | null =>
  value === null || value === undefined || value === '' ? null : Number(value);

/** Whether the annual target will be missed at the pace of the months so far, for figures that add up. */
function pace(figures: readonly KpiFigure[]): BotFinding {
  const last = figures.at(-1)!;
  const own = figures.filter(({ year }) => year === last.year);
  const sum = (values: readonly (string | null)[]) => values.reduce((all, value) => all + (numberOf(value) ?? 0), 0);
  const goal = numberOf(last.year_target);
  const result =
    goal === null ? null : yearEnd(sum(own.map(({ value }) => value)), sum(own.map(({ target }) => target)), goal);
  if (result === null) return { isAlarm: false, value: null };
  return { value: result.end, isAlarm: last.isLower ? result.end > goal! : result.end < goal! };
}

const SAYS: Record<BotRule | 'pace', (value: string, period: string) => string> = {
  threshold: (value) => `It is ${value}.`,
  streak: (value) => `It got worse ${value} times in a row.`,
  anomaly: (value) => `It is unusual: its deviation is ${value} times the normal one.`,
  trend: (value, period) => `It changes by ${value} a ${period}.`,
  pace: (value) => `The year ends at ${value} at this pace.`,
};

/** Applies a bot's rule. `text`: what it found; null = there are not enough figures. */
async function apply(
  unit: Unit,
  bot: WireRecord,
  { figures, isLower, ofKpi, period }: Followed,
): Promise<{ isAlarm: boolean; text: string | null; report: string | null; before: string | null }> {
  if (bot.rule === 'band_change') {
    const { bands, order } = await bandsOf(unit, ofKpi ?? []);
    const change = bandChange(bands, order);
    const named = (band: string | null) => band ?? 'below all bands';
    if (change === null) return { isAlarm: false, text: null, report: null, before: null };
    return {
      isAlarm: change.isWorse,
      text:
        change.now === change.before
          ? `It is still ${named(change.now)}.`
          : `It is ${named(change.now)}, after ${named(change.before)}.`,
      report: named(change.now),
      before: named(change.before),
    };
  }
  const rule = bot.rule as BotRule | 'pace';
  const found =
    rule === 'pace'
      ? pace(ofKpi ?? [])
      : look(
          figures.map(({ value }) => Number(value)),
          {
            rule,
            isLower,
            limit: numberOf(bot.limit_value),
            length: numberOf(bot.streak),
            least: numberOf(bot.least),
          },
        );
  return {
    isAlarm: found.isAlarm,
    text: found.value === null ? null : SAYS[rule](String(Number(found.value.toFixed(2))), period),
    report: found.isAlarm ? 'alarm' : 'quiet',
    before: 'quiet',
  };
}

/** Examines the figures of a bot with the access of its owner. */
export async function lookAt(services: Services, unit: Unit, person: Unit, bot: WireRecord): Promise<BotFound> {
  const seen = await followed(services, unit, person, bot);
  if (typeof seen === 'string')
    return { state: 'waiting', looked_month: null, finding: seen, report: null, before: null, last: null };
  const { figures, history, period } = seen;
  const last = figures.at(-1)!;
  const { first } = last;
  const { isAlarm, text, report, before } = await apply(unit, bot, seen);
  const when =
    first === null || period === 'month' ? '' : ` ${period === 'week' ? 'Week of ' : ''}${formatDate(first)}.`;
  const comparison = (bot.compare ?? 'none') as BotComparison;
  const compared = comparisonText(
    last.value,
    comparedWith(history, comparison, period).at(-1) ?? null,
    comparison,
    period,
  );
  return {
    state: isAlarm ? 'alarm' : 'quiet',
    looked_month: first?.slice(0, 7) ?? null,
    finding: `${text === null ? 'There are not enough figures.' : `${text}${when}`}${compared && ` ${compared}`}`,
    report,
    before,
    last,
  };
}
