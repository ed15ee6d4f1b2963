import { companyScore } from '../../../../domain/board/board_score.ts';
import { Decimal } from 'decimal.js';
import type { ReportCall, ReportSource } from '../../../engine/reports/report_source.ts';
import { chosenUnit } from '../chosen_unit.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';

interface Line extends Record<string, unknown> {
  id: number;
  month: string;
  perspective: string;
  kpi: string;
  weight: string;
  achievement: string | null;
  score: string | null;
  colour: string | null;
  remark: string | null;
}

const MONTHS = 12;
const reads = {
  board_unit: ['scorecard_of_id'],
  kpi_actual: ['weight', 'score', 'achievement', 'colour', 'remark'],
} as const;

/** The lines of the KPI sheet that the unit names, by month, latest first. */
async function linesOf(call: ReportCall): Promise<{ member: number | null; unit: string; lines: Line[] }> {
  const unit = await chosenUnit(call);
  if (!unit || unit.scorecard_of_id === null) return { member: null, unit: unit?.name ?? '', lines: [] };
  const reader = new SourceReader(call);
  const upTo = typeof call.parameters.month === 'string' ? call.parameters.month : call.today.slice(0, 7);
  const lines = await reader.query<Line>(
    (
      values,
    ) => `select a.id, a.month, coalesce(t.name, 'Other') as perspective, k.name as kpi, a.weight::text, a.achievement::text,
        a.score::text, a.colour, a.remark
      from {kpi_actual} a join {kpi} k on k.id = a.kpi_id left join {kpi_type} t on t.id = k.kpi_type_id
      where a.employee_id = ${values.bind(unit.scorecard_of_id)} and a.month <= ${values.bind(upTo)} and a.score is not null
        and a.weight > 0 and ${reader.seen('kpi_actual', 'a', values)} order by a.month desc, a.weight desc limit 600`,
  );
  return { member: unit.scorecard_of_id, unit: unit.name, lines };
}

/** Perspectives of a month, with their weights as shares of the scored weight. */
function perspectivesOf(lines: readonly Line[]): { perspective: string; weight: string; score: string }[] {
  const total = lines.reduce((sum, { weight }) => sum.plus(weight), new Decimal(0));
  return [...Map.groupBy(lines, ({ perspective }) => perspective)].map(([perspective, own]) => {
    const weight = own.reduce((sum, line) => sum.plus(line.weight), new Decimal(0));
    const scored = own.reduce((sum, line) => sum.plus(new Decimal(line.weight).times(line.score!)), new Decimal(0));
    return {
      perspective,
      weight: weight.times(100).div(total).toDecimalPlaces(10).toString(),
      score: scored.div(weight).toDecimalPlaces(10).toString(),
    };
  });
}

const address = (member: number, month: string) => `/scorecard_new?employee_id=${member}&month=${month}`;

/** The score of the unit's own sheet: by perspective, by month, its KPIs, or the total (board.md §5.7). */
const unitScorecard: ReportSource = {
  reads,
  async rows(call) {
    const { member, lines } = await linesOf(call);
    const months = [...Map.groupBy(lines, ({ month }) => month)].slice(0, MONTHS);
    const latest = months[0];
    if (member === null || !latest)
      return { rows: [], note: 'The unit has no scorecard with figures yet. Choose one in Board units.' };
    const [month, own] = latest;
    const opens = address(member, month);
    const two = (value: string) => new Decimal(value).toDecimalPlaces(2).toNumber();
    switch (call.args?.as) {
      case 'months':
        return {
          rows: months
            .toReversed()
            .map(([one, of]) => ({ month: one, score: Number(companyScore(perspectivesOf(of))) })),
          opens: address(member, month),
        };
      case 'perspectives':
        return {
          rows: perspectivesOf(own).map((one) => ({
            perspective: one.perspective,
            weight: two(one.weight),
            score: two(one.score),
          })),
          opens,
        };
      case 'kpis':
        return {
          rows: own.map(({ kpi, weight, achievement, score, colour, remark }) => ({
            kpi,
            weight: two(weight),
            achievement: achievement === null ? null : two(achievement),
            score: two(score!),
            colour,
            remark,
          })),
          opens,
        };
      default:
        return { rows: [{ score: Number(companyScore(perspectivesOf(own))) }], note: `Of ${month}`, opens };
    }
  },
};

export default unitScorecard;
