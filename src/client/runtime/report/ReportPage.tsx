import { formatNumber } from '../../../descriptor/format.ts';
import {
  ArrowDownloadRegular,
  DataTrendingRegular,
  DocumentArrowRightRegular,
  DocumentPdfRegular,
  MailClockRegular,
} from '@fluentui/react-icons';
import { Suspense, lazy, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import useSWR from 'swr';
import type { ReadableReport, Report, ReportAnswer } from '../../../domain/report.ts';
import { ApiError, api } from '../../api/http.ts';
import { useScreenRef } from '../../api/screens.ts';
import { EmptyState, ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import type { PageAction } from '../../app/page_action.ts';
import { noteRecentPlace } from '../../app/recent_places.ts';
import { Figure } from '../../modules/dashboard_boxes.tsx';
import { AtRoute } from './AtRoute.tsx';
import { ChartFigure } from './ChartFigure.tsx';
import { Parameters } from './Parameters.tsx';
import { ReportTable } from './ReportTable.tsx';
import { ReportTimeline } from './ReportTimeline.tsx';
import type { Chosen } from './report_view.ts';
import { chosenOf, listBehind } from './report_view.ts';
import styles from './report.module.css';

const SubscriptionPanel = lazy(() => import('./SubscriptionPanel.tsx'));

/** Any report: its parameters, figures, chart and table. */
export default function ReportPage({ route }: { route: string }) {
  return (
    <AtRoute<ReadableReport> call="/tapi/report/at" route={route}>
      {(report) => <ShownReport report={report} />}
    </AtRoute>
  );
}

/** A report that the reader may open. `more`: further actions. */
export function ShownReport({ report, more = [] }: { report: ReadableReport; more?: PageAction[] }) {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  useEffect(() => noteRecentPlace({ to: report.route, title: report.title, what: 'Report' }), [report]);
  const chosen = chosenOf(report.parameters, search);
  const [busy, setBusy] = useState(false);
  // The unsubscribe link in a mail leads here.
  const [subscribing, setSubscribing] = useState(report.mails && new URLSearchParams(search).has('by-mail'));
  const {
    data: answer,
    error,
    isLoading,
    mutate,
  } = useSWR(
    [`/tapi/report/${report.name}/rows`, chosen],
    async ([path, query]) => (await api.get<{ data: ReportAnswer }>(path, query, { quiet: true })).data,
    { keepPreviousData: true },
  );
  const choose = (next: Chosen) =>
    void navigate(`${pathname}?${new URLSearchParams(next).toString()}`.replace(/\?$/, ''), { replace: true });
  const takeAlong = async (ending: 'xlsx' | 'pdf' | 'xml') => {
    setBusy(true);
    try {
      await api.download(`/tapi/report/${report.name}/export.${ending}`, chosen);
    } catch {
      // Shown by the call itself.
    } finally {
      setBusy(false);
    }
  };
  const wrong = error instanceof ApiError && error.status === 422 ? error : null;

  return (
    <Page
      title={report.title}
      more={more}
      secondary={
        report.exports
          ? [
              {
                label: 'Excel',
                icon: <ArrowDownloadRegular />,
                busy,
                disabled: !answer || answer.rows.length === 0,
                reason: 'There is nothing to export.',
                onClick: () => void takeAlong('xlsx'),
              },
              {
                label: 'PDF',
                icon: <DocumentPdfRegular />,
                busy,
                disabled: !answer || answer.rows.length === 0,
                reason: 'There is nothing to print.',
                onClick: () => void takeAlong('pdf'),
              },
              ...(report.xml === undefined
                ? []
                : [
                    {
                      label: report.xml,
                      icon: <DocumentArrowRightRegular />,
                      busy,
                      disabled: !answer || answer.rows.length === 0,
                      reason: 'There is nothing to export.',
                      onClick: () => void takeAlong('xml'),
                    },
                  ]),
              ...(report.mails
                ? [{ label: 'By mail', icon: <MailClockRegular />, onClick: () => setSubscribing(true) }]
                : []),
            ]
          : []
      }
    >
      <PageBody>
        {report.description && <p className={styles.description}>{report.description}</p>}
        {report.parameters.length > 0 && (
          <Parameters
            label="What the report shows"
            fields={report.parameters}
            defaults={report.defaults}
            chosen={chosen}
            used={answer?.parameters ?? {}}
            wrong={wrong}
            onChoose={choose}
          />
        )}
        {error && !wrong && !answer ? (
          <ErrorView error={error} retry={() => void mutate()} />
        ) : wrong ? (
          !report.parameters.some(({ name }) => name === wrong.field) && (
            <ErrorView error={wrong} title="This report cannot be created." />
          )
        ) : !answer ? (
          <Skeleton rows={10} label="Loading figures" />
        ) : (
          <div className={styles.body} data-waiting={isLoading || undefined} aria-busy={isLoading}>
            <Figures report={report} answer={answer} chosen={chosen} onClear={() => choose({})} />
          </div>
        )}
        {subscribing && (
          <Suspense fallback={null}>
            <SubscriptionPanel report={report} chosen={chosen} onClose={() => setSubscribing(false)} />
          </Suspense>
        )}
      </PageBody>
    </Page>
  );
}

function Figures({
  report,
  answer,
  chosen,
  onClear,
}: {
  report: Report;
  answer: ReportAnswer;
  chosen: Chosen;
  onClear: () => void;
}) {
  const some = Object.keys(chosen).length > 0;
  const navigate = useNavigate();
  const list = useScreenRef(report.from?.type ?? '')?.routes.landing ?? null;
  // A bar opens the same page as its figure in the table.
  const counted = report.chart?.y.find((name) => report.from?.measures.some((measure) => measure.name === name));
  const pick = (at: number) => {
    const address =
      // Bars that add up several rows have no row of their own.
      counted === undefined || !answer.rows[at] || answer.chart?.x.length !== answer.rows.length
        ? null
        : listBehind(report, answer.rows[at], answer.parameters, { name: counted }, list);
    if (address !== null) void navigate(address);
  };
  return (
    <>
      {answer.figures.length > 0 && (
        <div className={styles.figures}>
          {answer.figures.map(({ title, value, note, tone }) => (
            <Figure
              key={title}
              title={title}
              value={value}
              {...(note !== undefined && { note })}
              {...(tone && tone !== 'success' && { tone })}
            />
          ))}
        </div>
      )}
      {answer.chart && report.chart && (
        <ChartFigure
          report={report}
          chart={answer.chart}
          chosen={answer.chosen}
          onPick={counted !== undefined && list !== null && !report.pivot ? pick : undefined}
        />
      )}
      {answer.timeline && <ReportTimeline title={report.title} timeline={answer.timeline} />}
      {answer.rows.length === 0 ? (
        <EmptyState
          title="There is nothing to show."
          icon={<DataTrendingRegular />}
          text={
            answer.note ??
            (some ? 'Nothing matches the choices above.' : 'There are no records that you may see for this report.')
          }
          actions={some ? [{ label: 'Clear the choice', onClick: onClear }] : []}
        />
      ) : (
        <ReportTable report={report} answer={answer} chosen={chosen} />
      )}
      {answer.more && (
        <p className={styles.note}>
          Only the first {formatNumber(answer.rows.length)} rows are shown, without totals. Narrow the report to see
          all.
        </p>
      )}
      {answer.note && answer.rows.length > 0 && <p className={styles.note}>{answer.note}</p>}
    </>
  );
}
