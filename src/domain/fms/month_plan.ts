/** The visits of one building with the same window: they are made on one day. Dates are YYYY-MM-DD. */
export interface VisitGroup {
  building_no: string;
  due_on: string;
  window_from: string;
  window_to: string;
  minutes: number;
}

export interface PlannedGroup<T extends VisitGroup> {
  group: T;
  planned_on: string;
  /** No day of the window has enough capacity: it is planned on the least loaded one. */
  overloaded: boolean;
}

/**
 * The capacity of a route on a day, in minutes, reduced by the share of its team that is on leave. If nobody of the team
 * is there, the stand-in team makes the visits, if anybody of it is. `team` and `standIn` have the share of the day for
 * which each member is there; a team without members is not known and counts as complete.
 */
export function capacityOnDay(capacity: number, team: readonly number[], standIn: readonly number[]): number {
  if (team.length === 0) return capacity;
  const there = team.reduce((sum, share) => sum + share, 0);
  if (there === 0) return standIn.some((share) => share > 0) ? capacity : 0;
  return Math.floor((capacity * there) / team.length);
}

const apart = (a: string, b: string) => Math.abs(Date.parse(a) - Date.parse(b));

/**
 * Plans the month of a route (C15). `capacity` is the route's capacity on each working day, in minutes, after leave and
 * holidays; days that are missing are not worked. `load` is the existing load of the days. A group without a working
 * day in its window is left out.
 */
export function planMonth<T extends VisitGroup>(
  groups: readonly T[],
  capacity: ReadonlyMap<string, number>,
  load: ReadonlyMap<string, number> = new Map(),
): { planned: PlannedGroup<T>[]; loads: Map<string, number> } {
  const loads = new Map([...capacity.keys()].map((day) => [day, load.get(day) ?? 0]));
  const planned: PlannedGroup<T>[] = [];
  const sorted = groups.toSorted(
    (a, b) =>
      a.window_to.localeCompare(b.window_to) ||
      a.due_on.localeCompare(b.due_on) ||
      (a.building_no < b.building_no ? -1 : a.building_no > b.building_no ? 1 : 0),
  );
  for (const group of sorted) {
    const days = [...loads.keys()].filter((day) => group.window_from <= day && day <= group.window_to);
    const fits = days.filter((day) => loads.get(day)! + group.minutes <= capacity.get(day)!);
    const day = (fits.length > 0 ? fits : days).toSorted(
      (a, b) => loads.get(a)! - loads.get(b)! || apart(a, group.due_on) - apart(b, group.due_on) || (a < b ? -1 : 1),
    )[0];
    if (day === undefined) continue;
    loads.set(day, loads.get(day)! + group.minutes);
    planned.push({ group, planned_on: day, overloaded: fits.length === 0 });
  }
  return { planned, loads };
}
