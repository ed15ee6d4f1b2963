import type { ComponentType, LazyExoticComponent } from 'react';
import { Suspense, lazy } from 'react';
import { menu } from '../api/screens.ts';
import type { BespokeProps } from '../modules/bespoke_props.ts';
import { bespokePages } from '../modules/pages.ts';
import { loadInTime } from './lazy_page.ts';
import { Page, PageBody, Skeleton } from './page.tsx';

const loaded = new Map<string, LazyExoticComponent<ComponentType<BespokeProps>>>();

/** The component of a coded page; one per address, so that it keeps its state. */
function pageOf(pattern: string): LazyExoticComponent<ComponentType<BespokeProps>> {
  const known = loaded.get(pattern);
  if (known) return known;
  const load =
    bespokePages[pattern] ??
    (async () => {
      // An address that no coded page serves is a dashboard or a report.
      if (menu.get().dashboards?.includes(pattern)) {
        const { default: DashboardPage } = await import('../runtime/dashboard/DashboardPage.tsx');
        return { default: () => <DashboardPage route={pattern} /> };
      }
      const { default: ReportPage } = await import('../runtime/report/ReportPage.tsx');
      return { default: () => <ReportPage route={pattern} /> };
    });
  const made = lazy(() => loadInTime(load));
  loaded.set(pattern, made);
  return made;
}

/** A coded page, with the parameters of its address. */
export default function BespokePage({ pattern, params }: { pattern: string; params: Record<string, string> }) {
  const PageOfModule = pageOf(pattern);
  return (
    <Suspense
      fallback={
        <Page title="" breadcrumbs={[]}>
          <PageBody>
            <Skeleton rows={10} />
          </PageBody>
        </Page>
      }
    >
      <PageOfModule params={params} />
    </Suspense>
  );
}
