import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Removes a product's data directory, and the database that stands elsewhere because root started the product in a
 * directory that the database's user cannot enter: one gigabyte is soon a hundred.
 */
export function removeData(dataDir: string): void {
  const pointer = join(dataDir, 'postgres.location');
  if (existsSync(pointer)) rmSync(dirname(readFileSync(pointer, 'utf8').trim()), { recursive: true, force: true });
  rmSync(dataDir, { recursive: true, force: true });
}
