import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import useSWR from 'swr';
import { api } from '../../api/http.ts';
import { toast } from '../../app/feedback.ts';
import { ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import type { BespokeProps } from '../bespoke_props.ts';

/** Opens the form of a chapter; for a published manual, that of a new draft. */
export default function ManualEditPage({ params }: BespokeProps) {
  const navigate = useNavigate();
  const { data, error, mutate } = useSWR(
    `/tapi/manual/chapters/${params.id}/edit`,
    (path) => api.post<{ data: { chapter_id: number; batch_value: string } }>(path, {}, { quiet: true }),
    {
      revalidateOnFocus: false,
      revalidateOnReconnect: false,
    },
  );
  useEffect(() => {
    if (!data) return;
    if (data.data.batch_value !== params.batch_value)
      toast.success(
        `You are editing draft ${data.data.batch_value}; people read the published version until you publish it.`,
      );
    void navigate(`/user_manual_chapter/edit/${data.data.chapter_id}`, { replace: true });
  }, [data, navigate, params.batch_value]);
  return (
    <Page title="Edit chapter" breadcrumbs={[]}>
      <PageBody>
        {error ? <ErrorView error={error} retry={() => void mutate()} home /> : <Skeleton rows={10} />}
      </PageBody>
    </Page>
  );
}
