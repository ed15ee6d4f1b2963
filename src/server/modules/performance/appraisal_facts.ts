import type { WireRecord } from '../../../descriptor/types.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { performanceSettings } from './performance_settings.ts';
import type { PeriodScore } from './period_score.ts';
import { periodScores, scoreWithGiven } from './period_score.ts';
import { numberOf } from './sheet_lines.ts';

type Row = Record<string, unknown>;

/** The rows of a record as stored or in the form. */
export const rowsOf = (record: Readonly<Row>, name: string): Row[] =>
  Array.isArray(record[name]) ? (record[name] as Row[]) : [];

/** The first and last day of an appraisal's period. */
export async function periodOf(unit: Unit, record: Readonly<Row>): Promise<{ from: string; to: string }> {
  const [period] = await unit.query<{ from: string; to: string }>(
    'select starts_on::text as "from", ends_on::text as "to" from {appraisal_period} where id = $1',
    [record.period_id],
  );
  return period!;
}

/** What an appraisal takes from KPI updates. */
export interface FreshKpis {
  kpi_lines: Row[];
  kpi_score: string | null;
}

/** The current KPIs of appraisals, by their id; comments on a line are kept. */
export async function freshKpisOf(unit: Unit, records: readonly WireRecord[]): Promise<Map<number, FreshKpis>> {
  const settings = await performanceSettings(unit);
  const found = new Map<number, FreshKpis>();
  for (const some of Map.groupBy(records, ({ period_id: period }) => period).values()) {
    const scores = await periodScores(
      unit,
      some.map((record) => record.employee_id as number),
      await periodOf(unit, some[0]!),
      settings,
    );
    for (const record of some) found.set(record.id, kpisOf(record, scores.get(record.employee_id as number)!));
  }
  return found;
}

function kpisOf(record: WireRecord, { lines, score }: PeriodScore): FreshKpis {
  const said = rowsOf(record, 'kpi_lines');
  return {
    kpi_score: numberOf(record.kpi_weight) === null || Number(record.kpi_weight) === 0 ? null : score,
    kpi_lines: lines.map(({ part_key: _key, ...line }) => {
      const before = said.find(
        (one) => one.sheet_id === line.sheet_id && one.kpi_id === line.kpi_id && (one.part ?? null) === line.part,
      );
      return {
        ...(before && { id: before.id }),
        ...line,
        given_score: before?.given_score ?? null,
        given_reason: before?.given_reason ?? null,
        self_comment: before?.self_comment ?? null,
        manager_comment: before?.manager_comment ?? null,
      };
    }),
  };
}

/** The KPI score of an appraisal with the scores that its manager has replaced; null = there are none. */
export async function ratedKpiScore(unit: Unit, record: Readonly<Row>): Promise<string | null> {
  if (record.may_replace_kpis !== true || Number(record.kpi_weight ?? 0) === 0) return null;
  const given = rowsOf(record, 'kpi_lines').flatMap(({ sheet_id: sheet, kpi_id: kpi, part, given_score: by }) => {
    const score = numberOf(by);
    return score === null
      ? []
      : [{ sheet_id: Number(sheet), kpi_id: Number(kpi), part: (part ?? null) as string | null, score }];
  });
  if (given.length === 0) return null;
  const settings = await performanceSettings(unit);
  return scoreWithGiven(unit, record.employee_id as number, await periodOf(unit, record), settings, given);
}

/** Competencies and questions of a template as rows of an appraisal. */
export function templateRows(unit: Unit, templateId: unknown): Promise<{ competency_lines: Row[]; answers: Row[] }> {
  return unit.once(`appraisal template ${String(templateId)}`, async () => ({
    competency_lines: await unit.query<Row>(
      'select competency_id, expected_level, weight::text from {appraisal_template.competencies} where parent_id = $1 order by id',
      [templateId],
    ),
    answers: await unit.query<Row>(
      'select question, asked_of, needed from {appraisal_template.questions} where parent_id = $1 order by id',
      [templateId],
    ),
  }));
}

/** The reviewer of a manager's rating, by Appraisal score in Settings; null = nobody. */
export async function reviewerOf(
  unit: Unit,
  { employee, manager }: { employee: number; manager: number | null },
  level: 'none' | 'skip_level' | 'hod',
): Promise<number | null> {
  if (level === 'none' || manager === null) return null;
  const [above] = await unit.query<{ id: number | null }>(
    level === 'hod'
      ? 'select d.head_id as id from {employee} e left join {department} d on d.id = e.department_id where e.id = $1'
      : 'select m.reporting_to_id as id from {employee} m where m.id = $1',
    [level === 'hod' ? employee : manager],
  );
  const reviewer = above?.id ?? null;
  return reviewer === employee || reviewer === manager ? null : reviewer;
}
