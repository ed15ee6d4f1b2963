import { bandOf, lineScore } from '../../../domain/performance/achievement.ts';
import type { ReportRow } from '../../../domain/report.ts';
import { Decimal } from 'decimal.js';
import type { SqlParams } from '../../db/sql_text.ts';
import type { ReportRows, ReportSource } from '../../engine/reports/report_source.ts';
import { MAX_ROWS } from '../../engine/reports/report_source.ts';
import { SourceReader } from '../../engine/reports/source_reader.ts';
import { inChosenMonths } from './chosen_months.ts';
import { kpiTitleSql } from './line_part.ts';
import { LINE_KEY, achievementsOf } from './member_figures.ts';
import { peopleChoices } from './people_choices.ts';
import type { PerformanceSettings } from './performance_settings.ts';
import { settingsSql, withUsual } from './performance_settings.ts';
import { bandsOf } from './scorecard_figures.ts';

const COLOURS = ['red', 'amber', 'green', 'blue'] as const;
const TITLES = { red: 'Red', amber: 'Amber', green: 'Green', blue: 'Blue' } as const;
const TONES = { red: 'danger', amber: 'warning', green: 'success', blue: 'brand' } as const;
/** KPIs in the chart. */
const CHARTED = 40;

interface MemberKpi extends Record<(typeof COLOURS)[number], number> {
  employee_id: number;
  member: string;
  key: string;
  kpi: string;
  n: number;
  threshold: string;
  cap: string;
  stretch: string | null;
}

/** The months of each colour by KPI. */
function chartOf(rows: readonly MemberKpi[]): ReportRows['chart'] {
  const byKpi = [...Map.groupBy(rows, ({ kpi }) => kpi)].slice(0, CHARTED);
  return {
    x: byKpi.map(([kpi]) => kpi),
    series: COLOURS.map((colour) => ({
      title: TITLES[colour],
      tone: TONES[colour],
      values: byKpi.map(([, own]) => own.reduce((all, one) => all + one[colour], 0)),
    })),
  };
}

/**
 * Each member's result of each KPI: the achievement of the chosen months, computed of their totals and never their mean
 * (performance.md §5.6), its score and band, and how many months had which colour (§7).
 */
const kpiRating: ReportSource = {
  reads: {
    kpi_actual: ['value', 'target', 'achievement'],
    kpi: [],
    employee: [],
    base_performance: [],
    calc_settings: [],
    performance_rating: [],
  },
  async rows(call) {
    const { session, parameters, scoped } = call;
    const reader = new SourceReader(call);
    const chosen = (values: SqlParams) =>
      [
        'a.active',
        "a.status in ('approved', 'frozen')",
        'a.employee_id is not null',
        ...scoped('kpi_actual', 'a', values),
        ...peopleChoices(call, 'a', values),
        ...inChosenMonths(parameters, values),
      ].join(' and ');
    const [stored] = await reader.query<{ settings: Partial<PerformanceSettings> }>((values) =>
      settingsSql(values.bind(session.entityId)),
    );
    const settings = withUsual(stored?.settings);
    const last = (column: string) => `(array_agg(${column} order by a.month desc))[1]::text`;
    const [rows, reached, bands] = await Promise.all([
      reader.query<MemberKpi>(
        (values) => `select a.employee_id, e.name as member, ${LINE_KEY} as key, ${kpiTitleSql('a')} as kpi,
            ${COLOURS.map((colour) => `(count(*) filter (where a.colour = '${colour}'))::int as ${colour}`).join(', ')},
            count(*)::int as n, ${last(`coalesce(a.threshold_percent, ${values.bind(settings.threshold_percent)})`)} as threshold,
            ${last(`coalesce(a.cap_percent, ${values.bind(settings.cap_percent)})`)} as cap, ${last('a.stretch_percent')} as stretch
          from {kpi_actual} a join {employee} e on e.id = a.employee_id join {kpi} k on k.id = a.kpi_id
          where ${chosen(values)} group by 1, 2, 3, 4 order by 2, 1, 4 limit ${MAX_ROWS + 1}`,
      ),
      achievementsOf(reader, chosen, 'kpi', settings),
      bandsOf(reader),
    ]);
    return {
      rows: rows.map(({ key, threshold, cap, stretch, ...row }): ReportRow => {
        const percent = reached.get(row.employee_id)?.get(key) ?? null;
        const score = percent === null ? null : lineScore(percent, threshold, cap, stretch);
        return {
          ...row,
          achievement: percent === null ? null : new Decimal(percent).toFixed(2),
          score: score === null ? null : new Decimal(score).toFixed(2),
          band: score === null ? null : (bandOf(score, bands)?.label ?? null),
        };
      }),
      chart: chartOf(rows),
    };
  },
};

export default kpiRating;
