import { Decimal } from 'decimal.js';
import type { Scorecard, ScorecardLine } from '../../../domain/performance/scorecard.ts';
import { achievement, lineScore, sheetScore, weightedScore } from '../../../domain/performance/achievement.ts';
import type { AchievementMethod, AchievementSlab } from '../../../domain/performance/achievement.ts';
import { overTime } from '../../../domain/performance/over_time.ts';
import type { PeriodSpan } from '../../../domain/performance/scorecard_period.ts';
import type { SqlParams } from '../../db/sql_text.ts';
import type { SourceReader } from '../../engine/reports/source_reader.ts';
import { lineKey } from './scorecard_figures.ts';
import type { PerformanceSettings } from './performance_settings.ts';
import { colourOf } from './performance_settings.ts';
import type { StoredLine } from './stored_line.ts';

/** How many days or weeks back a scorecard offers. */
const MOST = 60;

/** The first day of something that was entered by day or week. */
interface EnteredDay {
  day: string;
  /** A day by itself, and not only the first of a week. */
  single: boolean;
  /** It has a figure. */
  entered: boolean;
}

/** What may be chosen on a scorecard, the latest first; nothing after today. @param which a condition on the update `a` */
export const enteredDays = (
  reader: SourceReader,
  which: (values: SqlParams) => string,
  today: string,
): Promise<EnteredDay[]> =>
  reader.query<EnteredDay>(
    (
      values,
    ) => `select e.from_day::text as day, bool_or(e.from_day = e.to_day) as single, bool_or(e.value is not null) as entered
      from {kpi_actual.entries} e join {kpi_actual} a on a.id = e.parent_id
      where ${which(values)} and a.active and e.from_day <= ${values.bind(today)} group by 1 order by 1 desc limit ${MOST}`,
  );

interface DayFigure {
  sheet_id: number;
  kpi_id: number;
  part_key: string;
  actual: string | null;
  target: string | null;
  slabs: AchievementSlab[];
}

/** What was entered for days or weeks within some days; a total of a month is shared equally among its days or weeks. */
const figuresOfDays = (
  reader: SourceReader,
  sheets: readonly number[],
  { from, to }: PeriodSpan,
): Promise<DayFigure[]> =>
  reader.query<DayFigure>(
    (values) => `select a.sheet_id, a.kpi_id, a.part_key, e.value::text as actual,
        case when k.period_aggregation = 'sum' then (a.target / n.entries)::numeric(24, 4) else a.target end::text as target,
        coalesce((select jsonb_agg(jsonb_build_object('from', s.from_percent::text, 'to', s.to_percent::text, 'achievement', s.achievement::text)
          order by s.from_percent) from {kpi.slabs} s where s.parent_id = k.id), '[]') as slabs
      from {kpi_actual.entries} e join {kpi_actual} a on a.id = e.parent_id join {kpi} k on k.id = a.kpi_id
      cross join lateral (select count(*) as entries from {kpi_actual.entries} o where o.parent_id = a.id) n
      where a.sheet_id = any(${values.bind(sheets)}) and a.active
        and e.from_day >= ${values.bind(from)} and e.to_day <= ${values.bind(to)} order by e.from_day`,
  );

/** The lines and the score of a day or week: only of KPIs that are entered by such periods, of what is entered so far. */
export async function cardOfDays(
  reader: SourceReader,
  stored: readonly StoredLine[],
  span: PeriodSpan,
  settings: PerformanceSettings,
): Promise<Pick<Scorecard, 'lines' | 'score'>> {
  const sheets = [...new Set(stored.map(({ sheet_id: id }) => id))];
  const figures = Map.groupBy(await figuresOfDays(reader, sheets, span), lineKey);
  const lines = stored.flatMap((one): ScorecardLine[] => {
    const own = figures.get(lineKey(one));
    if (!own) return [];
    const {
      kpi_id: _kpi,
      part: _part,
      part_key: _key,
      sheet_id: _sheet,
      source: _source,
      dimension: _dimension,
      frequency: _frequency,
      figure: _figure,
      ends_on: _end,
      aggregation,
      direction,
      base,
      tolerance,
      ...line
    } = one;
    const { actual, target } = overTime(own, aggregation);
    const reached = achievement({
      method: line.method as AchievementMethod,
      direction,
      actual,
      target,
      base,
      tolerance,
      rangeLow: null,
      rangeHigh: null,
      slabs: own[0]!.slabs,
      cap: line.cap,
    });
    const percent = 'percent' in reached ? reached.percent : null;
    const score = percent && lineScore(percent, line.threshold, line.cap, line.stretch);
    return [
      {
        ...line,
        actual,
        target: target ?? (aggregation === 'sum' ? sumOf(own) : (own.at(-1)?.target ?? null)),
        alone: null,
        achievement: percent,
        score,
        weighted: score === null ? null : weightedScore(score, line.weight),
        colour: percent === null ? null : colourOf(percent, settings),
        together: null,
        pace: null,
        records: null,
        parts: null,
        feedback: null,
        opens: `/actual_updation/view/${line.id}`,
        past: [],
        off_since: null,
        off_remark: null,
      },
    ];
  });
  const counted = lines.filter(({ isMetric }) => !isMetric);
  const { score, covered } = sheetScore(
    counted.map(({ achievement: reached, weight, threshold, cap, stretch }) => ({
      achievement: reached,
      weight,
      threshold,
      cap,
      stretch,
    })),
    'exclude',
    settings.sheet_cap_percent,
  );
  return {
    lines,
    score:
      score === null ? null : { month: span.to.slice(0, 7), score, covered, band: null, frozen: false, trend: null },
  };
}

const sumOf = (figures: readonly DayFigure[]): string =>
  figures.reduce<Decimal>((all, { target }) => all.plus(target ?? 0), new Decimal(0)).toFixed();
