/** `npm run check`: format, types, lint, what nothing uses, import rules, what follows from the words, and descriptors, without tests: what to run before a commit. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const steps = [
  ['node_modules/oxfmt/bin/oxfmt', '--check', '.'],
  ['node_modules/typescript/bin/tsc', '-p', '.'],
  ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings'],
  ['node_modules/knip/bin/knip.js', '--treat-config-hints-as-errors'],
  ['scripts/import_rules.ts'],
  ['scripts/words.ts', '--check'],
  ['scripts/schema_check.ts'],
];
let failed = 0;
for (const [script, ...args] of steps) {
  const { status } = spawnSync(process.execPath, [join(root, script!), ...args], { cwd: root, stdio: 'inherit' });
  if (status !== 0) failed++;
}
process.exit(failed === 0 ? 0 : 1);
