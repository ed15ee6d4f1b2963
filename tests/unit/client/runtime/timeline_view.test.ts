import { expect, test } from 'vitest';
import type { Timeline } from '../../../../src/domain/report.ts';
import { shareOf } from '../../../../src/client/runtime/days_shown.ts';
import { lanesOf, yearMarks } from '../../../../src/client/runtime/report/timeline_view.ts';

const TIMELINE: Timeline = {
  first: '2025-01-01',
  last: '2026-12-31',
  today: '2026-01-01',
  bars: [
    { lane: 'Chair', title: 'Asha', from: '2020-01-01', until: '2025-12-31' },
    { lane: 'Member', title: 'Ravi', from: '2010-01-01', until: '2015-01-01' },
    { lane: 'Chair', title: 'Mina', from: '2026-01-01', until: null },
  ],
};

test('bars of a timeline are cut to the days shown; a lane without a bar stays', () => {
  const [chair, member] = lanesOf(TIMELINE);
  expect(chair!.bars.map(({ title, start, end, before, after }) => [title, start, end, before, after])).toEqual([
    ['Asha', 0, 0.5, true, false],
    ['Mina', 0.5, 1, false, true],
  ]);
  expect([member!.lane, member!.bars]).toEqual(['Member', []]);
  expect(chair!.bars[1]!.words).toBe('Chair: Mina, 01-01-2026 – no end');
});

test('years and today stand at their days', () => {
  expect(yearMarks(TIMELINE)).toEqual([{ at: 0.5, label: '2026' }]);
  expect(shareOf(TIMELINE, TIMELINE.today)).toBe(0.5);
});
