import { randomInt } from 'node:crypto';
import type { Database } from './database.ts';

/** The common prefix of the locks with which servers show that they are running. */
const LOCKS = 0x6d73_7276;

/** Shows the other server processes on the database that this one is running, and tells which others are. */
export interface ServerPresence {
  /** The id of this process. It is shown from its first use on. */
  number(): Promise<number>;
  /** The ids of the running processes. */
  running(): Promise<number[]>;
  close(): void;
}

/** The lock belongs to its connection: it is released when the process dies in any way. */
export function createServerPresence(main: Database): ServerPresence {
  const number = randomInt(1, 2 ** 31 - 1);
  let closed = false;
  let shown: Promise<{ release(broken?: boolean): void }> | null = null;

  async function show(): Promise<{ release(broken?: boolean): void }> {
    const connection = await main.connect();
    // A broken one is renewed at once: otherwise others would take over this process's work.
    connection.on('error', () => {
      shown = null;
      // Closed: it was already released.
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
