// `npm run restore -- <file> [--as <sub-domain>] [--database <name>] [--replace]`
import { createReadStream } from 'node:fs';
import { parseArgs } from 'node:util';
import { createGunzip } from 'node:zlib';
import { readConfig } from '../src/server/config.ts';
import { openDatabases } from '../src/server/db/open.ts';
import { restoreTenant } from '../src/server/db/restore.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { as: { type: 'string' }, database: { type: 'string' }, replace: { type: 'boolean', default: false } },
});
const [file] = positionals;
if (!file) {
  console.error('Usage: npm run restore -- <file> [--as <sub-domain>] [--database <name>] [--replace]');
  process.exit(2);
}
const config = readConfig(process.env);
try {
  const directory = await openDatabases({ dataDir: config.dataDir, databaseUrl: config.databaseUrl, share: true });
  try {
    const source = createReadStream(file);
    const archive = source.pipe(createGunzip());
    source.on('error', (error) => archive.destroy(error));
    const { tenant, rows, files } = await restoreTenant(directory, archive, {
      dataDir: config.dataDir,
      replace: values.replace,
      ...(values.as && { subDomain: values.as }),
      ...(values.database && { database: values.database }),
    });
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
    console.log(
      `Restored ${tenant.name} as ${tenant.subDomain}: ${total} rows in ${Object.keys(rows).length} tables, ${files} files.`,
    );
  } finally {
    await directory.close();
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
