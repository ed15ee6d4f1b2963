import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ScoredTask } from '../../../../src/domain/act/task_score.ts';
import { USUAL_BANDS, complianceScore, pointsFor } from '../../../../src/domain/act/task_score.ts';
import { threeWay } from '../../../../src/domain/act/three_way.ts';

const points = (late: number) => pointsFor(late, USUAL_BANDS).toFixed(2);
const task = (
  criticality: ScoredTask['criticality'],
  weight: string,
  outcome: ScoredTask['outcome'],
  more: Partial<ScoredTask> = {},
): ScoredTask => ({ criticality, weight, outcome, score: null, last_day: '2025-10-20', ...more });

describe('Scores (§5.2)', () => {
  it('gives points by the days late', () => {
    expect([0, 1, 3, 4, 7, 8, 15, 16, 400].map(points)).toEqual(
      '100.00 75.00 75.00 50.00 50.00 25.00 25.00 0.00 0.00'.split(' '),
    );
  });

  it('C1: of all tasks, by weight and criticality', () => {
    const tasks = [
      task('critical', '10', 'on_time', { score: points(0) }),
      task('critical', '10', 'late', { score: points(2) }),
      task('high', '5', 'late', { score: points(6) }),
      task('medium', '5', 'missed'),
      task('medium', '5', 'not_applicable'),
      task('low', '2', null, { last_day: '2025-10-16' }),
      task('low', '2', null, { last_day: '2025-10-30' }),
    ];
    const all = complianceScore(tasks, '2025-10-20');
    expect([all.score?.toFixed(2), all.on_time_percent?.toFixed(2), all.weight_sum.toFixed()]).toEqual([
      '75.66',
      '20.00',
      '76',
    ]);
    expect(complianceScore(tasks.slice(0, 5), '2025-10-20').score?.toFixed(2)).toBe('76.67');
    expect(complianceScore(tasks.slice(4, 5), '2025-10-20').score).toBeNull();
  });

  it('is between 0 and 100, in any order', () => {
    const aTask = fc.record({
      weight: fc.integer({ min: 1, max: 10_000 }).map((one) => (one / 100).toFixed(2)),
      criticality: fc.constantFrom('critical', 'high', 'medium', 'low'),
      outcome: fc.constantFrom('on_time', 'late', 'missed', 'not_applicable', 'cancelled', null),
      score: fc.integer({ min: 0, max: 100 }).map(String),
      last_day: fc.constantFrom('2025-10-19', '2025-10-20', '2025-10-21'),
    }) as fc.Arbitrary<ScoredTask>;
    fc.assert(
      fc.property(fc.array(aTask, { maxLength: 20 }), (tasks) => {
        const { score, counted } = complianceScore(tasks, '2025-10-20');
        expect(score === null).toBe(counted === 0);
        if (score) expect(score.gte(0) && score.lte(100)).toBe(true);
        expect(complianceScore(tasks.toReversed(), '2025-10-20').score?.toFixed(2)).toBe(score?.toFixed(2));
      }),
    );
  });
});

describe('A new version of a template', () => {
  it('updates what the company did not change, and asks where both changed', () => {
    const base = { A: { weight: '1', title: 'a' }, B: { weight: '1', title: 'b' }, C: { weight: '1' } };
    const theirs = { A: { weight: '2', title: 'a' }, B: { weight: '3', title: 'b' }, D: { weight: '1' } };
    const ours = { A: { weight: '1', title: 'own' }, B: { weight: '2', title: 'b' }, C: { weight: '1' } };
    expect(threeWay(base, theirs, ours, ['weight', 'title'])).toEqual({
      fields: [
        { task: 'A', field: 'weight', base: '1', theirs: '2', ours: '1', changed: 'theirs' },
        { task: 'B', field: 'weight', base: '1', theirs: '3', ours: '2', changed: 'both' },
      ],
      added: ['D'],
      removed: ['C'],
    });
  });
});
