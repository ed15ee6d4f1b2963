import { describe, expect, it } from 'vitest';
import type { ClockValue } from '../../../src/domain/clock_value.ts';
import { clockText, clockTone } from '../../../src/domain/clock_value.ts';

const MINUTE = 60_000;
const at = (minutes: number) => minutes * MINUTE;
/** Open for an hour, closed for an hour, open for two. */
const running: ClockValue = {
  state: 'running',
  since: 0,
  elapsed: 20,
  target: 140,
  due: at(180),
  spans: [
    [0, at(60)],
    [at(120), at(240)],
  ],
};
const shown = (value: ClockValue, minutes: number) => [clockText(value, at(minutes)), clockTone(value, at(minutes))];

describe('a clock in words', () => {
  it('counts down during business hours', () => {
    expect(shown(running, 0)).toEqual(['2 h left', 'success']);
    expect(shown(running, 50)).toEqual(['1 h 10 min left', 'success']);
    expect(shown(running, 60)).toEqual(shown(running, 119));
    expect(shown(running, 150)).toEqual(['30 min left', 'warning']);
    expect(shown(running, 195)).toEqual(['Overdue by 15 min', 'danger']);
    // Behind what it knows of the hours it counts through.
    expect(clockText(running, at(250))).toBe('Overdue by 1 h 10 min');
  });

  it('shows days where it runs by day and night', () => {
    const long = { ...running, elapsed: 0, target: 5 * 24 * 60, spans: [] };
    expect(clockText(long, at(60))).toBe('119 h left');
    expect(clockText({ ...long, always: true }, at(60))).toBe('4 d 23 h left');
    expect(clockText({ ...long, always: true }, at(73 * 60))).toBe('47 h left');
    expect(clockText({ ...long, always: true }, at(8 * 24 * 60))).toBe('Overdue by 3 d');
  });

  it('stops while paused, and shows how it ended', () => {
    const still = { ...running, spans: [], due: null };
    expect(shown({ ...still, state: 'paused' }, 900)).toEqual(['Paused · 2 h left', 'neutral']);
    expect(shown({ ...still, state: 'met' }, 900)).toEqual(['Met', 'success']);
    expect(shown({ ...still, state: 'missed', elapsed: 150 }, 900)).toEqual(['Missed by 10 min', 'danger']);
    expect(shown({ ...still, state: 'ended', target: null }, 900)).toEqual(['20 min', 'neutral']);
    expect(shown({ ...still, state: 'ended' }, 900)).toEqual(['Stopped', 'neutral']);
    expect(shown({ ...still, state: 'paused', elapsed: 0 }, 900)).toEqual(['Not started', 'neutral']);
  });
});
