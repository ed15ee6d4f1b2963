import { describe, expect, it } from 'vitest';
import type { Career, Place, PlaceChange } from '../../../src/domain/head_count.ts';
import { attrition, headCount, monthsOf } from '../../../src/domain/head_count.ts';
import { addDays } from '../../../src/server/platform/demo/dates.ts';
import { Random } from '../../../src/server/platform/demo/random.ts';

const at = (branch: number, department = 1, designation = 1): Place => ({
  branch_id: branch,
  department_id: department,
  designation_id: designation,
});
const NOWHERE: Place = { branch_id: null, department_id: null, designation_id: null };
const change = (day: string, kind: string, more: Partial<PlaceChange> = {}): PlaceChange => ({
  day,
  change: kind,
  to: NOWHERE,
  was: {},
  away_since: null,
  ...more,
});
const career = (more: Partial<Career> = {}): Career => ({
  joined: '2020-04-01',
  left: null,
  place: at(1),
  changes: [],
  ...more,
});
const byBranch = ({ branch_id: id }: Place) => String(id);
const YEAR = { from: '2025-04-01', to: '2026-03-31' };

/** A group's figures over the whole period. */
function sums(careers: Career[], group = '1', groupOf: (place: Place) => string | null = byBranch, period = YEAR) {
  const count = headCount(careers, period, groupOf).get(group) ?? { opening: 0, closing: 0, months: [] };
  const sum = (what: 'joined' | 'moved_in' | 'moved_out' | 'left') =>
    count.months.reduce((all, month) => all + month[what], 0);
  return [count.opening, sum('joined'), sum('moved_in'), sum('moved_out'), sum('left'), count.closing];
}

describe('head count', () => {
  it('matches the design’s example: 200 + 14 + 3 − 3 − 9 = 205, with 4.44 % attrition', () => {
    const many = (count: number, more: Partial<Career>) => Array.from({ length: count }, () => career(more));
    const careers = [
      ...many(188, {}),
      ...many(14, { joined: '2025-06-02' }),
      ...many(9, { left: '2025-12-31' }),
      ...many(3, {
        place: at(1),
        changes: [change('2025-08-01', 'transfer', { to: { ...NOWHERE, branch_id: 1 }, was: { branch_id: 2 } })],
      }),
      ...many(3, {
        place: at(2),
        changes: [change('2025-09-01', 'transfer', { to: { ...NOWHERE, branch_id: 2 }, was: { branch_id: 1 } })],
      }),
    ];
    expect(sums(careers)).toEqual([200, 14, 3, 3, 9, 205]);
    expect(attrition({ left: 9, opening: 200, closing: 205 })).toBe('4.44');
  });

  it('attrition rounds half up, and is 0.00 without people', () => {
    expect(attrition({ left: 0, opening: 0, closing: 0 })).toBe('0.00');
    expect(attrition({ left: 1, opening: 800, closing: 800 })).toBe('0.13');
    expect(attrition({ left: 3, opening: 3, closing: 0 })).toBe('200.00');
  });

  it('includes a person from the first day to the end of the last working day', () => {
    expect(sums([career({ joined: '2025-04-01' })])).toEqual([0, 1, 0, 0, 0, 1]);
    expect(sums([career({ joined: '2026-03-31' }), career({ joined: '2026-04-01' })])).toEqual([0, 1, 0, 0, 0, 1]);
    expect(sums([career({ left: '2025-03-31' })])).toEqual([0, 0, 0, 0, 0, 0]);
    expect(
      sums([career({ left: '2025-04-01' }), career({ left: '2026-03-31' }), career({ left: '2026-04-01' })]),
    ).toEqual([3, 0, 0, 0, 2, 1]);
    expect(sums([career({ joined: '2025-05-05', left: '2025-05-05' })])).toEqual([0, 1, 0, 0, 1, 0]);
  });

  it('counts returning people, from the place they left to their new one', () => {
    const back = career({
      place: at(2),
      changes: [
        change('2025-05-31', 'leave'),
        change('2025-09-01', 'join', { to: { ...NOWHERE, branch_id: 2 }, was: { branch_id: 1 } }),
      ],
    });
    expect(sums([back])).toEqual([1, 0, 0, 0, 1, 0]);
    expect(sums([back], '2')).toEqual([0, 1, 0, 0, 0, 1]);
    // Who left before there were changes: the return says since when.
    expect(sums([career({ changes: [change('2025-09-01', 'join', { away_since: '2025-05-31' })] })])).toEqual([
      1, 1, 0, 0, 1, 1,
    ]);
    expect(sums([career({ changes: [change('2025-05-31', 'leave'), change('2025-05-31', 'join')] })])).toEqual([
      1, 1, 0, 0, 1, 1,
    ]);
  });

  it('a move within a group is none, and moves between groups balance', () => {
    const moved = career({
      place: at(2, 5),
      changes: [change('2025-07-01', 'transfer', { to: { ...NOWHERE, branch_id: 2 }, was: { branch_id: 1 } })],
    });
    expect(sums([moved])).toEqual([1, 0, 0, 1, 0, 0]);
    expect(sums([moved], '2')).toEqual([0, 0, 1, 0, 0, 1]);
    expect(sums([moved], '5', ({ department_id: id }) => String(id))).toEqual([1, 0, 0, 0, 0, 1]);
    // Narrowed to a branch: whoever comes from another one moves in.
    expect(sums([moved], '5', (place) => (place.branch_id === 2 ? String(place.department_id) : null))).toEqual([
      0, 0, 1, 0, 0, 1,
    ]);
  });

  it('uses the current place as the last one, and unknown values as unchanged', () => {
    const put = change('2025-07-01', 'transfer', { to: { ...NOWHERE, branch_id: 9 } });
    expect(sums([career({ changes: [put] })])).toEqual([1, 0, 0, 0, 0, 1]);
    expect(sums([career({ place: at(3), changes: [{ ...put, was: { branch_id: 1 } }] })])).toEqual([1, 0, 0, 1, 0, 0]);
    const twice = career({
      place: at(3),
      changes: [put, change('2025-08-01', 'transfer', { to: { ...NOWHERE, branch_id: 3 } })],
    });
    expect(sums([twice], '9')).toEqual([1, 0, 0, 1, 0, 0]);
  });

  it('names the months of a period', () => {
    expect(monthsOf('2025-11-20', '2026-02-01')).toEqual(['2025-11', '2025-12', '2026-01', '2026-02']);
    expect(monthsOf('2026-02-01', '2026-02-01')).toEqual(['2026-02']);
  });
});

/** Where somebody is at the end of a day, told without any counting. */
function placeOn({ joined, left, place, changes }: Career, day: string): Place | null {
  const spells = changes.filter((one) => one.change === 'leave' || one.change === 'join');
  const last = [{ day: joined, change: 'join' }, ...spells, ...(left === null ? [] : [{ day: left, change: 'leave' }])]
    .filter((one) => one.day <= day)
    .at(-1);
  if (last?.change !== 'join') return null;
  const own = (name: keyof Place) => {
    const all = changes.filter(({ to }) => to[name] !== null);
    const done = all.filter((one) => one.day <= day);
    return done.length === all.length
      ? place[name]
      : done.length === 0
        ? (all[0]!.was[name] ?? null)
        : done.at(-1)!.to[name];
  };
  return { branch_id: own('branch_id'), department_id: own('department_id'), designation_id: own('designation_id') };
}

describe('for any changes', () => {
  it('every group balances in every month, and matches the count on its last day', () => {
    const random = new Random(4711);
    const start = '2024-01-01';
    for (let round = 0; round < 150; round++) {
      const careers = Array.from({ length: random.int(0, 12) }, () => {
        let day = addDays(start, random.int(0, 500));
        const joined = day;
        let [there, place]: [boolean, Place] = [true, at(random.int(1, 3), random.int(1, 3), random.int(1, 2))];
        const changes: PlaceChange[] = [];
        for (let count = random.int(0, 6); count > 0; count--) {
          day = addDays(day, random.int(1, 150));
          const kind: string = there ? random.pick(['leave', 'transfer', 'transfer']) : 'join';
          const to = { ...NOWHERE };
          if (kind !== 'leave')
            for (const name of ['branch_id', 'department_id', 'designation_id'] as const)
              if (random.chance(0.5)) to[name] = random.int(1, 3);
          changes.push({ day, change: kind, to, was: { ...place }, away_since: null });
          place = {
            branch_id: to.branch_id ?? place.branch_id,
            department_id: to.department_id ?? place.department_id,
            designation_id: to.designation_id ?? place.designation_id,
          };
          there = kind !== 'leave';
        }
        return { joined, left: there ? null : day, place, changes };
      });
      const from = addDays(start, random.int(0, 400));
      const to = addDays(from, random.int(0, 500));
      const only = random.chance(0.3) ? random.int(1, 3) : null;
      const by = random.pick(['branch_id', 'department_id', 'designation_id'] as const);
      const groupOf = (place: Place) => (only !== null && place.branch_id !== only ? null : String(place[by]));
      const groups = headCount(careers, { from, to }, groupOf);
      const months = monthsOf(from, to);
      const counted = (day: string, group: string) =>
        careers.filter((one) => {
          const place = placeOn(one, day);
          return place !== null && groupOf(place) === group;
        }).length;
      for (const group of ['1', '2', '3']) {
        const { opening, closing, months: turnover } = groups.get(group) ?? { opening: 0, closing: 0, months: [] };
        expect(opening).toBe(counted(addDays(from, -1), group));
        expect(closing).toBe(counted(to, group));
        let now = opening;
        for (const [index, { joined, moved_in: came, moved_out: went, left }] of turnover.entries()) {
          now += joined + came - went - left;
          const end = index === months.length - 1 ? to : addDays(`${months[index + 1]!}-01`, -1);
          expect(now).toBe(counted(end, group));
        }
        expect(now).toBe(closing);
      }
      const all = [...groups.values()].flatMap((one) => one.months);
      if (only === null) expect(all.reduce((sum, one) => sum + one.moved_in - one.moved_out, 0)).toBe(0);
    }
  });
});
