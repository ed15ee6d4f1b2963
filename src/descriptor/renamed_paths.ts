import type { Field, FilterExpression } from './types.ts';

/** The path of a field under its current name; unchanged if it is about another field. */
export type Renamed = (path: string) => string;

/** Paths are `field`, or `rows_field.column`: a path that begins with the old name gets the new one. */
export function renamedFrom(old: string, name: string): Renamed {
  return (path) => (path === old ? name : path.startsWith(`${old}.`) ? `${name}${path.slice(old.length)}` : path);
}

/** Maps former names (`"was"`) of fields and of the columns of their rows to the current ones. */
export function presentNames(fields: readonly Field[]): Renamed {
  const now = new Map(
    fields.flatMap(({ name, was = [], rows = [] }) => [
      ...was.map((old): [string, string] => [old, name]),
      ...rows.flatMap((column) =>
        [name, ...was].flatMap((head) =>
          [column.name, ...(column.was ?? [])].map((old): [string, string] => [
            `${head}.${old}`,
            `${name}.${column.name}`,
          ]),
        ),
      ),
    ]),
  );
  return (path) => now.get(path) ?? path;
}

/** A filter begins with its field, unless it combines other filters. */
export function filterUnder(filter: readonly unknown[], renamed: Renamed): FilterExpression {
  const [first, ...rest] = filter;
  const under =
    (first === 'and' || first === 'or') && (rest.length === 0 || Array.isArray(rest[0]))
      ? [first, ...rest.map((part) => (Array.isArray(part) ? filterUnder(part, renamed) : part))]
      : [typeof first === 'string' ? renamed(first) : first, ...rest];
  return under as FilterExpression;
}

/** One part of an order: the field, after "-" where it is descending. */
export function sortUnder(part: string, renamed: Renamed): string {
  return part.startsWith('-') ? `-${renamed(part.slice(1))}` : renamed(part);
}

const TEXT_OR_NAME = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[A-Za-z_]\w*(?:\s*\.\s*[A-Za-z_]\w*)*(\s*\()?/g;

/** An expression with renamed fields; its texts and function names are unchanged. */
export function expressionUnder(text: string, renamed: Renamed): string {
  return text.replace(TEXT_OR_NAME, (found, call: string | undefined) =>
    /^['"]/.test(found) || call !== undefined ? found : renamed(found.replaceAll(/\s/g, '')),
  );
}
