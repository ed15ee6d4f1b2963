import type { Screen } from '../../../descriptor/types.ts';

type Json = Record<string, unknown>;

const stripped = new WeakMap<Screen, Screen>();
const names = new WeakMap<Screen, ReadonlySet<string> | null>();

/**
 * The screen as sent to browsers: without fields that no page shows (`x-hidden`); hidden fields that transitions ask
 * for are listed separately.
 */
export function shownScreen(screen: Screen): Screen {
  const known = stripped.get(screen);
  if (known) return known;
  // The dialog of a transition has the fields that it asks for, which no page shows.
  const asked = new Set(screen.workflow?.transitions.flatMap(({ ask }) => ask.map(({ field }) => field)));
  const hidden = new Set(
    screen.fields.flatMap(({ name, hidden: is }) => (is === 'always' || (is && !asked.has(name)) ? [name] : [])),
  );
  // The statement of a view stays on the server.
  const { sql: _statement, ...open } = screen;
  let shown: Screen = screen.sql === undefined ? screen : open;
  if (hidden.size > 0) {
    const properties = Object.entries(screen.schema.properties ?? {}).filter(([name]) => !hidden.has(name));
    const apart = screen.fields.filter(({ name }) => hidden.has(name) && asked.has(name));
    shown = {
      ...shown,
      ...(apart.length > 0 && { asked: apart }),
      fields: screen.fields.filter(({ name }) => !hidden.has(name)),
      schema: {
        ...screen.schema,
        properties: Object.fromEntries(properties),
        ...(screen.schema.required && { required: screen.schema.required.filter((name) => !hidden.has(name)) }),
      },
    };
  }
  stripped.set(screen, shown);
  return shown;
}

/** An answer about records of the screen without hidden fields; the same object if nothing is hidden. */
export function withoutHidden<T>(screen: Screen, answer: T): T {
  let hidden = names.get(screen);
  if (hidden === undefined) {
    const found = screen.fields.flatMap(({ name, hidden: is }) => (is === 'always' ? [name, `${name}__label`] : []));
    hidden = found.length > 0 ? new Set(found) : null;
    names.set(screen, hidden);
  }
  return hidden === null ? answer : (without(answer, hidden) as T);
}

function without(value: unknown, hidden: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((one) => without(one, hidden));
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value as Json).flatMap(([name, inner]) =>
      hidden.has(name) ? [] : [[name, without(inner, hidden)]],
    ),
  );
}
