import { Badge, Button, Select } from '@fluentui/react-components';
import {
  ArrowDownRegular,
  ArrowRightRegular,
  ArrowUpRegular,
  ChevronLeftRegular,
  ChevronRightRegular,
  PrintRegular,
  RibbonRegular,
} from '@fluentui/react-icons';
import { Fragment, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link, useSearchParams } from 'react-router-dom';
import { formatDate, formatFixed, formatNumber } from '../../../../descriptor/format.ts';
import { monthTitle } from '../../../../domain/month_names.ts';
import type { ScorecardPeriod, ShortPeriod } from '../../../../domain/performance/scorecard_period.ts';
import { SCORECARD_PERIODS, SHORT_PERIODS } from '../../../../domain/performance/scorecard_period.ts';
import type { ScoreRow, Scorecard, ScorecardLine } from '../../../../domain/performance/scorecard.ts';
import { shownFigure } from '../../../../domain/performance/shown_figure.ts';
import { EmptyState } from '../../../app/page.tsx';
import type { WidgetProps } from '../../../runtime/dashboard/widgets.ts';
import { Explanation } from '../score_explanation.tsx';
import own from '../scorecard.module.css';

const COLOURS = {
  red: { letter: 'R', title: 'Red', tone: 'danger' },
  amber: { letter: 'A', title: 'Amber', tone: 'warning' },
  green: { letter: 'G', title: 'Green', tone: 'success' },
  blue: { letter: 'B', title: 'Blue', tone: 'brand' },
} as const;

const number = (value: string, decimals = 2): string => formatNumber(Number(value), decimals);
/** A figure of the KPI in its unit. */
const figure = ({ decimals, style }: ScorecardLine, value: string): string =>
  shownFigure(Number(value), Math.max(decimals, 2), style, formatNumber);
const percent = (value: string | null): string => (value === null ? '–' : `${formatFixed(value, 1)} %`);

/** Done or not over several periods: only the average of the achievements says something. */
const isAveraged = ({ method, together }: ScorecardLine): boolean => method === 'binary' && (together?.of ?? 1) > 1;

function actualOf(line: ScorecardLine): string {
  if (line.not_applicable) return 'Not applicable';
  if (isAveraged(line)) return '–';
  if (line.method === 'milestone') return line.done_on ? formatDate(line.done_on) : '–';
  if (line.method === 'binary') return line.done === 'yes' ? 'Done' : line.done === 'no' ? 'Not done' : '–';
  return line.actual === null ? '–' : figure(line, line.actual);
}

function targetOf(line: ScorecardLine): string {
  if (line.target_day !== null) return formatDate(line.target_day);
  if (line.range !== null) return `${figure(line, line.range[0])} to ${figure(line, line.range[1])}`;
  if (line.method === 'binary') return 'Done';
  return line.target === null ? '–' : figure(line, line.target);
}

/** The last months of a figure as a line, with a text for screen readers. */
function Sparkline({ values, title }: { values: readonly (string | null)[]; title: string }) {
  const points = values.flatMap((value, at) => (value === null ? [] : [{ at, value: Number(value) }]));
  if (points.length < 2) return <span className={own.faint}>–</span>;
  const all = points.map(({ value }) => value);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const x = (at: number) => 2 + (at * 76) / Math.max(1, values.length - 1);
  const y = (value: number) => (high === low ? 12 : 22 - ((value - low) * 20) / (high - low));
  const last = points.at(-1)!;
  return (
    <svg
      className={own.spark}
      viewBox="0 0 80 24"
      role="img"
      aria-label={`${title}: ${all.map((one) => percent(String(one))).join(', ')}`}
    >
      <polyline points={points.map(({ at, value }) => `${x(at)},${y(value)}`).join(' ')} />
      <circle cx={x(last.at)} cy={y(last.value)} r="2.5" />
    </svg>
  );
}

function Colour({ line }: { line: ScorecardLine }) {
  if (line.colour === null)
    return <Badge appearance="outline">{line.not_applicable ? 'Not applicable' : 'No actual'}</Badge>;
  const { letter, title, tone } = COLOURS[line.colour];
  return (
    <Badge appearance="filled" color={tone} title={title} aria-label={title}>
      {letter}
    </Badge>
  );
}

const TRENDS = {
  up: { icon: <ArrowUpRegular />, title: 'Better than the three months before' },
  level: { icon: <ArrowRightRegular />, title: 'Same as the three months before' },
  down: { icon: <ArrowDownRegular />, title: 'Worse than the three months before' },
} as const;

const PERIODS: Record<ScorecardPeriod | ShortPeriod, string> = {
  day: 'Day',
  week: 'Week',
  month: 'Month',
  quarter: 'Quarter',
  half_year: 'Half year',
  year: 'Year',
  ytd: 'Year to date',
};

/** Chooses the kind of period, and one of its periods. */
function PeriodChoice({ card: { period, month, title, choices, hasDays } }: { card: Scorecard }) {
  const [search, setSearch] = useSearchParams();
  const choose = (set: Record<string, string>) => {
    const query = new URLSearchParams(search);
    for (const [name, value] of Object.entries(set)) query.set(name, value);
    setSearch(query, { replace: true });
  };
  const at = choices.findIndex((one) => one.title === title);
  const to = (place: number) =>
    choices[place] && choose({ month: choices[place].month, ...(choices[place].day && { day: choices[place].day }) });
  return (
    <div className={own.period}>
      <Select
        aria-label="Period"
        value={period}
        onChange={(_, { value }) => choose({ period: value, ...(month !== null && { month }) })}
      >
        {[...(hasDays ? SHORT_PERIODS : []), ...SCORECARD_PERIODS].map((one) => (
          <option key={one} value={one}>
            {PERIODS[one]}
          </option>
        ))}
      </Select>
      <div className={own.month}>
        <Button
          icon={<ChevronLeftRegular />}
          appearance="subtle"
          aria-label="Period before"
          disabled={at < 0 || at === choices.length - 1}
          onClick={() => to(at + 1)}
        />
        <Select
          aria-label={PERIODS[period]}
          value={title}
          onChange={(_, data) => to(choices.findIndex((one) => one.title === data.value))}
        >
          {at < 0 && <option value={title}>{title}</option>}
          {choices.map((one) => (
            <option key={one.title} value={one.title}>
              {one.title}
            </option>
          ))}
        </Select>
        <Button
          icon={<ChevronRightRegular />}
          appearance="subtle"
          aria-label="Period after"
          disabled={at <= 0}
          onClick={() => to(at - 1)}
        />
        <Button
          icon={<PrintRegular />}
          appearance="subtle"
          aria-label="Print with all explanations"
          title="Print with all explanations"
          onClick={() => window.print()}
        />
      </div>
    </div>
  );
}

function Head({ card }: { card: Scorecard }) {
  const { owner, score } = card;
  const trend = score?.trend ? TRENDS[score.trend as keyof typeof TRENDS] : null;
  const done = card.lines.filter((line) => line.colour !== null || line.not_applicable).length;
  return (
    <div className={own.head}>
      <div className={own.who}>
        <strong>{owner!.name}</strong>
        <span>{owner!.about.join(' · ')}</span>
        {owner!.person !== null && (
          <span>{owner!.isUnit ? `Responsible: ${owner!.person}` : `Reports to ${owner!.person}`}</span>
        )}
      </div>
      <div className={own.score} aria-live="polite">
        <span className={own.figure}>{score?.score ? formatFixed(score.score, card.decimals) : '–'}</span>
        <span>
          {score?.band !== null && score?.band !== undefined && <Badge appearance="tint">{score.band}</Badge>}
          {trend && (
            <span className={own.trend} role="img" title={trend.title} aria-label={trend.title}>
              {trend.icon}
            </span>
          )}
          {score?.frozen && <Badge appearance="outline">Frozen</Badge>}
        </span>
        {card.rank !== null && (
          <span className={own.faint}>
            Rank {card.rank.place} of {card.rank.of} {card.rank.among}
          </span>
        )}
        <span className={own.faint}>
          {score === null
            ? card.period === 'day' || card.period === 'week'
              ? 'Nothing is entered yet'
              : 'No update is approved yet'
            : score.covered === null
              ? 'Average of the months'
              : `of ${number(score.covered)} % of the weight`}{' '}
          · {done} of {card.lines.length} entered
        </span>
      </div>
      <PeriodChoice card={card} />
    </div>
  );
}

/** What needs attention first: red KPIs that have a weight, sorted by time off target and weight. */
function Off({ lines }: { lines: readonly ScorecardLine[] }) {
  const off = lines
    .filter(({ off_since: since, isMetric }) => since !== null && !isMetric)
    .toSorted((a, b) => a.off_since!.localeCompare(b.off_since!) || Number(b.weight) - Number(a.weight));
  if (off.length === 0) return null;
  return (
    <ul className={own.off} aria-label="What is off">
      {off.map((line) => (
        <li key={line.id}>
          <Link to={line.opens}>{line.kpi}</Link>:{' '}
          {line.achievement === null ? 'no actual yet' : `${percent(line.achievement)} of the target`}, red since{' '}
          {monthTitle(line.off_since!)}
          {line.remark !== null && <span className={own.faint}> – {line.remark}</span>}
        </li>
      ))}
    </ul>
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

function Lines({ card }: { card: Scorecard }) {
  const [open, setOpen] = useState<number | null>(null);
  const isPrinting = usePrinting();
  const types = [...new Set(card.lines.map(({ type }) => type))];
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
          {card.lines
            .filter((line) => line.type === type)
            .map((line) => (
              <Fragment key={line.id}>
                <tr>
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
                  <td data-title="Weight">{line.isMetric ? 'Metric' : `${number(line.weight)} %`}</td>
                  <td data-title="Target">{targetOf(line)}</td>
                  <td data-title="Actual">{actualOf(line)}</td>
                  <td data-title="Achievement">
                    <Colour line={line} /> {line.achievement !== null && percent(line.achievement)}
                    {line.pace !== null && <span className={own.faint}>Pace {percent(line.pace.percent)}</span>}
                  </td>
                  <td data-title="Score">{line.score === null ? '–' : formatFixed(line.score, 2)}</td>
                  <td data-title="Last months">
                    <Sparkline values={line.past.map(({ achievement }) => achievement)} title={line.kpi} />
                  </td>
                </tr>
                {(open === line.id || isPrinting) && (
                  <tr className={own.detail}>
                    <td colSpan={7}>
                      <Explanation
                        line={line}
                        target={targetOf(line)}
                        actual={actualOf(line)}
                        explains={card.explains}
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

/** Other scorecards of the period, each with its score. */
function Scores({ title, rows, decimals }: { title: string; rows: readonly ScoreRow[]; decimals: number }) {
  if (rows.length === 0) return null;
  return (
    <section className={own.reportees} aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {rows.map((one) => (
          <li key={one.to}>
            <Link to={one.to}>{one.name}</Link>
            <span className={own.reporteeScore}>{one.score === null ? '–' : formatFixed(one.score, decimals)}</span>
            <span>{one.band ?? ''}</span>
            <span className={own.faint}>
              {one.open === 0 ? 'All entered' : `${one.open} to enter`}
              {one.unacknowledged && ' · not acknowledged'}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The scorecard of a member or a unit in a period: what is off target, since when, and the causes. */
export default function ScorecardWidget({ data }: WidgetProps) {
  const card = data as Scorecard;
  if (card.owner === null)
    return (
      <EmptyState
        icon={<RibbonRegular />}
        title="No scorecard"
        text="Choose a member or a sheet whose figures you may see. Your own scorecard is shown if your account is linked to an employee."
      />
    );
  if (card.month === null)
    return (
      <>
        <EmptyState
          icon={<RibbonRegular />}
          title={`${card.owner.name} has no KPIs yet`}
          text="A scorecard needs an approved KPI sheet."
          actions={[{ label: 'Assign KPI', to: '/employee_kpi' }]}
        />
        <Scores title="Units" rows={card.units} decimals={card.decimals} />
      </>
    );
  return (
    <>
      <Head card={card} />
      {card.acknowledge !== null && (
        <p>
          Your KPIs are approved. <Link to={card.acknowledge}>Acknowledge or dispute them</Link>
        </p>
      )}
      <Off lines={card.lines} />
      <Lines card={card} />
      <Scores title={card.owner.isUnit ? 'Sheets below' : 'Reportees'} rows={card.below} decimals={card.decimals} />
      <Scores title="Units" rows={card.units} decimals={card.decimals} />
    </>
  );
}
