import { CopyRegular, DataTrendingRegular, DeleteRegular, EditRegular } from '@fluentui/react-icons';
import { useNavigate } from 'react-router-dom';
import useSWR, { useSWRConfig } from 'swr';
import type { ReadableReport } from '../../../domain/report.ts';
import { ApiError, api } from '../../api/http.ts';
import { menu } from '../../api/screens.ts';
import { confirmDialog, toast } from '../../app/feedback.ts';
import type { PageAction } from '../../app/page_action.ts';
import { EmptyState, ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { useSession } from '../../app/session.ts';
import type { SavedReport } from './report_draft.ts';
import { ShownReport } from './ReportPage.tsx';

/** A user-built report: a report like every other, which its owner can change and delete. */
export default function OwnReportPage({ params: { id = '' } }: { params: Record<string, string> }) {
  const { entityId } = useSession();
  const navigate = useNavigate();
  const { mutate: refetch } = useSWRConfig();
  const at = `/tapi/report/own/${id}`;
  const {
    data: report,
    error,
    mutate,
  } = useSWR(
    [`/tapi/report/own.${id}`, entityId],
    async ([path]) => (await api.get<{ data: ReadableReport }>(path, {}, { quiet: true })).data,
  );
  const { data: saved } = useSWR(
    [at, entityId],
    async ([path]) => (await api.get<{ data: SavedReport }>(path, {}, { quiet: true })).data,
  );
  const canBuild = menu.use().pages.includes('/reports/build');
  const remove = async () => {
    const sure = await confirmDialog({
      title: `Delete “${saved!.report.title}”?`,
      text: `It is deleted for everybody who has it, with its subscriptions by mail. The records it counts stay. This cannot be undone.`,
      confirmLabel: 'Delete report',
      danger: true,
    });
    if (!sure) return;
    try {
      await api.delete(at);
      // The previously loaded list still contains it.
      await refetch((key) => Array.isArray(key) && key[0] === '/tapi/report', undefined);
      toast.success('The report is deleted.');
      void navigate('/reports');
    } catch {
      // The call has said why.
    }
  };
  const change: PageAction = { label: 'Change report', icon: <EditRegular />, to: `/reports/build?report=${id}` };
  const erase: PageAction = {
    label: 'Delete report…',
    icon: <DeleteRegular />,
    danger: true,
    onClick: () => void remove(),
  };
  const more: PageAction[] = saved
    ? [
        ...(saved.mayChange && canBuild ? [change] : []),
        ...(canBuild
          ? [{ label: 'Copy report', icon: <CopyRegular />, to: `/reports/build?report=${id}&copy=1` }]
          : []),
        ...(saved.mayChange ? [erase] : []),
      ]
    : [];
  if (report) return <ShownReport report={report} more={more} />;
  if (!error)
    return (
      <Page title="">
        <PageBody>
          <Skeleton rows={10} />
        </PageBody>
      </Page>
    );
  const known = error instanceof ApiError && [403, 404, 422].includes(error.status);
  return (
    <Page title={saved?.report.title ?? 'Report'}>
      <PageBody>
        {known ? (
          <EmptyState
            icon={<DataTrendingRegular />}
            title={error.status === 404 ? 'There is no such report.' : 'This report cannot be shown.'}
            text={
              error.status === 404 ? 'It has been deleted, or it is not shared with you.' : (error as ApiError).message
            }
            actions={[
              ...(saved?.mayChange && canBuild ? [change] : []),
              { label: 'All reports', to: '/reports' },
              ...(saved?.mayChange ? [erase] : []),
            ]}
          />
        ) : (
          <ErrorView error={error} retry={() => void mutate()} home />
        )}
      </PageBody>
    </Page>
  );
}
