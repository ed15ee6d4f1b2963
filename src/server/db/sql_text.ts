import { createHash } from 'node:crypto';
import type { Screen } from '../../descriptor/types.ts';
import type { Statement } from './database.ts';
import { quoted } from './names.ts';

/** Collects the parameters of a statement while its text is built: `$1`, `$2` … */
export class SqlParams {
  readonly list: unknown[] = [];

  /** Adds a parameter; returns its placeholder. */
  bind(value: unknown): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }
}

const names = new Map<string, string>();

/** A statement with a name derived from its text, so that a connection prepares it once. */
export function preparedStatement(text: string, values: unknown[]): Statement {
  let name = names.get(text);
  if (name === undefined) {
    if (names.size > 5_000) names.clear();
    name = createHash('sha1').update(text).digest('hex').slice(0, 16);
    names.set(text, name);
  }
  return { text, values, name };
}

const parts = new WeakMap<ReadonlyMap<string, Screen>, WeakMap<Screen, Map<string, unknown>>>();
/** The maximum number per screen, because people's column choices are unbounded. */
const MAX_PARTS = 500;

/**
 * A part of statements that depends only on the descriptors and `key`, built once and cached as long as these screens
 * are in force. `key` names the part and everything else it depends on, including the schema.
 */
export function memoPerScreen<T>(screens: ReadonlyMap<string, Screen>, screen: Screen, key: string, make: () => T): T {
  let ofScreens = parts.get(screens);
  if (!ofScreens) parts.set(screens, (ofScreens = new WeakMap()));
  let known = ofScreens.get(screen);
  if (!known) ofScreens.set(screen, (known = new Map()));
  let part = known.get(key) as T | undefined;
  if (part === undefined) {
    if (known.size >= MAX_PARTS) known.clear();
    known.set(key, (part = make()));
  }
  return part;
}

/** Placeholder for the schema of a client. */
const ANY_CLIENT = '{client}';

/**
 * A part of statements with tables of a client, built once for all clients: `make` receives the placeholder for the
 * schema. Built per client, a thousand clients would evict each other's from the cache.
 */
export function memoForAllClients(
  screens: ReadonlyMap<string, Screen>,
  screen: Screen,
  schema: string,
  key: string,
  make: (schema: string) => string,
): string {
  if (schema === 'public') return memoPerScreen(screens, screen, `platform ${key}`, () => make(schema));
  return memoPerScreen(screens, screen, `client ${key}`, () => make(ANY_CLIENT)).replaceAll(
    quoted(ANY_CLIENT),
    quoted(schema),
  );
}

/** Escapes a typed text for LIKE. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, (sign) => `\\${sign}`);
}

/**
 * In a statement: the commit of its transaction does not wait for the disk. For work that is found and done again after a
 * crash of the database.
 */
export const UNSYNCED = `set_config('synchronous_commit', 'off', true)`;
