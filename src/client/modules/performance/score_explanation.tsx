import { Link } from 'react-router-dom';
import { formatNumber } from '../../../descriptor/format.ts';
import type { ScorecardLine } from '../../../domain/performance/scorecard.ts';
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

/** The steps of a KPI's score, each with its numbers. */
function stepsOf(line: ScorecardLine, target: string, actual: string): string[] {
  if (line.not_applicable) return ['Not applicable this month: the KPI and its weight are left out.'];
  if (line.achievement === null) return [`Target ${target}. There is no actual yet, so there is no achievement.`];
  const reached = Number(line.achievement);
  const steps = [
    `Target ${target}, actual ${actual}: ${METHODS[line.method] ?? line.method} this is ${shown(line.achievement)} %.`,
  ];
  if (reached < Number(line.threshold)) steps.push(`Below ${shown(line.threshold)} % nothing counts: the score is 0.`);
  else if (reached > Number(line.cap))
    steps.push(`At most ${shown(line.cap)} % counts: the score is ${shown(line.score!)}.`);
  else steps.push(`No limit applies: the score is ${shown(line.score!)}.`);
  steps.push(`${shown(line.score!)} × ${shown(line.weight)} % weight = ${shown(line.weighted!)}.`);
  return steps;
}

/** The details of an expanded KPI. */
export function Explanation({
  line,
  target,
  actual,
  explains,
}: {
  line: ScorecardLine;
  target: string;
  actual: string;
  explains: boolean;
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
      {line.remark !== null && <p>Remark: {line.remark}</p>}
      <p>
        {line.records !== null && (
          <>
            <Link to={line.records}>Show the records behind it</Link>
            {' · '}
          </>
        )}
        <Link to={`/actual_updation/view/${line.id}`}>Open the update</Link>
      </p>
    </>
  );
}
