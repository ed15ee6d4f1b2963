// Runs one of the project's commands on the pinned Node, installing first if need be:
// `node scripts/run.mjs schema_check.ts …`. So every npm script works on a fresh clone.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { install, pinnedNode, root, withLocalBin } from './prepare.mjs';

const [script, ...rest] = process.argv.slice(2);
install();
const { status } = spawnSync(pinnedNode(), [join(root, 'scripts', script), ...rest], {
  stdio: 'inherit',
  env: withLocalBin(),
});
process.exit(status ?? 1);
