import { basename, join } from 'node:path';
import type { Problem, Screen } from '../../../descriptor/types.ts';
import { reasonOf } from '../../db/apply.ts';
import type { Queryable } from '../../db/database.ts';
import type { Directory } from '../../db/directory.ts';
import { foreseeRefusals } from '../../db/foresee.ts';
import type { Migration } from '../../db/tenants.ts';
import { migrateTenants } from '../../db/tenants.ts';

/** The screens that were last in force, in any process; null = none were stored yet. */
export async function readInForce(main: Queryable): Promise<Map<string, Screen> | null> {
  const rows = await main.query<{ name: string; screen: Screen }>(
    'select name, screen from public.screen_in_force order by name',
  );
  return rows.length === 0 ? null : new Map(rows.map(({ name, screen }) => [name, screen]));
}

/** Stores the screens in force for the next start: a file refused then continues in this version. */
async function keepInForce(main: Queryable, screens: ReadonlyMap<string, Screen>): Promise<void> {
  const kept = await main.query<{ name: string; hash: string }>('select name, hash from public.screen_in_force');
  const hashes = new Map(kept.map(({ name, hash }) => [name, hash]));
  const changed = [...screens.values()].filter(({ name, hash }) => hashes.get(name) !== hash);
  const gone = [...hashes.keys()].filter((name) => !screens.has(name));
  if (gone.length > 0) await main.query('delete from public.screen_in_force where name = any($1)', [gone]);
  if (changed.length > 0)
    await main.query(
      `insert into public.screen_in_force (name, hash, screen) select * from unnest($1::text[], $2::text[], $3::json[])
       on conflict (name) do update set hash = excluded.hash, screen = excluded.screen`,
      [
        changed.map(({ name }) => name),
        changed.map(({ hash }) => hash),
        changed.map((screen) => JSON.stringify(screen)),
      ],
    );
}

export interface PutInForce {
  directory: Directory;
  schemasDir: string;
  /** What the files say now. */
  loaded: { screens: ReadonlyMap<string, Screen>; problems: readonly Problem[] };
  /** The screens in force so far; null = unknown, so the files apply as they are. */
  before: ReadonlyMap<string, Screen> | null;
  log: (text: string) => void;
}

/**
 * Puts descriptors in force and migrates every client's tables. A change that the stored rows of a client do not allow
 * is not applied: the last accepted version stays in force, for all clients and across restarts, until the change is
 * made on purpose (`npm run schema:plan`).
 */
export async function putInForce({
  directory,
  schemasDir,
  loaded,
  before,
  log,
}: PutInForce): Promise<{ screens: Map<string, Screen>; problems: Problem[] }> {
  const problems = [...loaded.problems];
  const next = new Map(loaded.screens);
  const wrong = new Set(problems.map(({ file }) => basename(file, '.json')));
  // An invalid file keeps its last valid version.
  for (const [name, screen] of before ?? []) if (!next.has(name) && wrong.has(name)) next.set(name, screen);

  const keepAsBefore = (refused: { type: string; problem: Problem }[]): boolean => {
    problems.push(...refused.map(({ problem }) => problem));
    if (before === null) return false;
    for (const { type } of refused) {
      const old = before.get(type);
      if (old) next.set(type, old);
      else next.delete(type);
    }
    return refused.length > 0;
  };
  // All clients are checked before any is changed: a change applies to all clients or to none.
  if (before !== null) keepAsBefore(refusalsOf(await foreseeRefusals(directory, next), schemasDir, next));
  const late = refusalsOf(await migrateTenants(directory, next, { log }), schemasDir, next);
  // Rows were added in the meantime: clients that already have the change are reverted.
  if (keepAsBefore(late)) await migrateTenants(directory, next, { log });
  await keepInForce(directory.main, next);
  return { screens: new Map([...next].sort(([a], [b]) => (a < b ? -1 : 1))), problems };
}

/** Refused table changes as findings on the files that caused them. */
function refusalsOf(
  migrations: readonly Pick<Migration, 'subDomain' | 'refused'>[],
  schemasDir: string,
  screens: ReadonlyMap<string, Screen>,
): { type: string; problem: Problem }[] {
  return migrations.flatMap(({ subDomain, refused }) =>
    refused.map((refusal) => ({
      type: refusal.change.type,
      problem: {
        file: join(schemasDir, screens.get(refusal.change.type)?.folder ?? '', `${refusal.change.type}.json`),
        line: 1,
        path: pathOf(refusal.change.field),
        message: `${sentence(refusal.change.what)}: not done, ${reasonOf(refusal)}.`,
        client: subDomain,
        ...(refusal.command !== null && { hint: refusal.command }),
      },
    })),
  );
}

function pathOf(field: string): string {
  if (field === '') return '$';
  const [name, column] = field.split('.');
  return `$.schema.properties.${name}${column === undefined ? '' : `.items.properties.${column}`}`;
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The problems that people of a client may read: about the rows of other clients, only that some exist. */
export function problemsFor(problems: readonly Problem[], subDomain: string): Problem[] {
  return problems.map((problem) => {
    if (problem.client === undefined || problem.client === subDomain || subDomain === 'admin') return problem;
    const { client: _client, ...rest } = problem;
    return {
      ...rest,
      message: 'Rows of another client do not allow this change. The version accepted last stays in force.',
    };
  });
}
