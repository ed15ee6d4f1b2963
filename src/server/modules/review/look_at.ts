import { formatDate } from '../../../descriptor/format.ts';
import type { WireRecord } from '../../../descriptor/types.ts';
import { look, yearEnd } from '../../../domain/review/bot_rules.ts';
import type { BotFinding, BotRule } from '../../../domain/review/bot_rules.ts';
import type { BotPeriod } from '../../../domain/review/closed_periods.ts';
import { questionIn } from '../../../domain/review/collection_question.ts';
import { AppError } from '../../db/errors.ts';
import type { Services } from '../../engine/modules.ts';
import type { Unit } from '../../engine/records/unit.ts';

/** Number of periods that a rule examines, including the last one. */
const PERIODS = 25;

/** A bot's finding, as stored with it. */
export interface BotLook {
  state: 'waiting' | 'quiet' | 'alarm';
  looked_month: string | null;
  finding: string | null;
}

interface Figure {
  /** The first day of its period; null = as it is now. */
  first: string | null;
  value: string;
}

interface KpiFigure extends Figure {
  id: number;
  target: string | null;
  year: string;
  isLower: boolean;
  year_target: string | null;
}

/** What a bot follows, latest figure last, or why there is nothing to follow. */
type Followed = { figures: Figure[]; isLower: boolean; pace?: () => BotFinding } | string;

const numberOf = (value: unknown): number | null =>
  value === null || value === undefined || value === '' ? null : Number(value);

/** Whether a person may read an update of a KPI: a bot's findings use only these. */
async function isSeen(person: Unit, id: number): Promise<boolean> {
  try {
    await person.read('kpi_actual', id);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** The approved or frozen figures of a bot's KPI in order, as visible to its owner. */
async function ofKpi(unit: Unit, person: Unit, bot: WireRecord): Promise<Followed> {
  const none = 'There is no approved figure yet.';
  const [known] = await unit.query<{ there: boolean }>(`select to_regclass('{kpi_actual}') is not null as there`);
  if (!known!.there) return none;
  const figures = await unit.query<KpiFigure>(
    `select a.id, a.month || '-01' as first, a.value::text, a.target::text, s.financial_year as year, k.direction = 'lower' as "isLower",
       (select l.year_target::text from {kpi_sheet.lines} l where l.parent_id = s.id and l.kpi_id = a.kpi_id limit 1) as year_target
     from {kpi_actual} a join {kpi} k on k.id = a.kpi_id join {kpi_sheet} s on s.id = a.sheet_id
     where a.entity_id = $1 and a.employee_id = $2 and a.kpi_id = $3 and a.active and a.counts and a.value is not null
       and not a.not_applicable and ($4 is distinct from 'frozen' or a.status = 'frozen') order by a.month desc limit ${PERIODS}`,
    [unit.session.entityId, bot.employee_id, bot.kpi_id, bot.schedule ?? null],
  );
  const seen: KpiFigure[] = [];
  for (const figure of figures.toReversed()) if (await isSeen(person, figure.id)) seen.push(figure);
  const last = seen.at(-1);
  if (!last) return none;
  return { figures: seen, isLower: last.isLower, pace: () => pace(seen) };
}

/** The figures of a bot's collection by period, over the rows that its owner may read. */
async function ofCollection(services: Services, person: Unit, bot: WireRecord): Promise<Followed> {
  const question = questionIn(bot.question, bot.period as BotPeriod);
  if (question === null) return 'It has no figure to follow.';
  try {
    const figures = await services.collectionFigures(person.session, Number(bot.collection_id), question, PERIODS);
    return figures.length === 0
      ? 'There are no rows of a complete period yet.'
      : { figures, isLower: bot.better === 'lower' };
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return error.message;
    throw error;
  }
}

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

/** Examines the figures of a bot with the access of its owner. */
export async function lookAt(services: Services, unit: Unit, person: Unit, bot: WireRecord): Promise<BotLook> {
  const ofRows = bot.follows === 'collection';
  const followed = ofRows ? await ofCollection(services, person, bot) : await ofKpi(unit, person, bot);
  if (typeof followed === 'string') return { state: 'waiting', looked_month: null, finding: followed };
  const { figures, isLower } = followed;
  const { first } = figures.at(-1)!;
  const rule = bot.rule as BotRule | 'pace';
  const found =
    rule === 'pace'
      ? (followed.pace?.() ?? { isAlarm: false, value: null })
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
  const period = ofRows ? String(bot.period) : 'month';
  const when =
    first === null || period === 'month' ? '' : ` ${period === 'week' ? 'Week of ' : ''}${formatDate(first)}.`;
  return {
    state: found.isAlarm ? 'alarm' : 'quiet',
    looked_month: first?.slice(0, 7) ?? null,
    finding:
      found.value === null
        ? 'There are not enough figures.'
        : `${SAYS[rule](String(Number(found.value.toFixed(2))), period)}${when}`,
  };
}
