import { Suspense, lazy } from 'react';
import { Page, PageBody, Skeleton } from '../../app/page.tsx';
import { usePhone } from '../../app/session.ts';
import type { BespokeProps } from '../bespoke_props.ts';
import { useHome } from './use_home.ts';

const TechnicianVisit = lazy(() => import('./TechnicianVisit.tsx'));
const TicketDesk = lazy(() => import('./TicketDesk.tsx'));

/** A ticket: on the phone of a team member the visit step by step, for everybody else all of it on one screen. */
export default function TicketPage({ params }: BespokeProps) {
  // Until it is known, and without network, a phone is a technician's.
  const inTeam = useHome().data?.inTeam !== false;
  const isVisit = usePhone() && inTeam;
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
      {isVisit ? <TechnicianVisit id={id} /> : <TicketDesk id={id} />}
    </Suspense>
  );
}
