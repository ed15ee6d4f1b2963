import { cpSync, existsSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { createDatabase, openDatabases } from '../../src/server/db/open.ts';
import { createDemo } from '../../src/server/platform/demo/create_demo.ts';
import { readPages, withFigures } from '../../src/server/access/rights/pages.ts';
import type { loadScreens } from '../../src/server/engine/descriptors/load.ts';

/** Of everybody in the demo companies of tests. */
export const DEMO_PASSWORD = 'Lotus-and-coral-7';

/**
 * A database with the demo companies, and the directory of their files: a copy of one that the first to ask makes.
 * @param loaded the product's descriptors
 */
export async function demoCopy(
  loaded: Awaited<ReturnType<typeof loadScreens>>,
  name: string,
): Promise<{ databaseUrl: string; dataDir: string }> {
  const besides = new URL(inject('databaseUrl'));
  const template = `${besides.pathname.slice(1)}_demo`;
  const files = join(inject('scratchDir'), 'demo-files');
  const admin = new pg.Client({ connectionString: besides.href });
  await admin.connect();
  try {
    await admin.query('select pg_advisory_lock(hashtextextended($1, 0))', [template]);
    if (!existsSync(files)) {
      await createDatabase(besides.href, template);
      const url = new URL(besides);
      url.pathname = `/${template}`;
      const making = mkdtempSync(join(inject('scratchDir'), 'demo-making-'));
      const directory = await openDatabases({ dataDir: making, databaseUrl: url.href, poolSize: 4 });
      try {
        const pages = withFigures(readPages(join(import.meta.dirname, '../../schemas')), loaded);
        await createDemo({ directory, screens: loaded.screens, pages, dataDir: making, password: DEMO_PASSWORD });
      } finally {
        await directory.close();
      }
      cpSync(making, files, { recursive: true });
    }
    // Thousands of small files: copied as they are, not page by page through the log.
    await admin.query(`create database ${name} template ${template} strategy file_copy`);
  } finally {
    await admin.end();
  }
  const url = new URL(besides);
  url.pathname = `/${name}`;
  const dataDir = mkdtempSync(join(inject('scratchDir'), 'data-'));
  cpSync(files, dataDir, { recursive: true });
  return { databaseUrl: url.href, dataDir };
}
