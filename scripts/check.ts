/** `npm run check`: types, lint, import rules and descriptors, without tests: what to run before a commit. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const steps = [
  ['node_modules/typescript/bin/tsc', '-p', '.'],
  ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings'],
  ['scripts/import_rules.ts'],
  ['scripts/schema_check.ts'],
];
let failed = 0;
for (const [script, ...args] of steps) {
  const { status } = spawnSync(process.execPath, [join(root, script!), ...args], { cwd: root, stdio: 'inherit' });
  if (status !== 0) failed++;
}
process.exit(failed === 0 ? 0 : 1);
