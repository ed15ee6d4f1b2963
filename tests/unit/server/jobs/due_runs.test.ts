import { describe, expect, it } from 'vitest';
import { dueAt, dueRuns } from '../../../../src/server/services/jobs/schedules.ts';

const at = (timezone: string) => ({ company: null, branch: null, timezone });
/** What runs when it is looked at every few minutes over a span, beginning with what is due next. */
function runsOf(cron: string, timezone: string, from: string, to: string, minutes = 5): string[] {
  const found: string[] = [];
  let next = dueRuns(cron, [at(timezone)], null, new Date(from)).next;
  for (let now = Date.parse(from); now <= Date.parse(to); now += minutes * 60_000) {
    if (next === null || next.getTime() > now) continue;
    const answer = dueRuns(cron, [at(timezone)], next, new Date(now));
    found.push(...answer.runs.map(({ due }) => due));
    next = answer.next;
  }
  return found;
}

describe('a schedule', () => {
  it('follows its time zone, also with an offset of minutes', () => {
    expect(runsOf('0 18 * * *', 'Asia/Kolkata', '2026-11-23T00:00Z', '2026-11-25T00:00Z')).toEqual([
      '2026-11-23T18:00+05:30',
      '2026-11-24T18:00+05:30',
    ]);
    expect(dueAt('Asia/Kathmandu', new Date('2026-11-23T12:00:40Z'))).toBe('2026-11-23T17:45+05:45');
    expect(dueAt('America/St_Johns', new Date('2026-11-23T02:00Z'))).toBe('2026-11-22T22:30-03:30');
  });

  it('runs once a day when the clock changes', () => {
    // 02:30 is skipped in the spring, and comes twice in the autumn.
    const spring = runsOf('30 2 * * *', 'Europe/Berlin', '2026-03-28T00:00Z', '2026-03-30T12:00Z');
    expect(spring.map((due) => due.slice(0, 10))).toEqual(['2026-03-28', '2026-03-29', '2026-03-30']);
    const autumn = runsOf('30 2 * * *', 'Europe/Berlin', '2026-10-24T00:00Z', '2026-10-26T12:00Z');
    expect(autumn.map((due) => due.slice(0, 10))).toEqual(['2026-10-24', '2026-10-25', '2026-10-26']);
    expect(runsOf('0 18 * * *', 'Europe/Berlin', '2026-10-24T00:00Z', '2026-10-26T00:00Z')).toEqual([
      '2026-10-24T18:00+02:00',
      '2026-10-25T18:00+01:00',
    ]);
  });

  it('for each quarter of an hour has distinct moments in the repeated hour', () => {
    const runs = runsOf('*/15 * * * *', 'Europe/Berlin', '2026-10-25T00:00Z', '2026-10-25T01:45Z');
    expect(new Set(runs).size).toBe(runs.length);
    expect(runs.filter((due) => due.startsWith('2026-10-25T02:15'))).toEqual([
      '2026-10-25T02:15+02:00',
      '2026-10-25T02:15+01:00',
    ]);
  });

  it('runs once after being missed, for the last missed time', () => {
    const since = new Date('2026-11-20T12:30Z');
    const { runs, next } = dueRuns('0 18 * * *', [at('Asia/Kolkata')], since, new Date('2026-11-23T13:00Z'));
    expect(runs.map(({ due }) => due)).toEqual(['2026-11-23T18:00+05:30']);
    expect(next).toEqual(new Date('2026-11-24T12:30Z'));
  });

  it('of several companies runs at each one’s own time', () => {
    const places = [
      { company: 1, branch: null, timezone: 'Asia/Kolkata' },
      { company: 2, branch: null, timezone: 'Europe/London' },
    ];
    const first = dueRuns('0 18 * * *', places, null, new Date('2026-11-23T00:00Z'));
    expect(first).toEqual({ runs: [], next: new Date('2026-11-23T12:30Z') });
    const second = dueRuns('0 18 * * *', places, first.next, new Date('2026-11-23T12:31Z'));
    expect(second.runs).toMatchObject([{ company: 1, due: '2026-11-23T18:00+05:30' }]);
    expect(second.next).toEqual(new Date('2026-11-23T18:00Z'));
    const third = dueRuns('0 18 * * *', places, second.next, new Date('2026-11-23T18:00:10Z'));
    expect(third.runs).toMatchObject([{ company: 2, due: '2026-11-23T18:00+00:00' }]);
  });
});
