import type { ReactNode } from 'react';
import useSWR from 'swr';
import { ApiError, api } from '../../api/http.ts';
import { NoAccess } from '../../app/no_access.tsx';
import { ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { useSession } from '../../app/session.ts';

/** Renders the response for an address, a report or a dashboard: loading, no access, failed, or the page. */
export function AtRoute<T>({
  call,
  route,
  children,
}: {
  call: string;
  route: string;
  children: (found: T) => ReactNode;
}) {
  const { entityId } = useSession();
  const { data, error, mutate } = useSWR(
    [call, route, entityId],
    async ([path, at]) => (await api.get<{ data: T }>(path, { route: at }, { quiet: true })).data,
  );
  if (data) return children(data);
  if (error)
    return error instanceof ApiError && error.status === 403 ? (
      <NoAccess />
    ) : (
      <ErrorView error={error} retry={() => void mutate()} home />
    );
  return (
    <Page title="">
      <PageBody>
        <Skeleton rows={10} />
      </PageBody>
    </Page>
  );
}
