import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import { formatNumber } from '../../../descriptor/format.ts';
import type { Aggregation } from '../../../domain/performance/over_time.ts';
import type { ScorecardLine } from '../../../domain/performance/scorecard.ts';
import type { Charted } from '../../runtime/report/ChartFigure.tsx';
import { ChartFigure } from '../../runtime/report/ChartFigure.tsx';
import { monthsChart } from './months_chart.ts';
import own from './scorecard.module.css';

const shown = (value: string, decimals = 4): string => formatNumber(Number(value), decimals);

const METHODS: Readonly<Record<string, string>> = {
  linear: 'in proportion to the target',
  inverse: 'target divided by actual',
  base_to_target: 'the way from the base to the target',
  range: 'how far it is outside the range',
  milestone: 'by the days it was late',
  binary: 'done or not',
  slab: 'in proportion to the target, then by the slabs of the KPI',
};

const TOGETHER = {
  sum: 'the sum',
  average: 'the average',
  last: 'the last',
  min: 'the lowest',
  max: 'the highest',
  weighted: 'the weighted average',
} as const satisfies Partial<Record<Aggregation, string>>;

/** How the periods of a longer period count together. */
function togetherOf({ together, method }: ScorecardLine): string[] {
  if (together === null || together.of === 1 || method === 'milestone') return [];
  const { as, months, of } = together;
  const which = months === of ? `all ${of}` : `${months} of ${of}`;
  if (as === 'formula')
    return [`The actual is calculated of the figures of all periods; the target is the average of ${which}.`];
  return [`Actual and target are ${TOGETHER[as]} of the periods with an approved actual: ${which}.`];
}

/** The steps of a KPI's score, each with its numbers. */
function stepsOf(line: ScorecardLine, target: string, actual: string): string[] {
  if (line.not_applicable) return ['Not applicable in this period: the KPI and its weight are left out.'];
  if (line.achievement === null) return [`Target ${target}. There is no actual yet, so there is no achievement.`];
  const reached = Number(line.achievement);
  const steps =
    line.together !== null && line.method === 'binary'
      ? [`The average of the achievements of ${line.together.months} periods is ${shown(line.achievement)} %.`]
      : [
          ...togetherOf(line),
          `Target ${target}, actual ${actual}: ${METHODS[line.method] ?? line.method} this is ${shown(line.achievement)} %.`,
        ];
  if (reached < Number(line.threshold)) steps.push(`Below ${shown(line.threshold)} % nothing counts: the score is 0.`);
  else if (line.stretch !== null && reached > 100)
    steps.push(
      `The stretch target of ${shown(line.stretch)} % earns ${shown(line.cap)}: the score is ${shown(line.score!)}.`,
    );
  else if (reached > Number(line.cap))
    steps.push(`At most ${shown(line.cap)} % counts: the score is ${shown(line.score!)}.`);
  else steps.push(`No limit applies: the score is ${shown(line.score!)}.`);
  steps.push(`${shown(line.score!)} × ${shown(line.weight)} % weight = ${shown(line.weighted!)}.`);
  if (line.alone !== null) steps.push(`The actual is of the year so far: ${shown(line.alone)} in this month.`);
  if (line.pace !== null)
    steps.push(
      `The month runs: by its working days ${shown(line.pace.expected)} were to be reached before today, so the pace is ${shown(line.pace.percent)} %.`,
    );
  return steps;
}

function Months({ line }: { line: ScorecardLine }) {
  const chart = useMemo(() => monthsChart(line), [line]);
  if (chart === null) return null;
  const report: Charted = { title: `${line.kpi} by month`, columns: [], chart: { kind: 'line', x: 'month', y: [] } };
  return <ChartFigure report={report} chart={chart} chosen={[]} />;
}

/** The details of an expanded KPI. */
export function Explanation({
  line,
  target,
  actual,
  explains,
  isDrawn,
}: {
  line: ScorecardLine;
  target: string;
  actual: string;
  explains: boolean;
  /** With the chart of its months; a print has the small line of each KPI instead. */
  isDrawn: boolean;
}) {
  return (
    <>
      {explains && (
        <ol className={own.steps}>
          {stepsOf(line, target, actual).map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      )}
      {isDrawn && <Months line={line} />}
      {line.remark !== null && <p>Remark: {line.remark}</p>}
      {line.benchmark !== null && <p>Benchmark: {shown(line.benchmark)}</p>}
      {line.data_source !== null && <p>Source: {line.data_source}</p>}
      {line.owner !== null && <p>Owner of the KPI: {line.owner}</p>}
      <p>
        {line.records !== null && (
          <>
            <Link to={line.records}>Show the records behind it</Link>
            {' · '}
          </>
        )}
        {line.parts !== null && (
          <>
            <Link to={line.parts}>Show its parts</Link>
            {' · '}
          </>
        )}
        <Link to={line.opens}>{line.together === null ? 'Open the update' : 'Show its updates'}</Link>
        {line.feedback !== null && (
          <>
            {' · '}
            <Link to={line.feedback.list}>Show its feedback</Link>
          </>
        )}
        {typeof line.feedback?.give === 'string' && (
          <>
            {' · '}
            <Link to={line.feedback.give}>Give feedback</Link>
          </>
        )}
      </p>
    </>
  );
}
