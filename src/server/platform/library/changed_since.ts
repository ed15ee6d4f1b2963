import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Database } from '../../db/database.ts';
import { quoted, tableName } from '../../db/names.ts';

/**
 * The library fields changed after a client copied the row, according to both histories; by row id. `taken`: library
 * rows with the client's record of each.
 */
export async function changedSince(
  main: Database,
  { tenant }: Session,
  { screen, library }: { screen: Screen; library: Screen },
  taken: { id: number; own: number }[],
): Promise<Map<number, Set<string>>> {
  const changed = new Map<number, Set<string>>();
  if (taken.length === 0) return changed;
  const [changes, times] = await Promise.all([
    main.query<{ id: number; at: number; fields: string[] }>(
      `select record_id as id, extract(epoch from at)::float8 as at, array(select jsonb_object_keys(change)) as fields from public.history
       where record_type = $1 and op = 'U' and record_id = any($2) and jsonb_typeof(change) = 'object'`,
      [library.name, taken.map(({ id }) => id)],
    ),
    // Records that came in another way, such as demo data, count as copied when they were created.
    tenant.db.query<{ id: number; at: number }>(
      `select t.id, extract(epoch from coalesce((select max(h.at) from ${quoted(tenant.schema)}.history h where h.record_type = $1 and h.record_id = t.id and h.what = 'library'), t.created_at))::float8 as at
       from ${tableName(tenant.schema, screen.name)} t where t.id = any($2)`,
      [screen.name, taken.map(({ own }) => own)],
    ),
  ]);
  const takenAt = new Map(times.map(({ id, at }) => [id, at]));
  const ownOf = new Map(taken.map(({ id, own }) => [id, own]));
  for (const { id, at, fields } of changes) {
    if (at <= (takenAt.get(ownOf.get(id)!) ?? Infinity)) continue;
    const names = changed.get(id) ?? new Set();
    for (const name of fields) names.add(name);
    changed.set(id, names);
  }
  return changed;
}
