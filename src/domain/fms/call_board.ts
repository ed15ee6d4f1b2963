import type { Candidate, Site } from './who_goes.ts';

type Row = Readonly<Record<string, unknown>>;

/** A ticket as lists have it: fields with the labels of references beside them. */
export type BoardTicket = Row & { id: number; version: number };

/** Where a ticket's lift is, and what it asks of whoever goes. */
export interface BoardSite extends Site {
  id: number;
  /** Usual minutes of work; null = nobody has said. */
  minutes: number | null;
}

/** A technician of a team today. */
export interface BoardTechnician extends Candidate {
  branchId: number;
  team: string;
  /** Mobile number; null = not known. */
  phone: string | null;
  /** Minutes of work in the team's day. */
  dayMinutes: number;
}

/** All that the dispatcher's board draws. */
export interface CallBoard {
  tickets: BoardTicket[];
  technicians: BoardTechnician[];
  sites: BoardSite[];
  /** There are more tickets than are drawn. */
  more: boolean;
}

/** A lift as the desk finds it while somebody is on the telephone. */
export interface FoundLift {
  id: number;
  liftNo: string;
  position: string | null;
  running: string | null;
  status: string;
  buildingId: number;
  building: string;
  address: string;
  customerId: number;
  customer: string;
  blocked: boolean;
  holdReason: string | null;
  keyHolder: string | null;
  keyPhone: string | null;
  intercom: boolean | null;
  rescueDevice: boolean | null;
  contacts: string | null;
  /** What the customer owes; null = nothing, or bills are not kept here. */
  dues: string | null;
  /** Tickets of the lift that are open. */
  open: BoardTicket[];
}

/** What a call may be. */
export interface CallChoices {
  definitions: { id: number; type: string }[];
  categories: { id: number; name: string; definitions: number[] }[];
  subcategories: { id: number; name: string; category: number; advice: string | null }[];
}
