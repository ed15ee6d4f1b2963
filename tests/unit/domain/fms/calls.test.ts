import { describe, expect, it } from 'vitest';
import { callCharges, callCover, chargedBecause, misuseWords } from '../../../../src/domain/fms/call_charge.ts';
import { callPriority, limitMinutes, promisedTimes } from '../../../../src/domain/fms/call_sla.ts';
import {
  callsPerLiftYear,
  firstTimeFixPercent,
  meanHoursBetweenCalls,
  uptimePercent,
  visitCompliance,
} from '../../../../src/domain/fms/lift_figures.ts';
import type { Candidate } from '../../../../src/domain/fms/who_goes.ts';
import { whoGoes } from '../../../../src/domain/fms/who_goes.ts';
import type { OpenHours } from '../../../../src/domain/open_hours.ts';
import { elapsedMinutes, momentAt, stretchesOf } from '../../../../src/domain/sla_clock.ts';

// Arithmetic of calls, with the worked examples of the design of field service.

const at = (text: string) => Date.parse(`2026-${text.replace(' ', 'T')}:00+05:30`);

describe('C12, the clock of a call', () => {
  const day = [['09:00', '18:00']] as const;
  /** Monday to Saturday; Friday 02-10-2026 is a holiday. */
  const hours: OpenHours = {
    timezone: 'Asia/Kolkata',
    roundTheClock: false,
    hours: [day, day, day, day, day, day, []],
    off: (date) => (date === '2026-10-02' ? 'full' : 'none'),
  };

  it('matches the design’s example', () => {
    const reported = at('10-01 16:30');
    const running = stretchesOf([{ at: reported, runs: true }]);
    expect(momentAt(running, hours, 480)).toBe(at('10-03 15:30'));
    const paused = stretchesOf([
      { at: reported, runs: true },
      { at: at('10-01 17:30'), runs: false },
      { at: at('10-03 10:15'), runs: true },
    ]);
    expect(momentAt(paused, hours, 480)).toBe(at('10-03 17:15'));
    expect(elapsedMinutes(paused, hours, at('10-03 16:40'))).toBe(445);
    const pause = stretchesOf([
      { at: at('10-01 17:30'), runs: true },
      { at: at('10-03 10:15'), runs: false },
    ]);
    expect(elapsedMinutes(pause, hours, at('10-05 09:00'))).toBe(105);
    const sunday = stretchesOf([{ at: at('10-04 11:00'), runs: true }]);
    expect(momentAt(sunday, hours, 120)).toBe(at('10-05 11:00'));
  });

  it('uses the line with most criteria, and the factor of the grade', () => {
    const all = {
      building_type_id: null,
      customer_grade_id: null,
      respond_min: 120,
      restore_min: 480,
      round_the_clock: true,
    };
    const lines = [
      { ...all, priority: 'p2' as const },
      { ...all, priority: 'p2' as const, building_type_id: 7, respond_min: 60 },
      { ...all, priority: 'p2' as const, building_type_id: 7, customer_grade_id: 1, respond_min: 45 },
    ];
    const of = (building: number | null, grade: number | null) =>
      promisedTimes(lines, { priority: 'p2', building_type_id: building, customer_grade_id: grade })?.respond_min;
    expect([of(7, 1), of(7, 2), of(3, 1), of(null, null)]).toEqual([45, 60, 120, 120]);
    expect(promisedTimes(lines, { priority: 'p1', building_type_id: 7, customer_grade_id: 1 })).toBeNull();
    expect([limitMinutes(480, '0.75'), limitMinutes(45, '0.5'), limitMinutes(30, null)]).toEqual([360, 23, 30]);
  });

  it('raises the priority by building, never above P1', () => {
    expect([callPriority('p3', 0, false), callPriority('p3', 2, false), callPriority('p2', 2, false)]).toEqual([
      'p3',
      'p1',
      'p1',
    ]);
    expect(callPriority('p4', 0, true)).toBe('p1');
    expect(callPriority(null, 0, false)).toBe('p3');
  });
});

describe('C13, who goes', () => {
  const person = (id: number, name: string, lat: number, lng: number, more: Partial<Candidate> = {}): Candidate => ({
    id,
    name,
    at: { lat, lng },
    level: 2,
    mayRescue: true,
    accepted: 0,
    offDuty: null,
    teamId: 1,
    lifts: [],
    ...more,
  });
  const people = [
    person(1, 'Anand', 13.0827, 80.2707, { teamId: 2 }),
    person(2, 'Bala', 13.0358, 80.2337, { accepted: 40 }),
    person(3, 'Chitra', 12.975, 80.2207, { accepted: 25, lifts: [9] }),
    person(4, 'Deva', 13.01, 80.226, { level: 1 }),
  ];
  const site = { at: { lat: 13.0067, lng: 80.2206 }, liftId: 9, level: 2, teamId: 1, isRescue: false };

  it('matches the design’s example', () => {
    const found = whoGoes(people, site);
    expect(found.map(({ name, score }) => [name, score === null ? null : score.toFixed(1)])).toEqual([
      ['Chitra', '28.7'],
      ['Bala', '53.8'],
      ['Anand', '54.2'],
      ['Deva', null],
    ]);
    expect(found.map(({ km }) => km!.toFixed(2)).slice(0, 3)).toEqual(['3.52', '3.53', '10.04']);
    expect(found[3]!.refused).toBe('Level 1, level 2 is needed');
    expect(found[0]!.reasons).toContain('Knows the lift (−10)');
  });

  it('ignores accepted work for a rescue, and skips technicians off duty', () => {
    const found = whoGoes([...people, person(5, 'Esha', 13.0067, 80.2206, { offDuty: 'On leave' })], {
      ...site,
      isRescue: true,
    });
    expect(found.map(({ name }) => name)).toEqual(['Chitra', 'Bala', 'Anand', 'Deva', 'Esha']);
    expect(found[1]!.score!.toFixed(1)).toBe('13.8');
    // A breakdown team leaves no route.
    const [free] = whoGoes([person(1, 'Anand', 13.0827, 80.2707, { teamId: null })], site);
    expect([free!.score!.toFixed(1), free!.reasons.at(-1)]).toEqual(['39.2', 'Without a route']);
  });
});

describe('C17, figures of lifts', () => {
  it('match the design’s examples', () => {
    expect(meanHoursBetweenCalls(780, 3, 30)).toBe('235.67');
    expect(uptimePercent(780, 30)).toBe('98.19');
    expect(uptimePercent(780, 0)).toBeNull();
    expect(callsPerLiftYear(41, 62 * 90)).toBe('2.68');
    expect(firstTimeFixPercent(1, 4)).toBe('25.00');
    expect(visitCompliance({ planned: 240, excluded: 6, inWindow: 205, late: 17 })).toEqual({
      inWindow: '87.61',
      done: '94.87',
    });
  });

  it('are empty without anything to count', () =>
    expect([meanHoursBetweenCalls(0, 0, 30), callsPerLiftYear(3, 0), firstTimeFixPercent(0, 0)]).toEqual([
      null,
      null,
      null,
    ]));
});

describe('C19, what a call costs', () => {
  it('matches the design’s example: 1,500 + 135 min in half hours at 450, and the part', () => {
    const lines = callCharges({ callOut: '1500.00', labourRate: '450.00' }, 135);
    expect(lines).toEqual([
      { kind: 'call_out', qty: '1', rate: '1500.00', amount: '1500.00' },
      { kind: 'labour', qty: '2.5', rate: '450.00', amount: '1125.00' },
    ]);
    expect(lines.reduce((sum, { amount }) => sum + Number(amount), 5500)).toBe(8125);
  });

  it('is free as the contract says, by category, number and hour', () => {
    const terms = {
      cover: 'covered' as const,
      charge: 'as_contract' as const,
      callbacksIncluded: 4,
      callsUsed: 3,
      isRepeat: false,
      nightCalls: false,
      atNight: false,
    };
    expect(chargedBecause(terms)).toBeNull();
    expect(chargedBecause({ ...terms, callsUsed: 4 })).toContain('4 calls');
    expect(chargedBecause({ ...terms, callsUsed: 4, isRepeat: true })).toBeNull();
    expect(chargedBecause({ ...terms, atNight: true })).toContain('night');
    expect(chargedBecause({ ...terms, charge: 'always' })).toContain('always');
    expect(chargedBecause({ ...terms, charge: 'never', cover: 'none' })).toBeNull();
    expect(chargedBecause({ ...terms, cover: 'warranty', atNight: true })).toBeNull();
    expect(chargedBecause({ ...terms, cover: 'none' })).not.toBeNull();
  });

  it('may be misuse if the report names a word of the policy, as a whole word', () => {
    const words = ['water', 'Overload', 'door forced', ''];
    expect(misuseWords('Water in the pit; the DOOR, forced by movers. Overloaded.', words)).toEqual([
      'water',
      'door forced',
    ]);
    expect(misuseWords('Waterproof paint', words)).toEqual([]);
  });

  it('depends on the contract of the day of the report', () => {
    const contract = { no: 'CON/26-27/0001', kind: 'amc', held: false, coverage: 'comprehensive' };
    const facts = { day: '2026-10-01', contract, warrantyTo: null, blocked: false };
    expect(callCover(facts).cover).toBe('covered');
    expect(callCover({ ...facts, contract: { ...contract, held: true } }).cover).toBe('chargeable');
    expect(callCover({ ...facts, contract: null }).cover).toBe('none');
    expect(callCover({ ...facts, contract: null, warrantyTo: '2026-10-01' }).cover).toBe('warranty');
    expect(callCover({ ...facts, contract: null, warrantyTo: '2026-09-30' }).cover).toBe('none');
    expect(callCover({ ...facts, blocked: true }).cover).toBe('chargeable');
  });
});
