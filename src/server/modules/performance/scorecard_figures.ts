import type { ScorecardScore } from '../../../domain/performance/scorecard.ts';
import type { PeriodSpan } from '../../../domain/performance/scorecard_period.ts';
import { bandOf } from '../../../domain/performance/achievement.ts';
import { scoreOfSheets } from '../../../domain/performance/over_time.ts';
import type { SourceReader } from '../../engine/reports/source_reader.ts';
import { lastDay } from './kpi_months.ts';
import type { ScoreBand } from './month_score.ts';
import { BANDS_SQL } from './month_score.ts';
import type { PerformanceSettings } from './performance_settings.ts';
import type { PeriodScore, PeriodUpdate, SheetDays } from './period_score.ts';
import { scoreOf, updatesSql } from './period_score.ts';

/** The figures of a member or unit over a period. */
interface PeriodFigures extends PeriodScore {
  /** By `lineKey`: the months with an approved actual, and all of the period. */
  months: ReadonlyMap<
    string,
    { entered: number; of: number; isLeftOut: boolean; aggregation: PeriodUpdate['aggregation'] }
  >;
  scored: ScorecardScore;
}

/** The bands of scores; none before somebody has opened the ratings. */
export async function bandsOf(reader: SourceReader): Promise<ScoreBand[]> {
  const [known] = await reader.query<{ there: boolean }>(
    () => `select to_regclass('{performance_rating}') is not null as there`,
  );
  return known!.there ? reader.query<ScoreBand>(() => BANDS_SQL) : [];
}

export const lineKey = (line: { sheet_id: number; kpi_id: number; part_key: string }): string =>
  `${line.sheet_id}/${line.kpi_id}/${line.part_key}`;

/**
 * Reads the updates of sheets in a period of several months. @returns the figures of one owner from some of the sheets
 */
export async function figuresOfPeriod(
  reader: SourceReader,
  sheetIds: readonly number[],
  span: PeriodSpan,
  settings: PerformanceSettings,
): Promise<(own: readonly number[]) => PeriodFigures> {
  const [updates, sheets, means, bands] = await Promise.all([
    reader.query<PeriodUpdate>((values) =>
      updatesSql(
        `a.sheet_id = any(${values.bind(sheetIds)}) and a.active
          and a.month between ${values.bind(span.from)} and ${values.bind(span.to)}`,
        { threshold: values.bind(settings.threshold_percent), cap: values.bind(settings.cap_percent) },
      ),
    ),
    reader.query<SheetDays>(
      (values) => `select id, employee_id, valid_from::text, valid_to::text from {kpi_sheet}
        where id = any(${values.bind(sheetIds)}) order by valid_from, id`,
    ),
    settings.year_score === 'cumulative'
      ? null
      : reader.query<{ sheet_id: number; score: string }>(
          (values) => `select sheet_id, score::text from {kpi_score}
            where sheet_id = any(${values.bind(sheetIds)}) and active and score is not null
              and month between ${values.bind(span.from)} and ${values.bind(span.to)}`,
        ),
    bandsOf(reader),
  ]);
  const days = { from: `${span.from}-01`, to: lastDay(span.to) };
  return (own) => {
    const some = updates.filter(({ sheet_id: id }) => own.includes(id));
    const figures = scoreOf(some, sheets, days, settings);
    const months = new Map(
      [...Map.groupBy(some, lineKey)].map(([key, all]) => [
        key,
        {
          entered: all.filter(({ counts, actual, achievement }) => counts && (actual ?? achievement) !== null).length,
          of: all.length,
          isLeftOut: all.every(({ counts, not_applicable: isNone }) => counts && isNone),
          aggregation: all.at(-1)!.aggregation,
        },
      ]),
    );
    const score = means
      ? scoreOfSheets(means.flatMap((one) => (own.includes(one.sheet_id) ? [{ score: one.score, days: 1 }] : [])))
      : figures.score;
    const band = score === null ? null : (bandOf(score, bands)?.label ?? null);
    return {
      ...figures,
      months,
      scored: {
        month: span.to,
        score,
        covered: means ? null : figures.covered,
        band,
        frozen: some.length > 0 && figures.open === null,
      },
    };
  };
}
