import { DateTime } from 'luxon';

/**
 * The colour of an open task on a day: red after its due day and grace, amber in its last days, otherwise green.
 * `open_tasks` sets the same in SQL.
 */
export function colourOf(task: Readonly<Record<string, unknown>>, today: string): 'green' | 'amber' | 'red' {
  const due = DateTime.fromISO(String(task.due_on), { zone: 'utc' });
  if (due.plus({ days: Number(task.grace_days ?? 0) }).toISODate()! < today) return 'red';
  return due.minus({ days: AMBER_DAYS }).toISODate()! <= today ? 'amber' : 'green';
}

/** A task is due soon in its last two days. */
export const AMBER_DAYS = 2;
