/**
 * Loaded before a command (`--import`): kills it as a power cut does, before its step number KILL_AT. A step is a commit
 * of the database, or that a file is renamed or removed.
 */
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import pg from 'pg';

let steps = Number(process.env.KILL_AT);
function step(): void {
  if (--steps < 0) process.kill(process.pid, 'SIGKILL');
}
const { rename, rm } = files;
files.rename = (...given) => {
  step();
  return rename(...given);
};
files.rm = (...given) => {
  step();
  return rm(...given);
};
syncBuiltinESMExports();
const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
  if (given[0] === 'commit') step();
  return query.apply(this, given);
} as never;
