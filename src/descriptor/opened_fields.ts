import type { Screen } from './types.ts';
import { noteUnseen, unseenOf } from './unseen.ts';

const opened = new WeakMap<Screen, Map<string, Screen>>();
const made = new WeakSet<Screen>();

/** Whether a screen is used by the product itself: restrictions on people in the states of a record do not apply. */
export function isOpened(screen: Screen): boolean {
  return made.has(screen);
}

/**
 * The screen as used by the product itself: read-only fields, such as a state, are writable; `rows.column` opens a
 * column of rows. One object for each screen and choice of fields, because it is a cache key.
 */
export function openedFields(screen: Screen, names: readonly string[]): Screen {
  const key = names.join(' ');
  const known = opened.get(screen) ?? new Map<string, Screen>();
  opened.set(screen, known);
  const one = known.get(key) ?? {
    ...screen,
    fields: screen.fields.map((field) => {
      const columns = names.filter((name) => name.startsWith(`${field.name}.`)).map((name) => name.split('.')[1]);
      const open = names.includes(field.name) || columns.length > 0 ? { ...field, readOnly: false } : field;
      return columns.length > 0 && field.rows
        ? { ...open, rows: field.rows.map((one) => (columns.includes(one.name) ? { ...one, readOnly: false } : one)) }
        : open;
    }),
  };
  known.set(key, one);
  made.add(one);
  noteUnseen(one, unseenOf(screen));
  return one;
}

/** The fields opened by a change, and the columns of its rows, whether given as a list or as a partial change. */
export function namesOfChange(input: Readonly<Record<string, unknown>>): string[] {
  const isRow = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object';
  return Object.entries(input).flatMap(([name, value]) => {
    const { add = [], set = {} } =
      isRow(value) && !Array.isArray(value) ? (value as { add?: unknown; set?: unknown }) : {};
    const rows = Array.isArray(value)
      ? value
      : [...(Array.isArray(add) ? add : []), ...Object.values(isRow(set) ? set : {})];
    const columns = new Set(rows.filter(isRow).flatMap((row) => Object.keys(row)));
    return [name, ...[...columns].map((column) => `${name}.${column}`)];
  });
}

const unnumbered = new WeakMap<Screen, Screen>();

/** The screen with which a revision is added: fields opened as above, and its number as given. */
export function revisionScreen(screen: Screen, names: readonly string[]): Screen {
  let plain = unnumbered.get(screen);
  if (!plain) {
    const { number: _number, ...rest } = screen;
    plain = rest;
    unnumbered.set(screen, plain);
    noteUnseen(plain, unseenOf(screen));
  }
  return openedFields(plain, names);
}
