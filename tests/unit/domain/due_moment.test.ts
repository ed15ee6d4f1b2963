import { describe, expect, it } from 'vitest';
import { dueMoment } from '../../../src/domain/due_moment.ts';

const always = () => true;
const at = (...given: Parameters<typeof dueMoment>) => new Date(dueMoment(...given)).toISOString();

describe('when something is due', () => {
  it('counts from the start of a day in the record’s time zone', () => {
    expect(at('2030-03-04', { count: 1, unit: 'days' }, 'Asia/Kolkata', always)).toBe('2030-03-04T18:30:00.000Z');
    expect(at('2030-03-04', { count: 90, unit: 'minutes' }, 'UTC', always)).toBe('2030-03-04T01:30:00.000Z');
  });

  it('keeps the local time over days, and counts hours through a change to summer time', () => {
    const moment = '2030-03-30T09:00:00.000Z';
    expect(at(moment, { count: 1, unit: 'days' }, 'Europe/Berlin', always)).toBe('2030-03-31T08:00:00.000Z');
    expect(at(moment, { count: 24, unit: 'hours' }, 'Europe/Berlin', always)).toBe('2030-03-31T09:00:00.000Z');
  });

  it('skips days off, forwards and backwards', () => {
    const works = (day: string) => !['2030-03-02', '2030-03-03'].includes(day);
    const working = (count: number) => ({ count, unit: 'working_days' as const });
    expect(at('2030-03-01', working(1), 'UTC', works)).toBe('2030-03-04T00:00:00.000Z');
    expect(at('2030-03-04T15:30:00.000Z', working(-1), 'UTC', works)).toBe('2030-03-01T15:30:00.000Z');
  });
});
