import { Suspense, lazy } from 'react';
import { Page, PageBody, Skeleton } from '../../app/page.tsx';
import { usePhone } from '../../app/session.ts';
import type { BespokeProps } from '../bespoke_props.ts';

const TechnicianVisit = lazy(() => import('./TechnicianVisit.tsx'));
const TicketDesk = lazy(() => import('./TicketDesk.tsx'));

/** A ticket: at the desk all of it on one screen, on a phone the visit step by step. */
export default function TicketPage({ params }: BespokeProps) {
  const phone = usePhone();
  const id = Number(params.id);
  return (
    <Suspense
      fallback={
        <Page title="Ticket">
          <PageBody>
            <Skeleton rows={10} />
          </PageBody>
        </Page>
      }
    >
      {phone ? <TechnicianVisit id={id} /> : <TicketDesk id={id} />}
    </Suspense>
  );
}
