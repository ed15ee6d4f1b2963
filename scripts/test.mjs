// `npm test`: every check there is, on a fresh clone too; ends with "N passed, N failed".
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, install, pinnedNode, root, withLocalBin } from './prepare.mjs';

const started = Date.now();
const reports = mkdtempSync(join(tmpdir(), 'mainstay-test-'));
let passed = 0;
let failed = 0;

function say(name, ok, seconds, detail = '') {
  console.log(`\n── ${ok ? 'ok' : 'FAILED'}: ${name} (${seconds} s)${detail}\n`);
}

function run(command, args, env = {}) {
  return spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...withLocalBin(), ...env } }).status === 0;
}

/** One check that passes or fails as a whole. */
function check(name, command, args) {
  const from = Date.now();
  const ok = run(command, args);
  if (ok) passed++;
  else failed++;
  say(name, ok, Math.round((Date.now() - from) / 1000));
}

/** One vitest project; its tests are counted one by one, and a run that reports nothing is a failure. */
function tests(name, projects, env = {}) {
  const from = Date.now();
  const report = join(reports, `${name.replace(/\W+/g, '_')}.json`);
  const ok = run(
    node,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      ...projects.flatMap((project) => ['--project', project]),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    env,
  );
  const counts = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : { numPassedTests: 0, numFailedTests: 0 };
  passed += counts.numPassedTests;
  failed += counts.numFailedTests;
  // A file that does not load, or an error outside a test, fails the run without a failed test.
  if (!ok && counts.numFailedTests === 0) failed++;
  if (ok && counts.numPassedTests === 0) failed++;
  say(name, ok, Math.round((Date.now() - from) / 1000), `: ${counts.numPassedTests} passed, ${counts.numFailedTests} failed`);
}

/** Finds a Chromium, or installs Debian's where that is possible. */
function chromium() {
  const places = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  const found = places.find((path) => path && existsSync(path));
  if (found) return found;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium from Debian’s packages …');
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    run('apt-get', ['update', '-qq'], env);
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-noto-core'], env);
    if (existsSync('/usr/bin/chromium')) return '/usr/bin/chromium';
  }
  console.error('The browser tests need Chromium: install it (apt-get install chromium) or name it in CHROMIUM_PATH.');
  return null;
}

install();
const node = pinnedNode();
check('type check', node, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.']);
check('lint', node, [join(root, 'node_modules/oxlint/bin/oxlint'), '--type-aware', '--deny-warnings']);
check('import rules', node, ['scripts/import_rules.ts']);
check('descriptors', node, ['scripts/schema_check.ts']);
build();
tests('unit tests', ['unit', 'client']);
tests('interface tests, embedded PostgreSQL', ['api']);
if (process.env.TEST_DATABASE_URL === undefined) {
  const debian = '/usr/lib/postgresql/15/bin/postgres';
  if (existsSync(debian)) tests('interface tests, PostgreSQL 15', ['api'], { TEST_POSTGRES_BIN: '/usr/lib/postgresql/15/bin' });
  else console.log('No PostgreSQL 15 server on this machine: the interface tests ran on the embedded one alone.');
}
const browser = chromium();
if (browser) tests('browser tests', ['e2e'], { CHROMIUM_PATH: browser });
else failed++;

rmSync(reports, { recursive: true, force: true });
console.log(`Took ${Math.round((Date.now() - started) / 1000)} s.`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
