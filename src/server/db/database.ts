import type { PoolClient } from 'pg';

/** A statement: `name` (a short hash of the text) makes it a prepared statement. */
export interface Statement {
  text: string;
  values?: unknown[];
  name?: string;
  /** It is self-contained and may share a transaction with others: concurrent ones are batched. */
  shares?: boolean;
}

/** Anything that runs a statement: the pool, or one connection inside a transaction. */
export interface Queryable {
  /** Rows of one statement. bigint comes as number, numeric, date and timestamps as text. */
  query<T = Record<string, unknown>>(statement: Statement | string, values?: unknown[]): Promise<T[]>;
}

/** One PostgreSQL database with its pool. */
export interface Database extends Queryable {
  /** Key in the tenant directory (`public.tenant_database.name`); "main" for the platform's own. */
  readonly name: string;
  readonly url: string;
  /**
   * The same database with the rights of the tables' owner: for altering tables, and for the platform's own. For the
   * platform's it is itself.
   */
  readonly owner: Database;
  /**
   * The same on two separate connections, for a short statement that is committed at once during another transaction: a
   * caller that holds a connection must not wait for a second one of the same pool.
   */
  readonly aside: Queryable;
  /** The same database with the rights of one client only, on its schema. */
  of(schema: string): Database;
  /** A connection of its own, until it is released. */
  connect(): Promise<PoolClient>;
  /** Runs `work` in BEGIN … COMMIT on one connection; rolls back and rethrows on error. */
  transaction<T>(work: (tx: Queryable & { client: PoolClient }) => Promise<T>): Promise<T>;
  /** The current usage of its connections. */
  load(): { connections: number; idle: number; waiting: number };
  close(): Promise<void>;
}
