import { randomInt } from 'node:crypto';
import type { Database } from './database.ts';

/** What the locks by which servers show that they run have in common. */
const LOCKS = 0x6d73_7276;

/** Shows the other server processes on the database that this one runs, and tells which of them do. */
export interface ServerPresence {
  /** The number of this process. It is shown from the first time on that somebody asks for it. */
  number(): Promise<number>;
  /** The numbers of those that run. */
  running(): Promise<number[]>;
  close(): void;
}

/** The lock is its connection's: it falls when the process dies, however it dies. */
export function createServerPresence(main: Database): ServerPresence {
  const number = randomInt(1, 2 ** 31 - 1);
  let closed = false;
  let shown: Promise<{ release(broken?: boolean): void }> | null = null;

  async function show(): Promise<{ release(broken?: boolean): void }> {
    const connection = await main.connect();
    // One that breaks is made anew at once: others would take over what this process still does.
    connection.on('error', () => {
      shown = null;
      // Closed: it was given back already.
      if (closed) return;
      connection.release(true);
      presence.number().catch(() => undefined);
    });
    await connection.query('select pg_advisory_lock($1, $2)', [LOCKS, number]);
    return connection;
  }

  const presence: ServerPresence = {
    async number() {
      shown ??= show();
      try {
        await shown;
      } catch (error) {
        shown = null;
        throw error;
      }
      return number;
    },
    async running() {
      const rows = await main.query<{ number: number }>(
        `select objid::int as number from pg_locks where locktype = 'advisory' and classid = $1 and objsubid = 2 and granted
           and database = (select oid from pg_database where datname = current_database())`,
        [LOCKS],
      );
      return [...new Set([number, ...rows.map((row) => row.number)])];
    },
    close() {
      closed = true;
      void shown?.then(
        (connection) => connection.release(true),
        () => undefined,
      );
      shown = null;
    },
  };
  return presence;
}
