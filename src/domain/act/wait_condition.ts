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

/** What is special about a dependency of a task: it counts only if a condition is true for the task before it, or has days of its own. */
export interface WaitCondition {
  /** The code of the task before it. */
  task: string;
  condition: string | null;
  /** Working days after the task before it. */
  days: number | null;
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
      .every(({ condition }) => condition === null || holdsForFacts(condition, task)),
  );
  return ended.length > 0 && counted.length === 0 ? null : counted;
}

/**
 * After which days, and how many working days after each, a task is due: its own number for a task before it, otherwise
 * the common one. None = it is due as scheduled.
 */
export function daysAfter(
  counted: readonly EndedTask[],
  conditions: readonly WaitCondition[],
  common: number | null,
  today: string,
): { from: string; days: number }[] {
  const own = new Map(conditions.map(({ task, days }) => [task.toLowerCase(), days]));
  const waits = counted.flatMap(({ code, done_on: on }) => {
    const days = own.get(code.toLowerCase()) ?? common;
    return days === null ? [] : [{ from: on ?? today, days }];
  });
  return waits.length === 0 && counted.length === 0 && common !== null ? [{ from: today, days: common }] : waits;
}
