import type { WireRecord } from '../../../descriptor/types.ts';
import { bandOf } from '../../../domain/performance/achievement.ts';
import type { BotComparison, BotFigure } from '../../../domain/review/bot_chart.ts';
import { periodsBefore } from '../../../domain/review/bot_chart.ts';
import type { BotPeriod } from '../../../domain/review/closed_periods.ts';
import { questionIn } from '../../../domain/review/collection_question.ts';
import { AppError } from '../../db/errors.ts';
import type { Services } from '../../engine/modules.ts';
import type { Unit } from '../../engine/records/unit.ts';

/** Number of periods that a rule examines, including the last one. */
export const PERIODS = 25;

/** A figure of a KPI, as its update has it. */
export interface KpiFigure extends BotFigure {
  id: number;
  target: string | null;
  achievement: string | null;
  colour: string | null;
  year: string;
  isLower: boolean;
  year_target: string | null;
}

/** What a bot follows, latest figure last. */
export interface Followed {
  /** The figures that the rule examines. */
  figures: BotFigure[];
  /** These and the earlier figures needed for the comparison. */
  history: BotFigure[];
  isLower: boolean;
  period: BotPeriod;
  /** Of a KPI: the same figures with their targets and bands. */
  ofKpi: KpiFigure[] | null;
}

/** The traffic colours, worst first: the bands where no rating scheme for KPIs or appraisals is the default. */
const COLOURS = ['Red', 'Amber', 'Green', 'Blue'];

/** The period whose figures a bot compares. */
export const periodOf = (bot: Readonly<Record<string, unknown>>): BotPeriod =>
  bot.follows === 'collection' ? (bot.period as BotPeriod) : 'month';

/** The approved figures of a KPI, latest first; `where` limits the updates `a`. */
export const kpiFiguresSql = (where: string): string => {
  // Lines of one KPI by channel or the like are one figure, in which each achievement has the weight of its line.
  const together = (column: string, places: number) =>
    `(case when k.period_aggregation = 'sum' then sum(${column}) else round(avg(${column}), ${places}) end)::text`;
  return `select min(a.id) as id, a.month || '-01' as first, ${together('a.value', 6)} as value, ${together('a.target', 4)} as target,
    (case when count(*) = 1 then min(a.achievement) else
      round(sum(a.achievement * (a.weight + 0.01)) / sum(a.weight + 0.01) filter (where a.achievement is not null), 4) end)::text as achievement,
    (array_agg(a.colour order by a.weight desc, a.id))[1] as colour, s.financial_year as year, k.direction = 'lower' as "isLower",
    (select ${together('l.year_target', 4)} from {kpi_sheet.lines} l where l.parent_id = s.id and l.kpi_id = k.id) as year_target
  from {kpi_actual} a join {kpi} k on k.id = a.kpi_id join {kpi_sheet} s on s.id = a.sheet_id
  where a.active and a.counts and a.value is not null and not a.not_applicable and ${where}
  group by s.id, a.month, k.id order by a.month desc limit ${PERIODS}`;
};

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

/** The figures of a bot's KPI in order, as visible to a person. */
async function ofKpi(unit: Unit, person: Unit, bot: WireRecord): Promise<Followed | string> {
  const none = 'There is no approved figure yet.';
  const [known] = await unit.query<{ there: boolean }>(`select to_regclass('{kpi_actual}') is not null as there`);
  if (!known!.there) return none;
  const figures = await unit.query<KpiFigure>(
    kpiFiguresSql(
      `a.entity_id = $1 and a.employee_id = $2 and a.kpi_id = $3 and ($4 is distinct from 'frozen' or a.status = 'frozen')`,
    ),
    [unit.session.entityId, bot.employee_id, bot.kpi_id, bot.schedule ?? null],
  );
  const seen: KpiFigure[] = [];
  for (const figure of figures.toReversed()) if (await isSeen(person, figure.id)) seen.push(figure);
  const last = seen.at(-1);
  return last ? { figures: seen, history: seen, isLower: last.isLower, period: 'month', ofKpi: seen } : none;
}

/** The figures of a bot's collection by period, over the rows that a person may read. */
async function ofCollection(services: Services, person: Unit, bot: WireRecord): Promise<Followed | string> {
  const period = periodOf(bot);
  const question = questionIn(bot.question, period);
  if (question === null) return 'It has no figure to follow.';
  const before = periodsBefore((bot.compare ?? 'none') as BotComparison, period);
  try {
    const last = (count: number) =>
      services.collectionFigures(person.session, Number(bot.collection_id), question, count);
    const figures = await last(PERIODS);
    if (figures.length === 0) return 'There are no rows of a complete period yet.';
    const history = before === 0 ? figures : await last(PERIODS + before);
    return { figures, history, isLower: bot.better === 'lower', period, ofKpi: null };
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return error.message;
    throw error;
  }
}

/** What a bot follows with the access of a person, or why there is nothing to follow. */
export const followed = (services: Services, unit: Unit, person: Unit, bot: WireRecord): Promise<Followed | string> =>
  bot.follows === 'collection' ? ofCollection(services, person, bot) : ofKpi(unit, person, bot);

/** The bands of a KPI's figures, and all bands, worst first. */
export async function bandsOf(
  unit: Unit,
  figures: readonly KpiFigure[],
): Promise<{ bands: (string | null)[]; order: string[] }> {
  const [known] = await unit.query<{ there: boolean }>(
    `select to_regclass('{performance_rating}') is not null as there`,
  );
  const scheme = known!.there
    ? await unit.query<{ from_score: string; label: string }>(
        `select b.from_score::text, b.label from {performance_rating.bands} b where b.parent_id = (
           select r.id from {performance_rating} r where r.active and r.is_default and r.applies_to in ('kpi', 'appraisal')
           order by r.applies_to = 'kpi' desc limit 1)`,
      )
    : [];
  if (scheme.length === 0)
    return {
      bands: figures.map(({ colour }) => COLOURS.find((one) => one.toLowerCase() === colour) ?? null),
      order: COLOURS,
    };
  return {
    bands: figures.map(({ achievement }) =>
      achievement === null ? null : (bandOf(achievement, scheme)?.label ?? null),
    ),
    order: scheme.toSorted((a, b) => Number(a.from_score) - Number(b.from_score)).map(({ label }) => label),
  };
}
