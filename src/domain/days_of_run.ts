/** The most days that one run makes up for: reminders of longer ago are of no use. */
const MOST = 31;

const DAY_MS = 86_400_000;

/**
 * The days that a daily run covers, in order: those after the last run that ended, up to its own. A job that acts on a
 * certain day so acts on it even if no server ran then. Without a last run, or after it: its own day alone.
 */
export function daysOfRun(last: string | null, today: string): string[] {
  const end = Date.parse(`${today}T00:00:00Z`);
  const missed = last === null ? 0 : Math.round((end - Date.parse(`${last}T00:00:00Z`)) / DAY_MS) - 1;
  const count = Math.min(Math.max(missed, 0), MOST - 1);
  return Array.from({ length: count + 1 }, (_none, at) =>
    new Date(end - (count - at) * DAY_MS).toISOString().slice(0, 10),
  );
}
