import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Directory } from '../../src/server/db/directory.ts';
import { openDatabases } from '../../src/server/db/open.ts';

/** The run's database, as one test file sees it. */
export interface TestDatabase {
  directory: Directory;
  databaseUrl: string;
  /** A sub-domain nobody else uses; `suffix` makes further ones. */
  subDomain(suffix?: string): string;
  /** A directory for files (DATA_DIR). */
  dataDir: string;
  close(): Promise<void>;
}

/** Opens the run's database. Close it in `afterAll`. */
export async function testDatabase(): Promise<TestDatabase> {
  const databaseUrl = inject('databaseUrl');
  const dataDir = mkdtempSync(join(inject('scratchDir'), 'data-'));
  const directory = await openDatabases({ dataDir, databaseUrl, poolSize: 8 });
  const own = `t${randomBytes(4).toString('hex')}`;
  return {
    directory,
    databaseUrl,
    dataDir,
    subDomain: (suffix = '') => `${own}${suffix}`,
    close: () => directory.close(),
  };
}
