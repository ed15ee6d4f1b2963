// What every command needs first, written for whatever Node the machine has (20 or later):
// packages installed as locked, the pinned Node found, the client built when its sources changed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const inRoot = (...parts) => join(root, ...parts);

/** Runs a command in the project, its output shown; ends this process when it fails. */
function run(command, args, what, env = {}, cwd = root) {
  const { status, error } = spawnSync(command, args, {
    cwd,
    stdio: 'inherit',
    env: { ...withLocalBin(), ...env },
  });
  if (status === 0) return;
  console.error(`\n${what} failed${error ? `: ${error.message}` : ''}.`);
  process.exit(status ?? 1);
}

/** The environment in which `node`, `vite` and the rest are the project's own. */
export function withLocalBin() {
  const separator = process.platform === 'win32' ? ';' : ':';
  return { ...process.env, PATH: `${inRoot('node_modules', '.bin')}${separator}${process.env.PATH ?? ''}` };
}

function npm(args, what, cwd) {
  const cli = process.env.npm_execpath;
  if (cli?.endsWith('.js')) run(process.execPath, [cli, ...args], what, {}, cwd);
  else run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, what, {}, cwd);
}

/** Installs the locked packages of a folder unless what is installed came from this very lock file. */
function installLocked(folder, args, what) {
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  const mark = join(folder, 'node_modules', '.mainstay-lock');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lock) return;
  console.log(`${what} (once) …`);
  npm(['ci', ...args, '--loglevel=error', '--no-audit', '--no-fund'], what, folder);
  writeFileSync(mark, lock);
}

/** Installs the product's packages; drivers that were added follow their own lock files. */
export function install() {
  // The pinned Node is one of these packages, so this one step runs on the machine's Node;
  // engine warnings of packages that will run on the pinned one would only worry.
  installLocked(root, [], 'Installing packages');
  for (const name of readdirSync(inRoot('drivers')))
    if (existsSync(inRoot('drivers', name, 'node_modules'))) addDriver(name);
}

/** Installs a driver of `drivers/`; none of their packages has anything to build. */
export function addDriver(name) {
  installLocked(inRoot('drivers', name), ['--ignore-scripts'], `Installing the driver ${name}`);
}

/** Path of the pinned Node 24, from its platform package, or this process's own if it is new enough. */
export function pinnedNode() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const binary = process.platform === 'win32' ? 'node.exe' : 'node';
  const path = inRoot('node_modules', `node-${platform}-${process.arch}`, 'bin', binary);
  if (existsSync(path)) return path;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 24 || (major === 24 && minor >= 15)) return process.execPath;
  console.error(
    `Node ${process.versions.node} is too old and no packaged Node exists for ${platform}-${process.arch}. Install Node 24.15 or later and start again.`,
  );
  process.exit(1);
}

function* sources(path) {
  if (!existsSync(path)) return;
  if (statSync(path).isFile()) yield path;
  else for (const name of readdirSync(path).sort()) yield* sources(join(path, name));
}

/** Builds the client into dist/client when any of its sources differs from what was built last. */
export function build() {
  const hash = createHash('sha256');
  for (const part of [
    'src/client',
    'src/descriptor',
    'src/domain',
    'public',
    'index.html',
    'public.html',
    'vite.config.ts',
    'package-lock.json',
  ])
    for (const file of sources(inRoot(part))) hash.update(file.slice(root.length)).update(readFileSync(file));
  const stamp = hash.digest('hex');
  const mark = inRoot('dist', '.built-from');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === stamp) return;
  console.log('Building the client …');
  run(
    pinnedNode(),
    [inRoot('node_modules', 'vite', 'bin', 'vite.js'), 'build', '--logLevel', 'warn'],
    'Building the client',
    {
      // A test runner's NODE_ENV would build React's development half.
      NODE_ENV: 'production',
    },
  );
  mkdirSync(inRoot('dist'), { recursive: true });
  writeFileSync(mark, stamp);
}
