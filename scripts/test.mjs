// `npm test`: every check there is, on a fresh clone too; ends with "N passed, N failed". Runs on the pinned Node.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { addDriver, build, pinnedNode, root, withLocalBin } from './prepare.mjs';

const started = Date.now();
const reports = mkdtempSync(join(tmpdir(), 'mainstay-test-'));
let passed = 0;
let failed = 0;
/** Failed tests with their messages, printed again at the end of the log. */
const failures = [];
/** Each file of tests with its seconds: the slowest are named at the end, so that the suite stays quick. */
const durations = [];

function say(name, ok, seconds, detail = '') {
  console.log(`\n── ${ok ? 'ok' : 'FAILED'}: ${name} (${seconds} s)${detail}\n`);
}

function run(command, args, env = {}) {
  return spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...withLocalBin(), ...env } }).status === 0;
}

/** Runs beside others: what it prints comes out in one piece when it has ended. */
function runBeside(command, args, env = {}, priority = TEST_PRIORITY) {
  return new Promise((resolve) => {
    const printed = [];
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      // Programs that are started again and again find their modules compiled.
      env: { ...withLocalBin(), NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'), ...env },
    });
    try {
      setPriority(child.pid, priority);
    } catch {
      // Whoever starts the tests at a lower priority may not raise it; a command that is not there has no process.
    }
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => printed.push(chunk));
    const end = (status) => {
      process.stdout.write(Buffer.concat(printed));
      resolve(status === 0);
    };
    child.once('error', (error) => {
      printed.push(Buffer.from(`${error.message}\n`));
      end(1);
    });
    child.once('close', end);
  });
}

/** One check that passes or fails as a whole. */
async function check(name, command, args) {
  const from = Date.now();
  const ok = await runBeside(command, args);
  if (ok) passed++;
  else {
    failed++;
    failures.push(name);
  }
  say(name, ok, Math.round((Date.now() - from) / 1000));
}

/** Vitest projects, or the files of them in `paths`; tests are counted one by one, a run that reports nothing has failed. */
async function tests(name, projects, env = {}, paths = [], priority = TEST_PRIORITY) {
  const from = Date.now();
  const report = join(reports, `${name.replace(/\W+/g, '_')}.json`);
  const ok = await runBeside(
    node,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      ...paths,
      ...projects.flatMap((project) => ['--project', project]),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    env,
    priority,
  );
  const counts = existsSync(report)
    ? JSON.parse(readFileSync(report, 'utf8'))
    : { numPassedTests: 0, numFailedTests: 0, testResults: [] };
  passed += counts.numPassedTests;
  failed += counts.numFailedTests;
  for (const file of counts.testResults) {
    durations.push({ file: file.name.slice(root.length + 1), seconds: (file.endTime - file.startTime) / 1000 });
    if (file.status === 'failed' && file.message) failures.push(`${name}: ${file.name}\n${file.message}`);
    for (const test of file.assertionResults.filter((result) => result.status === 'failed'))
      failures.push(`${name}: ${file.name}\n  ${test.fullName}\n${test.failureMessages.join('\n')}`);
  }
  // A file that does not load, or an error outside a test, fails the run without a failed test.
  if (counts.numFailedTests === 0 && (!ok || counts.numPassedTests === 0)) {
    failed++;
    failures.push(`${name}: ${ok ? 'no test ran' : 'an error outside a test'}`);
  }
  say(
    name,
    ok,
    Math.round((Date.now() - from) / 1000),
    `: ${counts.numPassedTests} passed, ${counts.numFailedTests} failed`,
  );
}

/**
 * Imports, exports and prints yield to the server by running at priority 10. With all cores busy with tests they would
 * get a twentieth of the processor, and each test of a sheet would wait half a minute. Nine leaves them lower still, so
 * that the test of priorities can tell them apart.
 */
const TEST_PRIORITY = 9;

const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
const debian = { DEBIAN_FRONTEND: 'noninteractive' };
let listed = false;

/** Installs packages of Debian where that is possible. */
function apt(what, ...packages) {
  if (!mayInstall) return;
  console.log(`Installing ${what} from Debian’s packages …`);
  if (!listed) run('apt-get', ['update', '-qq'], debian);
  listed = true;
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], debian);
}

/**
 * Finds a Chromium, or installs Debian's where that is possible; and the one without windows, which takes a third of the
 * processor time and lacks only what installed applications need. @returns environment of the browser tests
 */
function chromium() {
  const found = (...places) => places.find((path) => path && existsSync(path));
  const windows = () =>
    found(process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome');
  const bare = '/usr/bin/chromium-headless-shell';
  if (!windows() || (!process.env.CHROMIUM_PATH && !found(bare)))
    apt('Chromium', 'chromium', 'chromium-headless-shell', 'fonts-noto-core');
  const browser = windows();
  if (browser)
    return { CHROMIUM_PATH: browser, CHROMIUM_BARE_PATH: (!process.env.CHROMIUM_PATH && found(bare)) || browser };
  console.error('The browser tests need Chromium: install it (apt-get install chromium) or name it in CHROMIUM_PATH.');
  return null;
}

/** MariaDB, which import jobs are tried with: the server's programs alone, without a service that starts. */
function mariadb() {
  if (
    !['/usr/sbin/mariadbd', '/usr/sbin/mysqld', '/usr/libexec/mariadbd'].some((path) => existsSync(path)) ||
    !existsSync('/usr/bin/openssl')
  )
    apt('MariaDB', 'mariadb-server-core', 'openssl');
}

/** sshd, which import jobs are tried with. Its package would start a service, so only the program is taken out of it. */
function sshd() {
  const places = [process.env.SSHD_PATH, '/usr/sbin/sshd', join(root, 'node_modules/.sshd/usr/sbin/sshd')];
  const there = places.find((path) => path && existsSync(path));
  if (there || !mayInstall) return there;
  apt('what sshd needs', 'libwrap0');
  const fetched = mkdtempSync(join(tmpdir(), 'mainstay-sshd-'));
  spawnSync('apt-get', ['download', '-qq', 'openssh-server'], {
    cwd: fetched,
    stdio: 'inherit',
    env: { ...process.env, ...debian },
  });
  const deb = readdirSync(fetched).find((name) => name.endsWith('.deb'));
  if (deb) run('dpkg', ['-x', join(fetched, deb), join(root, 'node_modules/.sshd')]);
  rmSync(fetched, { recursive: true, force: true });
  return places.find((path) => path && existsSync(path));
}

// Import jobs are tried with every driver there is.
for (const driver of ['sql-server', 'oracle']) addDriver(driver);
const node = pinnedNode();
const browser = chromium();
mariadb();
const sshServer = sshd();
const outside = sshServer ? { SSHD_PATH: sshServer } : {};

/** What is checked without running the product, and the tests of single functions and of the client’s pages. */
async function still() {
  await check('format', node, [join(root, 'node_modules/oxfmt/bin/oxfmt'), '--check', '.']);
  await check('type check', node, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.']);
  await check('lint', node, [join(root, 'node_modules/oxlint/bin/oxlint'), '--type-aware', '--deny-warnings']);
  await check('unused packages, files and exports', node, [
    join(root, 'node_modules/knip/bin/knip.js'),
    '--treat-config-hints-as-errors',
  ]);
  await check('import rules', node, ['scripts/import_rules.ts']);
  await check('what follows from the words of the format', node, ['scripts/words.ts', '--check']);
  await check('descriptors', node, ['scripts/schema_check.ts']);
  await tests('unit tests', ['unit', 'client']);
}

const fifteen = '/usr/lib/postgresql/15/bin';
const hasFifteen = process.env.TEST_DATABASE_URL === undefined && existsSync(join(fifteen, 'postgres'));

/** Tests of what itself touches SQL run on the oldest version that is supported, the others on the embedded one. */
function interfaceFiles() {
  // These are about the embedded server, processes, files and other databases.
  const others = ['embedded', 'killed_server', 'peoples_files', 'priority', 'outside_sources', 'distributed'];
  const touchesSql = (file) =>
    hasFifteen &&
    /^tests\/api\/(db|records|excel|sync|reports)\//.test(file) &&
    !others.some((name) => file.endsWith(`/${name}.test.ts`));
  const files = readdirSync(join(root, 'tests/api'), { recursive: true })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `tests/api/${file.replaceAll('\\', '/')}`);
  return Object.groupBy(files, (file) => (touchesSql(file) ? 'oldest' : 'embedded'));
}

const files = interfaceFiles();

function interfaces() {
  return tests('interface tests, embedded PostgreSQL', ['api', 'api-alone'], outside, files.embedded);
}

async function oldestPostgres() {
  if (hasFifteen)
    await tests(
      'interface tests, PostgreSQL 15',
      ['api', 'api-alone'],
      { ...outside, TEST_POSTGRES_BIN: fifteen },
      files.oldest,
    );
  else console.log('No PostgreSQL 15 server on this machine: the interface tests ran on the embedded one alone.');
}

function browserTests() {
  // People wait for pages, and so do these tests: pages go before what runs beside them.
  if (browser) return tests('browser tests', ['e2e'], browser, [], 0);
  failed++;
  failures.push('browser tests: no Chromium');
}

// Chromium and the database often wait: side by side they keep two cores busy.
build();
// Browser tests beside the unit tests as well were no quicker, and pages of unit tests took three times as long.
const checked = still();
await Promise.all([interfaces(), checked.then(browserTests), checked.then(oldestPostgres)]);

rmSync(reports, { recursive: true, force: true });
if (failures.length > 0) console.log(`What failed:\n\n${failures.join('\n\n')}\n`);
const slowest = durations.sort((a, b) => b.seconds - a.seconds).slice(0, 40);
console.log(`Slowest files:\n${slowest.map(({ file, seconds }) => `${Math.round(seconds)} s  ${file}`).join('\n')}\n`);
console.log(`Took ${Math.round((Date.now() - started) / 1000)} s.`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
