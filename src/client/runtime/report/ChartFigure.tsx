import { Button } from '@fluentui/react-components';
import { DataTrendingRegular, TableRegular } from '@fluentui/react-icons';
import { Suspense, lazy, useId, useState } from 'react';
import type { Report, ReportAnswer } from '../../../domain/report.ts';
import { chartText } from './chart_text.ts';
import styles from './report.module.css';

const ReportChart = lazy(() => import('./ReportChart.tsx'));

/** What a chart needs of its report. */
export type Charted = Pick<Report, 'title' | 'columns' | 'chart'>;

/** The chart of a report with its title and choices; shown as a table on request. */
export function ChartFigure({
  report,
  chart,
  chosen,
  onPick,
}: {
  report: Charted;
  chart: NonNullable<ReportAnswer['chart']>;
  chosen: ReportAnswer['chosen'];
  onPick?: ((at: number) => void) | undefined;
}) {
  const [isTable, setTable] = useState(false);
  const id = useId();
  // A heat map is a table itself: its colours come beside the numbers.
  const isHeat = report.chart!.kind === 'heat';
  const words = chosen.map(({ title, text }) => `${title}: ${text}`).join(' · ');
  return (
    <figure className={styles.figure} aria-labelledby={id}>
      <figcaption>
        <span>
          <strong id={id}>{report.title}</strong>
          {words !== '' && <span className={styles.faint}> {words}</span>}
        </span>
        {!isHeat && (
          <Button
            size="small"
            appearance="subtle"
            icon={isTable ? <DataTrendingRegular /> : <TableRegular />}
            onClick={() => setTable(!isTable)}
          >
            {isTable ? 'Show as chart' : 'Show as table'}
          </Button>
        )}
      </figcaption>
      {isTable || isHeat ? (
        <ChartTable report={report} chart={chart} />
      ) : (
        <Suspense fallback={<div className={styles.chart} aria-hidden />}>
          <ReportChart
            kind={report.chart!.kind}
            stacked={report.chart!.stacked === true}
            title={report.title}
            chart={chart}
            onPick={onPick}
          />
        </Suspense>
      )}
    </figure>
  );
}

function ChartTable({ report, chart }: { report: Charted; chart: NonNullable<ReportAnswer['chart']> }) {
  const { along: head, x, series } = chart;
  const along = report.columns.find(({ name }) => name === report.chart!.x);
  const isHeat = report.chart!.kind === 'heat';
  const max = Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const heatOf = (value: number | null | undefined) =>
    isHeat && max > 0 && value ? { 'data-heat': Math.ceil((5 * value) / max) } : {};
  return (
    <div className={styles.frame} tabIndex={0} role="region" aria-label={`Figures of the chart of ${report.title}`}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{head ?? along?.title ?? ''}</th>
            {series.map(({ title }) => (
              <th key={title} scope="col" data-figure>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {x.map((name, at) => (
            <tr key={`${at} ${name}`}>
              <th scope="row">{name}</th>
              {series.map(({ title, values }) => (
                <td key={title} data-figure data-label={title} {...heatOf(values[at])}>
                  {values[at] === null || values[at] === undefined ? '–' : chartText(chart, values[at])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
