import { Exact } from '../descriptor/exact.ts';

/** Where somebody works. */
export interface Place {
  branch_id: number | null;
  department_id: number | null;
  designation_id: number | null;
}

const PLACE = ['branch_id', 'department_id', 'designation_id'] as const;

/** A change that was carried out. Days are YYYY-MM-DD. */
export interface PlaceChange {
  day: string;
  /** `leave` has the last working day, `join` the first day back; all others are moves. */
  change: string;
  /** The new values; null = unchanged. */
  to: Place;
  /** The previous values, as far as known. */
  was: Partial<Place>;
  /** For a returning person: since when they had been away. */
  away_since: string | null;
}

/** A person's current data with their changes in chronological order. */
export interface Career {
  joined: string;
  /** null = has not left. */
  left: string | null;
  place: Place;
  changes: readonly PlaceChange[];
}

/** People who joined and left in a month. */
export interface Turnover {
  joined: number;
  moved_in: number;
  moved_out: number;
  left: number;
}

export interface HeadCount {
  /** At the end of the day before the first. */
  opening: number;
  /** At the end of the last day. */
  closing: number;
  /** One for each month that the period touches. */
  months: Turnover[];
}

interface Step {
  day: string;
  step: 'join' | 'leave' | 'move';
  place?: Place;
}

/** The months that a period touches, YYYY-MM; both days belong to it. */
export function monthsOf(from: string, to: string): string[] {
  return Array.from({ length: monthNumber(to) - monthNumber(from) + 1 }, (_, at) => {
    const month = monthNumber(from) + at;
    return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`;
  });
}

function monthNumber(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
}

/**
 * Head count by groups over a period (platform_admin.md §5.7): in each group opening + joined + moved in − moved out −
 * left = closing. A person counts from the first day until the end of the last working day, and has moved if the new
 * place belongs to another group. `groupOf` returns null for places that do not count.
 */
export function headCount(
  careers: Iterable<Career>,
  { from, to }: { from: string; to: string },
  groupOf: (place: Place) => string | null,
): Map<string, HeadCount> {
  const groups = new Map<string, HeadCount>();
  const [first, months] = [monthNumber(from), monthsOf(from, to).length];
  const of = (group: string) => {
    let count = groups.get(group);
    if (!count)
      groups.set(
        group,
        (count = {
          opening: 0,
          closing: 0,
          months: Array.from({ length: months }, () => ({ joined: 0, moved_in: 0, moved_out: 0, left: 0 })),
        }),
      );
    return count;
  };
  for (const career of careers) {
    let [there, group, opened]: [boolean, string | null, boolean] = [false, null, false];
    const open = () => {
      if (!opened && there && group !== null) of(group).opening++;
      opened = true;
    };
    for (const { day, step, place } of stepsOf(career)) {
      if (day > to) break;
      if (day >= from) open();
      const add = (what: keyof Turnover, where: string | null) => {
        if (opened && where !== null) of(where).months[monthNumber(day) - first]![what]++;
      };
      if (step === 'move') {
        const next = groupOf(place!);
        if (there && next !== group) {
          add('moved_out', group);
          add('moved_in', next);
        }
        group = next;
      } else if (there !== (step === 'join')) {
        there = step === 'join';
        add(there ? 'joined' : 'left', group);
      }
    }
    open();
    if (there && group !== null) of(group).closing++;
  }
  return groups;
}

/** All events of a person by day: a move counts before a join or leave on the same day. */
function stepsOf({ joined, left, place, changes }: Career): Step[] {
  const days: { day: string; step: 'join' | 'leave' }[] = [{ day: joined, step: 'join' }];
  for (const { day, change, away_since: since } of changes) {
    if (since !== null) days.push({ day: since, step: 'leave' });
    if (change === 'leave' || change === 'join') days.push({ day, step: change });
  }
  if (left !== null) days.push({ day: left, step: 'leave' });
  const steps: Step[] = [...placesOf(place, changes)];
  // A person who is present leaves first and returns later; one who is not joins first.
  let there = false;
  for (const [day, ofDay] of Map.groupBy(
    days.sort((a, b) => (a.day < b.day ? -1 : 1)),
    (one) => one.day,
  )) {
    const order: Step['step'][] = there ? ['leave', 'join'] : ['join', 'leave'];
    for (const step of order) {
      if (!ofDay.some((one) => one.step === step)) continue;
      steps.push({ day, step });
      there = step === 'join';
    }
  }
  return steps
    .map((step, at) => ({ ...step, at }))
    .sort((a, b) => (a.day === b.day ? a.at - b.at : a.day < b.day ? -1 : 1));
}

/**
 * Where a person worked from which day on. The last place is the current one, whatever the last change said, because it
 * may have been corrected since. The place before the first change is assumed to be the same if it is unknown.
 */
function placesOf(today: Place, changes: readonly PlaceChange[]): Step[] {
  const place: Place = { ...today };
  const days = new Map<string, Partial<Place>>();
  for (const name of PLACE) {
    const own = changes.filter(({ to }) => to[name] !== null);
    const [earliest] = own;
    if (earliest) place[name] = earliest.was[name] ?? (own.length === 1 ? today[name] : earliest.to[name]);
    own.forEach(({ day, to }, at) =>
      days.set(day, { ...days.get(day), [name]: at === own.length - 1 ? today[name] : to[name] }),
    );
  }
  let now = place;
  return [
    { day: '', step: 'move', place },
    ...[...days]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([day, set]): Step => ({ day, step: 'move', place: (now = { ...now, ...set }) })),
  ];
}

/**
 * Attrition of a period in percent, two decimals, half up: leavers divided by the mean of opening and closing
 * (platform_admin.md §5.7). Without people it is 0.00.
 */
export function attrition({ left, opening, closing }: { left: number; opening: number; closing: number }): string {
  return opening + closing === 0
    ? '0.00'
    : new Exact(left)
        .times(200)
        .div(opening + closing)
        .toFixed(2);
}
