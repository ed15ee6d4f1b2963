import { circle } from '../act_cases/case_plan.ts';
import { faultOfWait } from './wait_condition.ts';
import type { FieldError } from '../../descriptor/types.ts';

type Row = Readonly<Record<string, unknown>>;

/** The faults in the predecessors of tasks: unknown and duplicate codes, circular dependencies and wrong conditions. */
export function orderFaults(record: Row): FieldError[] {
  const tasks = ((record.tasks as Row[] | null | undefined) ?? []).map((task) => ({
    title: String(task.title),
    code: typeof task.code === 'string' ? task.code.toLowerCase() : '',
    after: ((task.after as string[] | null | undefined) ?? []).map((code) => code.toLowerCase()),
    conditions:
      (task.after_when as { task: string; condition?: string | null; days?: number | null }[] | null | undefined) ?? [],
  }));
  const codes = tasks.map(({ code }) => code).filter((code) => code !== '');
  const errors: FieldError[] = [];
  const add = (message: string) => errors.push({ field: 'tasks', message });
  const twice = codes.find((code, at) => codes.indexOf(code) < at);
  if (twice !== undefined) add(`Two tasks have the code ${twice.toUpperCase()}. Give each its own.`);
  for (const { title, after, conditions } of tasks) {
    const unknown = after.find((code) => !codes.includes(code));
    if (unknown !== undefined)
      add(`${title} waits for ${unknown.toUpperCase()}, but no task here has this code. Correct one of the two.`);
    for (const { task, condition, days } of conditions) {
      const fault = typeof condition === 'string' ? faultOfWait(condition) : null;
      if (!after.includes(task.toLowerCase()))
        add(`${title} has a line for ${task.toUpperCase()}, but does not wait for it. Correct one of the two.`);
      else if (typeof condition !== 'string' && typeof days !== 'number')
        add(`${title}, line for ${task.toUpperCase()}: enter a number of days or a condition.`);
      else if (fault !== null) add(`${title}, condition for ${task.toUpperCase()}: ${fault}`);
    }
  }
  const found = circle(tasks.filter(({ code }) => code !== ''));
  if (found)
    add(
      `Task ${found.step.toUpperCase()} waits for itself through ${found.through.toUpperCase()}. Remove one of the two.`,
    );
  return errors;
}
