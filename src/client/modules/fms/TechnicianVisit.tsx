import TicketDesk from './TicketDesk.tsx';

/** A ticket on the technician's phone. */
export default function TechnicianVisit({ id }: { id: number }) {
  return <TicketDesk id={id} />;
}
