import { createHash } from 'node:crypto';
import type { Screen } from '../../descriptor/types.ts';
import type { Statement } from './database.ts';
import { quoted } from './names.ts';

/** Collects the values of a statement while its text is written: `$1`, `$2` … */
export class SqlParams {
  readonly list: unknown[] = [];

  /** Binds a value; the answer stands for it in the text. */
  bind(value: unknown): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }
}

const names = new Map<string, string>();

/** A statement under a name made of its text, so that a connection prepares it once. */
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
/** Of one screen: what people choose of columns is without bounds. */
const MAX_PARTS = 500;

/**
 * A piece of statements that follows from the descriptors and `key` alone, made once: as long as these
 * screens are in force. `key` names the piece and all else it is made of, the schema among it.
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

/** Stands for the schema of whichever client. */
const ANY_CLIENT = '{client}';

/**
 * A piece of statements that names tables of a client, made once for all clients: `make` is given the name that stands
 * for the schema. Made for each, a thousand clients would drive one another's out.
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

/** Text for LIKE in which what a person typed stands for itself. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, (sign) => `\\${sign}`);
}
