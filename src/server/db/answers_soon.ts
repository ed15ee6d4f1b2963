import type { Queryable } from './database.ts';

const SOON_MS = 2_000;

/** Whether a database answers within two seconds. */
export function answersSoon(database: Queryable): Promise<boolean> {
  return Promise.race([
    database.query('select 1').then(
      () => true,
      () => false,
    ),
    new Promise<boolean>((resolve) => setTimeout(resolve, SOON_MS, false).unref()),
  ]);
}
