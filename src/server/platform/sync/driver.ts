import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { AppError } from '../../db/errors.ts';

/** Optional drivers for other databases; each has its packages in a separate folder. */
const DRIVERS = {
  'sql-server': { title: 'SQL Server', entry: 'tedious' },
  oracle: { title: 'Oracle', entry: 'oracledb' },
} as const;
export type DriverName = keyof typeof DRIVERS;

const FOLDER = join(import.meta.dirname, '../../../../drivers');

/**
 * A module of a driver.
 * @param module another one than the driver's main module
 * @throws AppError 422 with the command, if the driver is not installed
 */
export function loadDriver<T>(name: DriverName, module?: string, folder = FOLDER): T {
  const { title, entry } = DRIVERS[name];
  if (!existsSync(join(folder, name, 'node_modules', entry))) {
    const message = `This server has no driver for ${title} yet. The operator of the server adds it with: npm run add -- ${name}`;
    throw new AppError(422, 'invalid', message, { field: 'kind', details: [{ field: 'kind', message }] });
  }
  return createRequire(join(folder, name, 'package.json'))(module ?? entry) as T;
}
