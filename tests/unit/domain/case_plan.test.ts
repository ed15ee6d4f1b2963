import { describe, expect, it } from 'vitest';
import { casePlan, circle, workingDaysHeld } from '../../../src/domain/act_cases/case_plan.ts';
import { exampleCalendar } from './example_calendar.ts';

const steps = [
  { code: 'A', after: [], days: 1 },
  { code: 'B', after: ['A'], days: 2 },
  { code: 'C', after: ['A'], days: 3 },
  { code: 'D', after: ['B', 'C'], days: 1 },
  { code: 'E', after: ['D'], days: 2 },
];

describe('dates of a case (design 5.3)', () => {
  it('the example: five steps around a holiday', () => {
    const plan = casePlan(steps, '2025-08-11', exampleCalendar);
    expect(Object.fromEntries(plan.dates)).toEqual({
      A: { from_on: '2025-08-11', to_on: '2025-08-11' },
      B: { from_on: '2025-08-12', to_on: '2025-08-13' },
      C: { from_on: '2025-08-12', to_on: '2025-08-14' },
      D: { from_on: '2025-08-16', to_on: '2025-08-16' },
      E: { from_on: '2025-08-18', to_on: '2025-08-19' },
    });
    expect(plan.end_on).toBe('2025-08-19');
    expect(plan.critical).toEqual(['A', 'C', 'D', 'E']);
    const days = plan.critical.reduce((sum, code) => sum + steps.find((step) => step.code === code)!.days, 0);
    expect(days).toBe(7);
  });
  it('a pause of its own after one step counts instead of the common one, and decides the critical path', () => {
    const paused = steps.map((step) => (step.code === 'D' ? { ...step, offset: 1, pauses: { B: 3 } } : step));
    const plan = casePlan(paused, '2025-08-11', exampleCalendar);
    // After C, which ends on the 14th, it could start on the 18th; after B, on the 19th.
    expect(plan.dates.get('D')!.from_on).toBe('2025-08-19');
    expect(plan.critical).toEqual(['A', 'B', 'D', 'E']);
  });
  it('a late step moves its successors', () => {
    const plan = casePlan(
      [steps[0]!, { ...steps[1]!, done_on: '2025-08-19' }, ...steps.slice(2)],
      '2025-08-11',
      exampleCalendar,
    );
    expect(plan.dates.get('D')!.from_on).toBe('2025-08-20');
    expect(plan.critical).toEqual(['A', 'B', 'D', 'E']);
  });
  it('a started step keeps its days', () => {
    const fixed = { from_on: '2025-08-18', to_on: '2025-08-20' };
    expect(
      casePlan([...steps.slice(0, 3), { ...steps[3]!, fixed }, steps[4]!], '2025-08-11', exampleCalendar).end_on,
    ).toBe('2025-08-22');
  });
  it('a step with a false condition is removed with its edges', () => {
    const plan = casePlan(
      steps.map((step) => (step.code === 'C' ? { ...step, dropped: true } : step)),
      '2025-08-11',
      exampleCalendar,
    );
    expect(plan.dates.has('C')).toBe(false);
    expect(plan.dates.get('D')).toEqual({ from_on: '2025-08-14', to_on: '2025-08-14' });
  });
  it('reports a step that waits for itself', () => {
    expect(
      circle([
        { code: 'A', after: ['B'] },
        { code: 'B', after: ['A'] },
      ]),
    ).toEqual({ step: 'A', through: 'B' });
    expect(circle(steps)).toBeNull();
  });
  it('counts the working days on hold', () => {
    expect(workingDaysHeld('2025-08-14', '2025-08-18', exampleCalendar)).toBe(2);
  });
});
