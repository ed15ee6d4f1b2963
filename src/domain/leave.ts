/** Which part of its days a leave covers; halves are possible for single days only. */
export type LeavePart = 'day' | 'first_half' | 'second_half';

/** An approved leave of a person; days are YYYY-MM-DD, both included. */
export interface Leave {
  employee_id: number;
  from: string;
  to: string;
  part: LeavePart;
}

/** The parts of a day on which a person is on leave: both halves make a whole day. */
export interface LeaveOfDay {
  first: boolean;
  second: boolean;
  /** The last day of the leave. */
  until: string;
}

/** A person's leave on a day; null = none. */
export function leaveOn(leaves: readonly Leave[], employeeId: number, day: string): LeaveOfDay | null {
  const found = leaves.filter(({ employee_id: id, from, to }) => id === employeeId && from <= day && day <= to);
  if (found.length === 0) return null;
  return {
    first: found.some(({ part }) => part !== 'second_half'),
    second: found.some(({ part }) => part !== 'first_half'),
    until: found
      .map(({ to }) => to)
      .sort()
      .at(-1)!,
  };
}

/** How much of a day a leave takes: 0, 0.5 or 1. */
export const shareOf = (leave: LeaveOfDay | null): number =>
  leave === null ? 0 : (Number(leave.first) + Number(leave.second)) / 2;

/** The middle of a shift, HH:MM; a shift that ends before it begins crosses midnight. */
export function middleOf(from: string, to: string): string {
  const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
  const length = (minutes(to) - minutes(from) + 1440) % 1440;
  const middle = (minutes(from) + Math.floor(length / 2)) % 1440;
  return `${String(Math.floor(middle / 60)).padStart(2, '0')}:${String(middle % 60).padStart(2, '0')}`;
}
