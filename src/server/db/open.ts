import type { Database } from './database.ts';
import type { Directory } from './directory.ts';
import { createDirectory, prepareDatabase } from './directory.ts';
import type { EmbeddedServer } from './embedded.ts';
import { startEmbedded } from './embedded.ts';
import { openPool } from './pool.ts';
import { migratePlatform } from './system_tables.ts';

export interface OpenOptions {
  /** Directory of the product's own files; the embedded database lives in it. */
  dataDir: string;
  /** A PostgreSQL database (15 or later) instead of the embedded one. */
  databaseUrl?: string | undefined;
  /** Connections per database. */
  poolSize?: number | undefined;
  /** Set by commands: they may run beside a running product. */
  share?: boolean;
  log?: (text: string) => void;
}

/** Opens the main database (starting the embedded server if none is named) and brings the platform's tables up to date. */
export async function openDatabases(options: OpenOptions): Promise<Directory> {
  const log = options.log ?? (() => {});
  let server: EmbeddedServer | undefined;
  let main: Database | undefined;
  try {
    let url = options.databaseUrl;
    if (!url) {
      server = await startEmbedded({ dataDir: options.dataDir, share: options.share ?? false, log });
      url = server.url('mainstay');
      await createDatabase(server.url('postgres'), 'mainstay');
    }
    const onError = (error: Error): void => log(`A database connection was lost: ${error.message}`);
    main = openPool({ name: 'main', url, onError, ...(options.poolSize !== undefined && { size: options.poolSize }) });
    await prepareDatabase(main);
    await main.transaction(async (tx) => {
      await tx.query(`select pg_advisory_xact_lock(hashtextextended('mainstay:public', 0))`);
      await migratePlatform(tx);
    });
    const running = server;
    return createDirectory(main, {
      poolSize: options.poolSize,
      onError,
      ...(running && { closeServer: () => running.stop() }),
    });
  } catch (error) {
    await main?.close().catch(() => {});
    await server?.stop().catch(() => {});
    throw error;
  }
}

/** Creates a database unless it exists. */
export async function createDatabase(adminUrl: string, name: string): Promise<void> {
  const admin = openPool({ name: 'admin', url: adminUrl, size: 1 });
  try {
    const [there] = await admin.query('select 1 from pg_database where datname = $1', [name]);
    // UTF8 and locale C: text compares the same on every server; sorting for people is by lower() or ICU.
    if (!there)
      await admin.query(
        `create database "${name.replaceAll('"', '""')}" template template0 encoding 'UTF8' locale 'C'`,
      );
  } catch (error) {
    if ((error as { code?: string }).code !== '42P04') throw error; // another process was quicker
  } finally {
    await admin.close();
  }
}
