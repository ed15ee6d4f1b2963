import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import pg from 'pg';
import { createDatabase } from '../../../src/server/db/open.ts';
import { openPool } from '../../../src/server/db/pool.ts';
import { openDoor } from './cutting_door.ts';

/** A database of somebody else, reached over TCP as import jobs reach one. */
export interface OutsideDatabase {
  /** What a source says of it. */
  source: {
    kind: 'postgres';
    host: string;
    port: number;
    database_name: string;
    username: string;
    ssl: 'off' | 'prefer';
  };
  sql: <T>(text: string, values?: unknown[]) => Promise<T[]>;
  /** Cuts the connection after so many bytes have been answered; null = never. */
  cutAfter(bytes: number | null): void;
  close(): Promise<void>;
}

/** A second database on the run's server, behind a door that can be slammed. */
export async function outsideDatabase(besides: string): Promise<OutsideDatabase> {
  const name = `outside_${randomBytes(4).toString('hex')}`;
  await createDatabase(besides, name);
  const url = new URL(besides);
  url.pathname = `/${name}`;
  // Somebody else's database: names without a schema mean something here.
  const pool = new pg.Pool({ connectionString: url.href, max: 2 });
  // A connection that is being closed when the database is dropped gets an error that nobody waits for.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
  });
  const socketDir = url.searchParams.get('host');
  const door = await openDoor(() =>
    socketDir?.startsWith('/')
      ? connect(`${socketDir}/.s.PGSQL.${url.port || '5432'}`)
      : connect(Number(url.port || '5432'), url.hostname),
  );
  return {
    source: {
      kind: 'postgres',
      host: '127.0.0.1',
      port: door.port,
      database_name: name,
      username: decodeURIComponent(url.username),
      ssl: 'prefer',
    },
    sql: async <T>(text: string, values?: unknown[]) => (await pool.query<T & pg.QueryResultRow>(text, values)).rows,
    cutAfter: door.cutAfter,
    async close() {
      await door.close();
      await pool.end();
      const admin = openPool({ name: 'admin', url: besides, size: 1 });
      await admin.query(`drop database if exists ${name} with (force)`);
      await admin.close();
    },
  };
}
