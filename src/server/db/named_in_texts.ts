import { expressionUnder, filterUnder, renamedFrom, sortUnder } from '../../descriptor/renamed_paths.ts';
import type { Renamed } from '../../descriptor/renamed_paths.ts';
import type { Screen } from '../../descriptor/types.ts';
import type { Queryable } from './database.ts';
import { quoted } from './names.ts';

/**
 * Renames a field in texts written by people: messages of rules, addresses of quick links, conditions of approvals,
 * patterns of numbers. `old` and `name` are `field`, or `rows_field.column`.
 */
export async function renameInTexts(
  on: Queryable,
  schema: string,
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
  old: string,
  name: string,
): Promise<void> {
  const at = (table: string): string => `${quoted(schema)}.${quoted(table)}`;
  /** A table is created on first use, and a column by the version that introduced it. */
  const isThere = async (table: string, column: string): Promise<boolean> => {
    const found = await on.query(
      'select 1 from pg_attribute where attrelid = to_regclass($1) and attname = $2 and not attisdropped',
      [at(table), column],
    );
    return found.length > 0;
  };
  /** Rewrites a text column; unchanged values are not written. */
  const rewrite = async (
    table: string,
    column: string,
    where: string,
    values: unknown[],
    under: (text: string) => string,
  ): Promise<void> => {
    if (!(await isThere(table, column))) return;
    for (const row of await on.query<{ id: number; text: string }>(
      `select id, ${column} as text from ${at(table)} where ${column} is not null and (${where})`,
      values,
    )) {
      const text = under(row.text);
      if (text !== row.text) await on.query(`update ${at(table)} set ${column} = $2 where id = $1`, [row.id, text]);
    }
  };

  for (const { module = screen.name, event, date } of screen.due ?? []) {
    // The placeholders of a message are the record's fields, or the columns of the rows with due dates.
    const [rows, ofRows] = date.split('.');
    const word = (path: string): string => (ofRows !== undefined ? path.replace(`${rows}.`, '') : path);
    for (const column of ['subject', 'body'])
      await rewrite('esclation', column, 'module = $1 and event = $2', [module, event], (text) =>
        wordsUnder(text, renamedFrom(word(old), word(name))),
      );
  }

  await rewrite('quick_link', 'url', `starts_with(url, '/')`, [], (url) =>
    addressUnder(url, screen.routes.landing, renamedFrom(old, name)),
  );

  // Documents of other types may refer to the field through a reference.
  const ways = [
    { type: screen.name, renamed: renamedFrom(old, name) },
    ...[...screens.values()].flatMap((other) =>
      other.fields
        .filter(({ ref }) => ref?.type === screen.name)
        .map((field) => ({ type: other.name, renamed: renamedFrom(`${field.name}.${old}`, `${field.name}.${name}`) })),
    ),
  ];
  for (const { type, renamed } of ways) {
    await rewrite('approval_process', 'condition', 'transaction_type = $1', [type], (text) =>
      expressionUnder(text, renamed),
    );
    await rewrite('number_series', 'pattern', 'record_type = $1', [type], (text) =>
      text.replace(/\{([a-z_][\w.]*)\}/g, (_, path: string) => `{${renamed(path)}}`),
    );
  }
  const changeable = `set may_change = array_replace(may_change, $2, $3) where $2 = any(may_change)`;
  if (await isThere('approval_process__levels', 'may_change'))
    await on.query(
      `update ${at('approval_process__levels')} ${changeable} and parent_id in (select id from ${at('approval_process')} where transaction_type = $1)`,
      [screen.name, old, name],
    );
  if (await isThere('approval_request', 'may_change'))
    await on.query(`update ${at('approval_request')} ${changeable} and transaction_type = $1`, [
      screen.name,
      old,
      name,
    ]);
}

/** `{{words}}` of a message with renamed fields. */
function wordsUnder(text: string, renamed: Renamed): string {
  return text.replace(/\{\{(\s*)(\w+)(\s*)\}\}/g, (_, before: string, word: string, after: string) =>
    ['{{', before, renamed(word), after, '}}'].join(''),
  );
}

/** The address of a list with renamed fields in filter and order; other addresses are unchanged. */
function addressUnder(url: string, landing: string, renamed: Renamed): string {
  const [path = '', ...rest] = url.split('?');
  if (rest.length === 0 || (path !== landing && !path.startsWith(`${landing}/`))) return url;
  const query = new URLSearchParams(rest.join('?'));
  const before = query.toString();
  const sort = query.get('sort');
  if (sort !== null)
    query.set(
      'sort',
      sort
        .split(',')
        .map((part) => sortUnder(part, renamed))
        .join(','),
    );
  const filter = query.get('filter');
  if (filter !== null)
    try {
      const read: unknown = JSON.parse(filter);
      if (Array.isArray(read)) query.set('filter', JSON.stringify(filterUnder(read, renamed)));
    } catch {
      // An unreadable filter was never valid.
    }
  return query.toString() === before ? url : `${path}?${query}`;
}
