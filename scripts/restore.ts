// `npm run restore -- <file> [--as <sub-domain>] [--database <name>] [--replace] [--foreign]`
import { createReadStream } from 'node:fs';
import { parseArgs } from 'node:util';
import { createGunzip } from 'node:zlib';
import { readConfig } from '../src/server/config.ts';
import { openDatabases } from '../src/server/db/open.ts';
import { loadScreens } from '../src/server/engine/descriptors/load.ts';
import { readInForce } from '../src/server/engine/descriptors/in_force.ts';
import { isCleanHtml } from '../src/server/engine/records/rich_text.ts';
import { restoreTenant } from '../src/server/db/restore.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    as: { type: 'string' },
    database: { type: 'string' },
    replace: { type: 'boolean', default: false },
    foreign: { type: 'boolean', default: false },
  },
});
const [file] = positionals;
if (!file) {
  console.error('Usage: npm run restore -- <file> [--as <sub-domain>] [--database <name>] [--replace] [--foreign]');
  process.exit(2);
}
const config = readConfig(process.env);
try {
  const directory = await openDatabases({ dataDir: config.dataDir, databaseUrl: config.databaseUrl, share: true });
  try {
    const source = createReadStream(file);
    const archive = source.pipe(createGunzip());
    source.on('error', (error) => archive.destroy(error));
    // What the files say may not be in force yet.
    const screens = (await readInForce(directory.main)) ?? (await loadScreens(config.schemasDir)).screens;
    const { tenant, rows, files, foreign, held, kept } = await restoreTenant(directory, archive, {
      dataDir: config.dataDir,
      replace: values.replace,
      foreign: values.foreign,
      screens,
      isClean: isCleanHtml,
      ...(values.as && { subDomain: values.as }),
      ...(values.database && { database: values.database }),
    });
    if (foreign) console.log('The backup is foreign: every table and value was checked.');
    for (const line of kept) console.log(line);
    if (held)
      console.log(
        'It is a copy: it sends nothing and runs nothing until an administrator switches it on, on its pages.',
      );
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
