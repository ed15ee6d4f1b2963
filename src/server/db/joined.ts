import type { Database, Queryable, Statement } from './database.ts';

/** The connection of a running transaction. */
type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

/**
 * A database within one transaction: every statement runs in that transaction, and a nested transaction is a savepoint.
 * `end`: afterwards it refuses. Its `owner` remains the separate connection: altering tables is not part of a unit of
 * work.
 */
export function joined(database: Database, tx: Transaction): { db: Database; end(): void } {
  let savepoints = 0;
  let ended = false;
  const query: Queryable['query'] = <T>(statement: Statement | string, values?: unknown[]) =>
    // The connection belongs to somebody else by then.
    ended ? Promise.reject(new Error('This unit of work has ended.')) : tx.query<T>(statement, values);
  const inside: Database = {
    name: database.name,
    url: database.url,
    get owner() {
      return database.owner;
    },
    get aside() {
      return database.aside;
    },
    of: () => inside,
    connect: () => Promise.reject(new Error('A unit of work has one connection.')),
    query,
    async transaction(work) {
      const name = `within_${++savepoints}`;
      await query(`savepoint ${name}`);
      try {
        const result = await work({ client: tx.client, query });
        await query(`release savepoint ${name}`);
        return result;
      } catch (error) {
        await query(`rollback to savepoint ${name}`);
        throw error;
      }
    },
    load: () => database.load(),
    close: () => Promise.resolve(),
  };
  return { db: inside, end: () => (ended = true) };
}
