import { expect, it } from 'vitest';
import type { ScoredAnswer } from '../../../src/domain/inspection_score.ts';
import { scoreInspection } from '../../../src/domain/inspection_score.ts';

const answer = (
  group: number,
  weight: number,
  score: number | null,
  more: Partial<ScoredAnswer> = {},
): ScoredAnswer => ({ group, weight, score, best: 4, severity: 'ok', critical: false, ...more });
const bands = [
  { from: 0, grade: 'D' },
  { from: 50, grade: 'C' },
  { from: 75, grade: 'B' },
  { from: 90, grade: 'A' },
];

it('matches the design’s example: 44 of 76 is 57.9, and one critical fault makes it unsafe', () => {
  const answers = [
    answer(1, 3, 4, {}),
    answer(1, 5, 2, { severity: 'major' }),
    answer(2, 4, 4),
    answer(2, 5, 0, { severity: 'critical', critical: true }),
    answer(3, 2, 3, { severity: 'minor' }),
    answer(3, 6, null),
  ];
  expect(scoreInspection(answers, bands)).toEqual({
    score: '57.9',
    grade: 'Unsafe',
    unsafe: true,
    groups: [
      { group: 1, score: '68.8', faults: 1 },
      { group: 2, score: '44.4', faults: 1 },
      { group: 3, score: '75.0', faults: 1 },
    ],
  });
});

it('gives the highest band reached; a grave answer to a non-critical question only costs points', () => {
  expect(scoreInspection([answer(1, 1, 3)], bands).grade).toBe('B');
  expect(scoreInspection([answer(1, 1, 3), answer(1, 0, 0, { severity: 'critical' })], bands)).toMatchObject({
    score: '75.0',
    grade: 'B',
    unsafe: false,
  });
});

it('half a tenth rounds up, and decimals of scores are exact', () => {
  expect(scoreInspection([answer(1, 1, 2.5), answer(1, 7, 4), answer(1, 8, 3.5)], []).score).toBe('91.4');
  expect(scoreInspection([answer(1, 1, 0.1, { best: 0.3 })], []).score).toBe('33.3');
});

it('is empty while nothing counts', () => {
  expect(scoreInspection([answer(1, 5, null), answer(1, 0, 4)], bands)).toEqual({
    score: null,
    grade: null,
    unsafe: false,
    groups: [{ group: 1, score: null, faults: 0 }],
  });
});
