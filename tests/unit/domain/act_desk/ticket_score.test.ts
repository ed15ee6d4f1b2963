import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leastOpen, nextInTurn } from '../../../../src/domain/act_desk/assignment.ts';
import { holdingsOf } from '../../../../src/domain/act_desk/holdings.ts';
import type { Impact, Priority, Urgency } from '../../../../src/domain/act_desk/priority.ts';
import { moreUrgent, ticketPriority } from '../../../../src/domain/act_desk/priority.ts';
import type { ScoreRule } from '../../../../src/domain/act_desk/ticket_score.ts';
import {
  holdingScore,
  spreadOf,
  ticketScore,
  usedPercent,
  weightedScore,
} from '../../../../src/domain/act_desk/ticket_score.ts';
import type { OpenHours } from '../../../../src/domain/open_hours.ts';
import { elapsedMinutes, stretchesOf } from '../../../../src/domain/sla_clock.ts';
import { workOf } from '../../../../src/domain/working_days.ts';

/** The standard ticket slab of the design. */
const STANDARD: ScoreRule = {
  basis: 'pct_of_target',
  bands: [
    { from: 0, to: 100, score: 100 },
    { from: 100, to: 125, score: 75 },
    { from: 125, to: 150, score: 50 },
    { from: 150, to: 200, score: 25 },
    { from: 200, to: null, score: 0 },
  ],
  responseShare: '30',
  reopenPenalty: '10',
};

const day = [
  ['09:30', '13:00'],
  ['13:30', '18:00'],
] as const;
const policy = {
  effective_from: '2025-01-01',
  exceptions: [],
  rules: [
    { weekday: 'sunday' as const, weeks: ['all'], part: 'full' as const },
    { weekday: 'saturday' as const, weeks: ['2', '4'], part: 'full' as const },
  ],
};
const hours: OpenHours = {
  timezone: 'Asia/Kolkata',
  roundTheClock: false,
  hours: [day, day, day, day, day, [['09:30', '13:30']], []],
  off: (date) =>
    ['2025-08-15', '2025-08-27'].includes(date) || workOf(date, [policy]) === 0 ? ('full' as const) : ('none' as const),
};
const ms = (text: string) => {
  const [, date, month, time] = /^(\d\d)-(\d\d) (\d\d:\d\d)$/.exec(text)!;
  return Date.parse(`2025-${month}-${date}T${time}:00+05:30`);
};

describe('the score of a ticket', () => {
  it('is that of its bands, weighted by the share of the first answer', () => {
    const score = ticketScore(STANDARD, {
      response: { used: 90, target: 60 },
      resolution: { used: 580, target: 480 },
      reopened: 0,
    })!;
    expect(usedPercent({ used: 580, target: 480 })!.toFixed(2)).toBe('120.83');
    expect(score.toFixed(2)).toBe('67.50');
  });

  it('uses only the solution without a promised answer, decreases by reopening, and is never negative', () => {
    const of = (more: object) =>
      ticketScore(STANDARD, { response: null, resolution: { used: 480, target: 480 }, reopened: 0, ...more });
    expect(of({})!.toFixed(2)).toBe('100.00');
    expect(of({ reopened: 1 })!.toFixed(2)).toBe('90.00');
    expect(of({ reopened: 11 })!.toFixed(2)).toBe('0.00');
    expect(of({ resolution: { used: 961, target: 480 } })!.toFixed(2)).toBe('0.00');
    expect(of({ resolution: { used: 10, target: null } })).toBeNull();
  });

  it('of several is weighted by priority, not a plain mean', () => {
    const scores = ['100', '67.5', '92.5', '30'];
    const priorities: Priority[] = ['p1', 'p2', 'p3', 'p4'];
    expect(weightedScore(scores.map((score, at) => ({ score, priority: priorities[at]! })))).toBe('81.75');
    expect(weightedScore([])).toBeNull();
  });

  it('of a holder depends on their share of the promised time', () => {
    const shares = [
      [140, '25'],
      [440, '75'],
    ] as const;
    expect(shares.map(([used, share]) => holdingScore(STANDARD, { used, target: 480 }, share)!.toFixed(2))).toEqual([
      '75.00',
      '75.00',
    ]);
    expect(usedPercent({ used: 140, target: 120 })!.toFixed(2)).toBe('116.67');
    expect(usedPercent({ used: 440, target: 360 })!.toFixed(2)).toBe('122.22');
  });

  it('has a mean and a 90th percentile of minutes', () => {
    expect(spreadOf([10, 20, 30, 40, 50, 60, 70, 80, 90, 1000])).toEqual({ mean: '145', ninetieth: 90 });
    expect(spreadOf([])).toBeNull();
  });
});

describe('holdings', () => {
  it('S6: L1 140, Network 240 and 200 around the pause, 580 in all', () => {
    const stretches = stretchesOf([
      { at: ms('14-08 17:10'), runs: true },
      { at: ms('18-08 11:00'), runs: false },
      { at: ms('19-08 15:30'), runs: true },
      { at: ms('20-08 10:20'), runs: false },
    ]);
    const parts = holdingsOf(
      [
        { at: ms('14-08 17:10'), group: 1, person: null },
        { at: ms('16-08 11:00'), group: 2, person: null },
      ],
      stretches,
      hours,
      ms('25-08 10:00'),
    );
    expect(parts.map(({ minutes }) => minutes)).toEqual([140, 440]);
  });

  it('of any ticket add up to the clock’s time', () => {
    const minute = fc.integer({ min: 0, max: 40 * 24 * 60 }).map((one) => ms('01-08 00:00') + one * 60_000);
    const log = fc.array(fc.record({ at: minute, runs: fc.boolean() }), { maxLength: 8 });
    fc.assert(
      fc.property(log, fc.array(minute, { minLength: 1, maxLength: 6 }), minute, (entries, changes, until) => {
        const stretches = stretchesOf(entries);
        const starts = changes
          .toSorted((one, other) => one - other)
          .map((at, index) => ({ at, group: index % 2, person: index }));
        const parts = holdingsOf(starts, stretches, hours, until);
        expect(parts.reduce((sum, { minutes }) => sum + minutes, 0)).toBe(elapsedMinutes(stretches, hours, until));
      }),
      { numRuns: 80 },
    );
  });
});

describe('the priority of a ticket', () => {
  it('is the matrix of impact and urgency', () => {
    const urgencies: Urgency[] = ['now', 'today', 'this_week', 'whenever'];
    const row = (impact: Impact) => urgencies.map((urgency) => ticketPriority(impact, urgency)).join(' ');
    expect((['company', 'department', 'team', 'person'] as const).map(row)).toEqual([
      'p1 p1 p2 p3',
      'p1 p2 p3 p3',
      'p2 p3 p3 p4',
      'p2 p3 p4 p4',
    ]);
    expect(ticketPriority('person', 'today', { vip: true })).toBe('p2');
    expect(ticketPriority('company', 'now', { vip: true })).toBe('p1');
    expect(ticketPriority('person', 'whenever', { own: { person_whenever: 'p1' } })).toBe('p1');
    expect(moreUrgent('person', 'whenever', {})).toBe('today');
    expect(moreUrgent('company', 'now', {})).toBeNull();
  });
});

describe('the assignee of a ticket', () => {
  it('in turn is the next one after the last, in the order of ids', () => {
    expect(nextInTurn([11, 14, 19], 14)).toBe(19);
    expect(nextInTurn([11, 14, 19], 19)).toBe(11);
    expect(nextInTurn([19, 11], null)).toBe(11);
    expect(nextInTurn([], 3)).toBeNull();
  });

  it('is the least busy, then the one who has waited longest, then the lower id', () => {
    const one = (id: number, open: number, lastAt: number | null) => ({ id, open, lastAt });
    expect(leastOpen([one(1, 2, 0), one(2, 1, 50), one(3, 1, 20)])).toBe(3);
    expect(leastOpen([one(5, 1, 20), one(3, 1, 20)])).toBe(3);
    expect(leastOpen([one(5, 1, 20), one(3, 1, null)])).toBe(3);
    expect(leastOpen([])).toBeNull();
  });
});
