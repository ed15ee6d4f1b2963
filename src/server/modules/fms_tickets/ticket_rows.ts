import type { WireRecord } from '../../../descriptor/types.ts';

type Row = Record<string, unknown>;

/** One assignment of a person to a ticket. */
export interface Assignment extends Row {
  id?: number;
  employee_id: number;
  lead: boolean;
  assigned_at?: string | null;
  accepted_at?: string | null;
  declined_at?: string | null;
  decline_reason?: string | null;
  travel_at?: string | null;
  arrived_at?: string | null;
  arrive_off_m?: number | null;
  left_at?: string | null;
  labour_min?: number | null;
}

export interface Pause extends Row {
  id?: number;
  pause_category_id: number;
  from: string;
  to?: string | null;
}

export const assignmentsOf = ({ assignments }: Row): Assignment[] =>
  Array.isArray(assignments) ? (assignments as Assignment[]) : [];
export const pausesOf = ({ pauses }: Row): Pause[] => (Array.isArray(pauses) ? (pauses as Pause[]) : []);

/** The people currently working on the ticket: neither declined nor gone. */
export const isOpen = ({ declined_at: declined, left_at: left }: Assignment): boolean => !declined && !left;

/** The rows with these values in the open rows of these people; somebody without an open row gets one. */
export function noted(rows: readonly Assignment[], people: readonly number[], values: Row): Assignment[] {
  const missing = new Set(people);
  const next = rows.map((row) => {
    if (!isOpen(row) || !missing.has(row.employee_id)) return row;
    missing.delete(row.employee_id);
    return { ...row, ...values };
  });
  return [...next, ...[...missing].map((id): Assignment => ({ employee_id: id, lead: id === people[0], ...values }))];
}

/** The rows with those of everybody still working on the ticket ended. */
export function ended(rows: readonly Assignment[], at: string): Assignment[] {
  return rows.map((row) =>
    isOpen(row)
      ? {
          ...row,
          left_at: row.arrived_at ? at : null,
          ...(row.arrived_at ? {} : { declined_at: at, decline_reason: 'Somebody else was sent' }),
        }
      : row,
  );
}

/** The technician and the helpers of a ticket, the technician first. */
export function peopleOf({ technician_id: lead, helper_ids: helpers }: WireRecord): number[] {
  const others = Array.isArray(helpers) ? (helpers as number[]) : [];
  return [...new Set([...(typeof lead === 'number' ? [lead] : []), ...others])];
}
