import { DataTrendingRegular } from '@fluentui/react-icons';
import { useEffect, useState } from 'react';
import useSWR from 'swr';
import type { Report, ReportAnswer } from '../../../domain/report.ts';
import { api } from '../../api/http.ts';
import { EmptyState, ErrorView, Skeleton } from '../../app/page.tsx';
import { useSession } from '../../app/session.ts';
import { ChartFigure } from './ChartFigure.tsx';
import type { OwnReport } from './report_draft.ts';
import { ReportTable } from './ReportTable.tsx';
import reportStyles from './report.module.css';
import styles from './builder.module.css';

/** A value that has been stable for a moment: not every keystroke triggers a request. */
function useSettled<T>(value: T, milliseconds: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}

/** A preview of the report while it is built; the previous figures stay until the new ones are loaded. */
export function Preview({ report }: { report: OwnReport }) {
  const { entityId } = useSession();
  const text = useSettled(JSON.stringify(report), 300);
  const isReady = report.from!.group.length > 0 && report.from!.measures.length > 0;
  const { data, error, isLoading, mutate } = useSWR(
    isReady ? ['/tapi/report/own/preview', text, entityId] : null,
    async ([path, body]) =>
      (
        await api.post<{ data: { report: Report; answer: ReportAnswer } }>(
          path,
          { report: JSON.parse(body) as OwnReport },
          { quiet: true },
        )
      ).data,
    { keepPreviousData: true, revalidateOnFocus: false },
  );
  if (!isReady)
    return (
      <EmptyState icon={<DataTrendingRegular />} title="Nothing to show yet" text="Choose a group and a figure." />
    );
  if (error) return <ErrorView error={error} title="This report cannot be shown." retry={() => void mutate()} />;
  if (!data) return <Skeleton rows={8} label="Loading the preview" />;
  const { answer } = data;
  return (
    <div className={reportStyles.body} data-waiting={isLoading || undefined} aria-busy={isLoading}>
      {answer.chart && data.report.chart && (
        <ChartFigure key={data.report.chart.kind} report={data.report} chart={answer.chart} chosen={answer.chosen} />
      )}
      {answer.rows.length === 0 ? (
        <EmptyState
          icon={<DataTrendingRegular />}
          title="There is nothing to show."
          text="No records that you may see meet the filters."
        />
      ) : (
        <ReportTable report={data.report} answer={answer} chosen={{}} />
      )}
      {answer.more && <p className={styles.faint}>There are more rows than are shown. Narrow the report.</p>}
    </div>
  );
}
