import { useState } from 'react';
import useSWR from 'swr';
import { api } from '../../api/http.ts';
import { ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import type { BespokeProps } from '../bespoke_props.ts';
import { RecordChoice } from './RecordChoice.tsx';
import { MessageView } from './MessageView.tsx';
import styles from './message.module.css';

interface Preview {
  title: string;
  subject: string;
  text: string;
  of: string | null;
  /** The list of records for the preview. */
  type: string | null;
}

/** A preview of a mail, filled from a real record. */
export default function MessagePreviewPage({ params }: BespokeProps) {
  const [record, setRecord] = useState<number | null>(null);
  const { data, error, mutate } = useSWR(
    `/tapi/mail_template/${params.id}/preview${record === null ? '' : `?record=${record}`}`,
    (path: string) => api.get<{ data: Preview }>(path, undefined, { quiet: true }),
    { keepPreviousData: true },
  );
  return (
    <Page
      title={data?.data.title ?? 'Preview'}
      breadcrumbs={[{ label: 'Mail templates', to: '/mail_template' }]}
      layout="form"
      secondary={[{ label: 'Edit', to: `/mail_template/edit/${params.id}` }]}
    >
      <PageBody>
        {error ? (
          <ErrorView error={error} retry={() => void mutate()} />
        ) : !data ? (
          <Skeleton rows={6} />
        ) : (
          <>
            {data.data.type !== null && <RecordChoice type={data.data.type} value={record} onChange={setRecord} />}
            <p className={styles.note}>
              {data.data.of ? `As it would read today for ${data.data.of}.` : 'As it would read today for you.'} Words
              in square brackets have no record yet.
            </p>
            <MessageView subject={data.data.subject} text={data.data.text} />
          </>
        )}
      </PageBody>
    </Page>
  );
}
