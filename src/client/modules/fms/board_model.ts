import type { BoardSite, BoardTechnician, BoardTicket, CallBoard } from '../../../domain/fms/call_board.ts';
import type { Suggestion } from '../../../domain/fms/who_goes.ts';
import { whoGoes } from '../../../domain/fms/who_goes.ts';

/** Default minutes of a ticket's work. */
const USUAL_MINUTES = 45;

/** A technician's row on the board: today's work in order. */
export interface Lane {
  person: BoardTechnician;
  tickets: BoardTicket[];
  /** Total minutes of the row. */
  minutes: number;
}

const DOING = ['attending', 'paused', 'travelling', 'accepted', 'assigned'];
const PRIORITY = ['p1', 'p2', 'p3', 'p4'];

const order = (a: BoardTicket, b: BoardTicket) =>
  DOING.indexOf(String(a.status)) - DOING.indexOf(String(b.status)) ||
  PRIORITY.indexOf(String(a.priority)) - PRIORITY.indexOf(String(b.priority)) ||
  String(a.restore_by ?? '9').localeCompare(String(b.restore_by ?? '9')) ||
  a.id - b.id;

/** Unassigned tickets: trapped people first, then by the deadline of arrival. */
export function unassigned(board: CallBoard): BoardTicket[] {
  return board.tickets
    .filter(({ status }) => status === 'new')
    .toSorted(
      (a, b) =>
        Number(b.trapped === true) - Number(a.trapped === true) ||
        String(a.respond_by ?? '9').localeCompare(String(b.respond_by ?? '9')) ||
        a.id - b.id,
    );
}

/** A row for each technician, without work planned for a later day. */
export function lanesOf(board: CallBoard, today: string): Lane[] {
  const minutes = new Map(board.sites.map((site) => [site.id, site.minutes ?? USUAL_MINUTES]));
  const of = Map.groupBy(
    board.tickets.filter(
      ({ status, planned_on: day }) => status !== 'new' && (typeof day !== 'string' || day <= today),
    ),
    ({ technician_id: id }) => Number(id),
  );
  const lanes = board.technicians.map((person) => {
    const tickets = (of.get(person.id) ?? []).toSorted(order);
    return { person, tickets, minutes: tickets.reduce((sum, { id }) => sum + (minutes.get(id) ?? USUAL_MINUTES), 0) };
  });
  // People off duty without work come last.
  const isIdle = ({ person, tickets }: Lane) => Number(person.offDuty !== null) + Number(tickets.length === 0);
  return lanes.toSorted((a, b) => Number(isIdle(a) === 2) - Number(isIdle(b) === 2));
}

/** All technicians by suitability for a ticket (C13). For trapped people, nobody is excluded because of the shift. */
export function suggestionsOf(people: readonly BoardTechnician[], site: BoardSite): Suggestion[] {
  const found = whoGoes(people, site);
  if (!site.isRescue || found.some(({ refused }) => refused === null)) return found;
  return whoGoes(
    people.map((one) => ({ ...one, offDuty: null })),
    site,
  );
}

/** The transition that assigns a ticket to somebody else; null = its state has none. */
export function assignStep({ status }: BoardTicket): 'assign' | 'reassign' | 'hand_over' | null {
  if (status === 'new' || status === 'assigned') return 'assign';
  if (status === 'accepted' || status === 'travelling') return 'reassign';
  return status === 'attending' || status === 'paused' ? 'hand_over' : null;
}
