import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { inject } from 'vitest';

const SCHEMAS = join(import.meta.dirname, '../../schemas');

/** What the engine itself needs: accounts, rights, clients, people and places. Its record types refer to no others. */
const OF_THE_ENGINE: readonly string[] = ['admin', 'meta', 'organisation', 'platform', 'reference'];

/** What approvals need. */
export const APPROVALS = [
  'approval_process',
  'approval_request',
  'approval_list',
  'business_calendar',
  'escalation_log',
  'slab',
];

/**
 * Copies the descriptors that the engine itself needs, a quarter of all: tests of the engine bring their own types, and
 * would compile the hundreds of others in vain.
 * @param further descriptors that the test uses as well; what they refer to comes along
 */
export function copySchemas(schemasDir: string, further: readonly string[] = []): void {
  const others = new Map<string, string>();
  for (const entry of readdirSync(SCHEMAS, { withFileTypes: true })) {
    const { name } = entry;
    if (!entry.isDirectory() || OF_THE_ENGINE.includes(name))
      cpSync(join(SCHEMAS, name), join(schemasDir, name), { recursive: true });
    else for (const file of readdirSync(join(SCHEMAS, name))) others.set(basename(file, '.json'), join(name, file));
  }
  const wanted = [...further];
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    const file = others.get(name);
    if (file === undefined) continue;
    others.delete(name);
    const text = readFileSync(join(SCHEMAS, file), 'utf8');
    mkdirSync(join(schemasDir, dirname(file)), { recursive: true });
    // Requests name the product's first type with an approval; the others add themselves.
    const noInspections = ['approval_request', 'approval_turn'].includes(name) && !further.includes('tis_inspection');
    writeFileSync(join(schemasDir, file), noInspections ? text.replaceAll('tis_inspection', 'employee') : text);
    wanted.push(...[...text.matchAll(/"(?:x-ref|in|to)": "(\w+)/g)].map((match) => match[1]!));
  }
}

/**
 * These descriptors with types of the test, in a directory of their own. Take it away in `afterAll`.
 * @param further descriptors that the test uses as well
 */
export function schemasWith(
  types: Readonly<Record<string, object>>,
  further: readonly string[] = [],
): { schemasDir: string; remove(): void } {
  const root = mkdtempSync(join(tmpdir(), 'mainstay-types-'));
  const schemasDir = join(root, 'schemas');
  copySchemas(schemasDir, further);
  for (const [name, descriptor] of Object.entries(types))
    writeFileSync(join(schemasDir, 'organisation', `${name}.json`), JSON.stringify(descriptor));
  return { schemasDir, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/**
 * A directory of this run with the engine's descriptors and these, which no test changes. Whoever asks first makes it.
 * @param further descriptors that the tests use as well
 */
export function engineSchemas(further: readonly string[]): string {
  const schemasDir = join(inject('scratchDir'), ['engine', ...further].join('-'));
  if (existsSync(schemasDir)) return schemasDir;
  const making = mkdtempSync(`${schemasDir}-`);
  copySchemas(making, further);
  // Another worker may have made it meanwhile: then that one stays.
  if (existsSync(schemasDir)) rmSync(making, { recursive: true });
  else renameSync(making, schemasDir);
  return schemasDir;
}
