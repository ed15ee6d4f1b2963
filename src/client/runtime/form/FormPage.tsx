import type { PageProps } from '../page_props.ts';
import EditPage from './EditPage.tsx';
import { Suspense, lazy } from 'react';
import { Page, PageBody, Skeleton } from '../../app/page.tsx';

const ViewPage = lazy(() => import('./ViewPage.tsx'));

/** Add, edit and view of a record. */
export default function FormPage(props: PageProps) {
  if (props.page !== 'view_screen') return <EditPage {...props} />;
  return (
    <Suspense
      fallback={
        <Page title={props.screen.title} layout="form">
          <PageBody>
            <Skeleton rows={8} />
          </PageBody>
        </Page>
      }
    >
      <ViewPage {...props} />
    </Suspense>
  );
}
