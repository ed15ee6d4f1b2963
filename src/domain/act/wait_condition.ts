import { faultOfFacts, holdsForFacts } from './condition.ts';

/** A task that has ended, as the conditions of the tasks waiting for it see it. */
export interface EndedTask {
  code: string;
  state: string;
  outcome: string | null;
  days_late: number | null;
  score: number | null;
  returns_count: number | null;
  failed_points: number;
  done_on: string | null;
}

/** A dependency of a task that counts only if its condition is true for the task before it. */
export interface WaitCondition {
  /** The code of the task before it. */
  task: string;
  condition: string;
}

const FACTS: readonly string[] = [
  'outcome',
  'state',
  'days_late',
  'score',
  'returns_count',
  'failed_points',
] satisfies (keyof EndedTask)[];

/** What is wrong with the condition of a dependency; null = nothing. */
export const faultOfWait = (condition: string): string | null => faultOfFacts(condition, FACTS, 'a task');

/**
 * The tasks before a task whose dependencies count, after all of them have ended: those without a condition, and those
 * whose condition is true.
 * @returns null if it had dependencies and none of them counts: the task is left out
 */
export function countedBefore(ended: readonly EndedTask[], conditions: readonly WaitCondition[]): EndedTask[] | null {
  const counted = ended.filter((task) =>
    conditions
      .filter((one) => one.task.toLowerCase() === task.code.toLowerCase())
      .every(({ condition }) => holdsForFacts(condition, task)),
  );
  return ended.length > 0 && counted.length === 0 ? null : counted;
}
