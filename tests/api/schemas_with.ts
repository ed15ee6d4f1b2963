import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The product's schemas with further types, in a directory of their own. Take it away in `afterAll`. */
export function schemasWith(types: Readonly<Record<string, object>>): { schemasDir: string; remove(): void } {
  const root = mkdtempSync(join(tmpdir(), 'mainstay-types-'));
  const schemasDir = join(root, 'schemas');
  cpSync(join(import.meta.dirname, '../../schemas'), schemasDir, { recursive: true });
  for (const [name, descriptor] of Object.entries(types))
    writeFileSync(join(schemasDir, 'organisation', `${name}.json`), JSON.stringify(descriptor));
  return { schemasDir, remove: () => rmSync(root, { recursive: true, force: true }) };
}
