import { filterUnder, renamedFrom, sortUnder } from '../../descriptor/renamed_paths.ts';
import type { Renamed } from '../../descriptor/renamed_paths.ts';
import type { Screen } from '../../descriptor/types.ts';
import type { Queryable } from './database.ts';
import { announceRights } from './announce.ts';
import { renameInTexts } from './named_in_texts.ts';
import { quoted } from './names.ts';

type Json = Record<string, unknown>;

/**
 * A field was renamed: data of a schema's people that uses the old name is updated. Paths are `field`, or
 * `rows_field.column`.
 */
export async function renameEverywhere(
  on: Queryable,
  schema: string,
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
  old: string,
  name: string,
): Promise<void> {
  const type = screen.name;
  const at = (table: string): string => `${quoted(schema)}.${quoted(table)}`;
  const there = new Set(
    (
      await on.query<{ name: string }>(
        `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = any($2)`,
        [schema, ['saved_view', 'import_columns', 'setting_override', 'field_right', 'file', 'sync_job', 'api_config']],
      )
    ).map((row) => row.name),
  );
  const renamed = renamedFrom(old, name);

  if (there.has('saved_view'))
    for (const { id, state } of await on.query<{ id: number; state: Json }>(
      `select id, state from ${at('saved_view')} where record_type = $1`,
      [type],
    ))
      await keep(on, state, viewUnder(state, renamed), `update ${at('saved_view')} set state = $2 where id = $1`, [id]);

  if (there.has('import_columns'))
    for (const { user, columns } of await on.query<{ user: number; columns: { field: string | null }[] }>(
      `select user_id as "user", columns from ${at('import_columns')} where record_type = $1`,
      [type],
    ))
      await keep(
        on,
        columns,
        columns.map((column) => ({ ...column, field: column.field === null ? null : renamed(column.field) })),
        `update ${at('import_columns')} set columns = $2 where record_type = $3 and user_id = $1`,
        [user],
        [type],
      );

  if (there.has('setting_override'))
    await on.query(
      `update ${at('setting_override')} set values = (values - $2::text) || jsonb_build_object($3::text, values -> $2) where record_type = $1 and values ? $2`,
      [type, old, name],
    );
  if (there.has('field_right')) {
    await on.query(`update ${at('field_right')} set field = $3 where record_type = $1 and field = $2`, [
      type,
      old,
      name,
    ]);
    await announceRights(on, schema);
  }
  if (there.has('file'))
    for (const { path } of await on.query<{ path: string }>(
      `select distinct for_field as path from ${at('file')} where for_field = $1 or starts_with(for_field, $1 || '.')`,
      [`${type}.${old}`],
    ))
      await on.query(`update ${at('file')} set for_field = $2 where for_field = $1`, [
        path,
        `${type}.${renamed(path.slice(type.length + 1))}`,
      ]);

  // Import jobs into this list, and the payload of webhooks about its records.
  if (there.has('sync_job')) {
    const job = `select id from ${at('sync_job')} where target = 'list' and target_type = $1`;
    await on.query(
      `update ${at('sync_job__mapping')} set target_field = $3 where target_field = $2 and parent_id in (${job})`,
      [type, old, name],
    );
    await on.query(
      `update ${at('sync_job')} set natural_key = array_replace(natural_key, $2, $3) where $2 = any(natural_key) and id in (${job})`,
      [type, old, name],
    );
  }
  if (there.has('api_config'))
    await on.query(
      `update ${at('api_config')} set fields = fields || $3::text where $2 = any(fields) and not $3 = any(fields) and exists (select 1 from unnest(events) e where starts_with(e, $1 || '.'))`,
      [type, old, name],
    );
  await renameInTexts(on, schema, screen, screens, old, name);
}

async function keep(
  on: Queryable,
  before: unknown,
  after: unknown,
  update: string,
  [key]: [number],
  more: unknown[] = [],
): Promise<void> {
  const text = JSON.stringify(after);
  if (text !== JSON.stringify(before)) await on.query(update, [key, text, ...more]);
}

/** The content of a saved view with renamed fields: filter, order and columns. */
function viewUnder(state: Json, renamed: Renamed): Json {
  const { filter, sort, columns } = state;
  return {
    ...state,
    ...(Array.isArray(filter) && { filter: filterUnder(filter, renamed) }),
    ...(Array.isArray(sort) && { sort: sort.map((one) => (typeof one === 'string' ? sortUnder(one, renamed) : one)) }),
    ...(Array.isArray(columns) && {
      columns: columns.map((one: unknown) =>
        typeof (one as Json | null)?.field === 'string'
          ? { ...(one as Json), field: renamed((one as { field: string }).field) }
          : one,
      ),
    }),
  };
}
