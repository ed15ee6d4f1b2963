import { Button } from '@fluentui/react-components';
import { CalendarLtrRegular, PlayRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import useSWR from 'swr';
import { formatDate } from '../../../descriptor/format.ts';
import { ApiError, api } from '../../api/http.ts';
import { EmptyState, ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { TableHead } from '../../app/table_head.tsx';
import type { BespokeProps } from '../bespoke_props.ts';
import { RecordChoice } from './RecordChoice.tsx';
import { MessageView } from './MessageView.tsx';
import styles from './message.module.css';

interface Preview {
  title: string;
  type: string;
  of: string | null;
  subject: string;
  text: string;
  to: string[];
}
interface Due {
  type: string;
  id: number;
  record: string;
  due_on: string;
  date: string;
  subject: string;
  link: string;
  to: { name: string; email: string }[];
}

/** A preview of an escalation rule and the messages that it would send today. Nothing is sent from here. */
export default function EscalationPreviewPage({ params }: BespokeProps) {
  const [record, setRecord] = useState<number | null>(null);
  const { data, error, mutate } = useSWR(
    `/tapi/esclation/${params.id}/preview${record === null ? '' : `?record=${record}`}`,
    (path: string) => api.get<{ data: Preview }>(path, undefined, { quiet: true }),
    { keepPreviousData: true },
  );
  const [dues, setDues] = useState<Due[] | null>(null);
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    try {
      setDues((await api.post<{ data: Due[] }>(`/tapi/esclation/${params.id}/dry_run`, {})).data);
    } catch {
      // The call has shown the error.
    }
    setBusy(false);
  };
  return (
    <Page
      title={data?.data.title ?? 'Preview'}
      breadcrumbs={[{ label: 'Mail configuration', to: '/esclation' }]}
      layout="form"
      secondary={[{ label: 'Edit', to: `/esclation/edit/${params.id}` }]}
    >
      <PageBody>
        {error instanceof ApiError && error.code === 'bad_state' ? (
          <EmptyState
            icon={<CalendarLtrRegular />}
            title="Nothing to preview by date"
            text={error.message}
            actions={[{ label: 'Edit the rule', to: `/esclation/edit/${params.id}` }]}
          />
        ) : error ? (
          <ErrorView error={error} retry={() => void mutate()} />
        ) : !data ? (
          <Skeleton rows={6} />
        ) : (
          <>
            <RecordChoice type={data.data.type} value={record} onChange={setRecord} />
            <p className={styles.note}>
              {data.data.of
                ? `As it would read of ${data.data.of}, to ${data.data.to.length > 0 ? data.data.to.join(', ') : 'nobody: no recipient has an account or a mail address'}.`
                : 'There is no such record yet, so the template is shown as written.'}
            </p>
            <MessageView subject={data.data.subject} text={data.data.text} />
            <h2 className={styles.heading}>What would be sent today</h2>
            <div>
              <Button icon={<PlayRegular />} disabledFocusable={busy} onClick={() => void run()}>
                {busy ? 'Looking…' : 'Dry run'}
              </Button>
            </div>
            <div role="status">
              {dues && dues.length === 0 && (
                <EmptyState title="Nothing is due" text="Nothing would be sent today by this rule." />
              )}
              {dues && dues.length > 0 && (
                <div className={styles.scroll}>
                  <table className={styles.table}>
                    <caption>
                      {dues.length} {dues.length === 1 ? 'message' : 'messages'}
                    </caption>
                    <TableHead columns={['Record', 'Day', 'Message', 'To']} />
                    <tbody>
                      {dues.map((due, at) => (
                        <tr key={at}>
                          <th scope="row">
                            <Link to={due.link}>{due.record}</Link>
                          </th>
                          <td>{formatDate(due.date)}</td>
                          <td>{due.subject}</td>
                          <td>{due.to.length > 0 ? due.to.map(({ name }) => name).join(', ') : 'nobody'}</td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </div>
              )}
            </div>
          </>
        )}
      </PageBody>
    </Page>
  );
}
