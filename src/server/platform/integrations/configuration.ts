import type { Tenant } from '../../db/tenant.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted } from '../../db/names.ts';

type Row = Record<string, unknown>;

/** Never in the history. */
const SECRETS = new Set(['key_hash', 'old_key_hash', 'secret', 'old_secret']);

/** Automatic changes of an API configuration; those visible to people are in its history. */
export async function changeConfiguration(
  on: Queryable,
  { schema }: Pick<Tenant, 'schema'>,
  id: number,
  set: Row,
  by: { userId: number | null; what: string },
): Promise<void> {
  const names = Object.keys(set);
  const table = `${quoted(schema)}.api_config`;
  const rows = await on.query<{ version: number; old: Row }>(
    `with old as (select * from ${table} where id = $1 for update)
     update ${table} c set ${names.map((name, at) => `${quoted(name)} = $${at + 3}`).join(', ')}, version = c.version + 1, updated_at = now(), updated_by = coalesce($2, c.updated_by)
     from old where c.id = old.id returning c.version, to_jsonb(old) as old`,
    [id, by.userId, ...names.map((name) => set[name])],
  );
  const [row] = rows;
  if (!row) return;
  const change = Object.fromEntries(
    names.map((name) => [name, SECRETS.has(name) ? 'changed' : [row.old[name] ?? null, set[name] ?? null]]),
  );
  await on.query(
    `insert into ${quoted(schema)}.history (record_type, record_id, version, op, by, what, change) values ('api_config', $1, $2, 'U', $3, $4, $5)`,
    [id, row.version, by.userId, by.what, JSON.stringify(change)],
  );
}

/** The people notified when a key or a webhook stops working. */
export async function administrators({ db, schema }: Tenant): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `select id from ${quoted(schema)}.users where is_admin and active and status = 'active' and not coalesce(is_service, false)`,
  );
  return rows.map(({ id }) => id);
}
