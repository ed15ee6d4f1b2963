import { ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';

/** The loading and error state of a page with a choice. */
export function Loading({ title, error, retry }: { title: string; error: unknown; retry: () => void }) {
  return (
    <Page title={title}>
      <PageBody>
        {error ? <ErrorView error={error} retry={retry} home /> : <Skeleton rows={6} label="Loading the lifts" />}
      </PageBody>
    </Page>
  );
}
