// `npm run backup -- acme [file]`: one client with all rows and files, while people go on working.
import { createWriteStream, renameSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { readConfig } from '../src/server/config.ts';
import { backupTenant } from '../src/server/db/backup.ts';
import { openDatabases } from '../src/server/db/open.ts';

const [
  subDomain,
  target = `${subDomain}-${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}.backup.gz`,
] = process.argv.slice(2);
if (!subDomain) {
  console.error('Usage: npm run backup -- <sub-domain> [file]');
  process.exit(2);
}
const config = readConfig(process.env);
try {
  const directory = await openDatabases({ dataDir: config.dataDir, databaseUrl: config.databaseUrl, share: true });
  try {
    // Under its own name only when it is complete.
    await pipeline(
      backupTenant(directory, subDomain, config.dataDir),
      createGzip({ level: 6 }),
      createWriteStream(`${target}.part`, { mode: 0o600, flush: true }),
    );
    renameSync(`${target}.part`, target);
    console.log(`Backed up ${subDomain} to ${target}.`);
  } finally {
    await directory.close();
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
