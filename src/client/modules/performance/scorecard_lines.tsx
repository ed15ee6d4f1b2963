import { Badge } from '@fluentui/react-components';
import { CheckmarkCircleRegular } from '@fluentui/react-icons';
import { Fragment, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router-dom';
import { formatFixed, formatNumber } from '../../../descriptor/format.ts';
import { monthTitle } from '../../../domain/month_names.ts';
import type { Scorecard, ScorecardLine } from '../../../domain/performance/scorecard.ts';
import { COLOURS, actualOf, percentText, targetOf } from './figure_texts.ts';
import { Explanation } from './score_explanation.tsx';
import { Sparkline } from './sparkline.tsx';
import own from './scorecard.module.css';

/** The letter of a colour, for readers who cannot tell colours. */
export function ColourLetter({ colour }: { colour: NonNullable<ScorecardLine['colour']> }) {
  const { letter, title, tone } = COLOURS[colour];
  return (
    <Badge appearance="filled" color={tone} title={title} aria-label={title}>
      {letter}
    </Badge>
  );
}

function Colour({ line }: { line: ScorecardLine }) {
  if (line.colour !== null) return <ColourLetter colour={line.colour} />;
  return <Badge appearance="outline">{line.not_applicable ? 'Not applicable' : 'No actual'}</Badge>;
}

/** What needs attention first: red KPIs that have a weight, sorted by time off target and weight. */
export function Off({ lines }: { lines: readonly ScorecardLine[] }) {
  const off = lines
    .filter(({ off_since: since, isMetric }) => since !== null && !isMetric)
    .toSorted((a, b) => a.off_since!.localeCompare(b.off_since!) || Number(b.weight) - Number(a.weight));
  if (off.length === 0)
    return lines.some(({ colour }) => colour !== null) ? (
      <p className={own.fine}>
        <CheckmarkCircleRegular aria-hidden /> No KPI is red.
      </p>
    ) : null;
  return (
    <section className={own.off} aria-label="Off target">
      <h3>{off.length === 1 ? 'One KPI is off target' : `${off.length} KPIs are off target`}</h3>
      <ul aria-label="What is off">
        {off.map((line) => (
          <li key={line.id}>
            <ColourLetter colour="red" />
            <span className={own.offName}>
              <Link to={line.opens}>{line.kpi}</Link>
              <span>
                {line.achievement === null ? 'no actual yet' : `${percentText(line.achievement)} of the target`}
                {', red since '}
                {monthTitle(line.off_since!)}
              </span>
            </span>
            <span className={line.off_remark === null ? own.faint : own.why}>
              {line.off_remark === null
                ? 'No remark says why.'
                : `${line.off_remark.text}${line.off_remark.month === null ? '' : ` (${monthTitle(line.off_remark.month)})`}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Whether the page is being printed: paper shows what the screen opens. */
function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const before = () => flushSync(() => setPrinting(true));
    const after = () => setPrinting(false);
    window.addEventListener('beforeprint', before);
    window.addEventListener('afterprint', after);
    return () => {
      window.removeEventListener('beforeprint', before);
      window.removeEventListener('afterprint', after);
    };
  }, []);
  return isPrinting;
}

/** The KPIs of a sheet by their type; each opens its explanation. */
export function Lines({ lines, explains }: Pick<Scorecard, 'lines' | 'explains'>) {
  const [open, setOpen] = useState<number | null>(null);
  const isPrinting = usePrinting();
  const types = [...new Set(lines.map(({ type }) => type))];
  return (
    <table className={own.lines}>
      <thead>
        <tr>
          <th scope="col">KPI</th>
          <th scope="col">Weight</th>
          <th scope="col">Target</th>
          <th scope="col">Actual</th>
          <th scope="col">Achievement</th>
          <th scope="col">Score</th>
          <th scope="col">Last months</th>
        </tr>
      </thead>
      {types.map((type) => (
        <tbody key={type}>
          <tr className={own.type}>
            <th colSpan={7} scope="rowgroup">
              {type}
            </th>
          </tr>
          {lines
            .filter((line) => line.type === type)
            .map((line) => (
              <Fragment key={line.id}>
                <tr data-off={line.off_since !== null || undefined}>
                  <th scope="row">
                    <button
                      type="button"
                      className={own.open}
                      aria-expanded={open === line.id}
                      onClick={() => setOpen(open === line.id ? null : line.id)}
                    >
                      {line.kpi}
                    </button>
                    <span className={own.faint}>{line.unit}</span>
                  </th>
                  <td data-title="Weight">{line.isMetric ? 'Metric' : `${formatNumber(Number(line.weight), 2)} %`}</td>
                  <td data-title="Target">{targetOf(line)}</td>
                  <td data-title="Actual">{actualOf(line)}</td>
                  <td data-title="Achievement">
                    <Colour line={line} /> {line.achievement !== null && percentText(line.achievement)}
                    {line.pace !== null && <span className={own.faint}>Pace {percentText(line.pace.percent)}</span>}
                  </td>
                  <td data-title="Score">{line.score === null ? '–' : formatFixed(line.score, 2)}</td>
                  <td data-title="Last months">
                    <Sparkline values={line.past.map(({ achievement }) => achievement)} title={line.kpi} unit=" %" />
                  </td>
                </tr>
                {(open === line.id || isPrinting) && (
                  <tr className={own.detail}>
                    <td colSpan={7}>
                      <Explanation
                        line={line}
                        target={targetOf(line)}
                        actual={actualOf(line)}
                        explains={explains}
                        isDrawn={open === line.id && !isPrinting}
                      />
                    </td>
                  </tr>
                )}
              </Fragment>
            ))}
        </tbody>
      ))}
    </table>
  );
}
