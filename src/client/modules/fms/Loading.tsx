import { ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';

/** A page of choosing while what may be chosen is fetched, or could not be. */
export function Loading({ title, error, retry }: { title: string; error: unknown; retry: () => void }) {
  return (
    <Page title={title}>
      <PageBody>
        {error ? <ErrorView error={error} retry={retry} home /> : <Skeleton rows={6} label="Loading the lifts" />}
      </PageBody>
    </Page>
  );
}
