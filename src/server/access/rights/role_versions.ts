import type { Queryable } from '../../db/database.ts';
import { quoted } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Snapshot } from './role_rights.ts';

/** The grants of a role in one of its versions; null = unknown version. */
export async function versionOf(
  { db, schema }: Pick<Tenant, 'db' | 'schema'>,
  roleId: number,
  version: number,
): Promise<Snapshot | null> {
  const [row] = await db.query<{ snapshot: Snapshot }>(
    `select snapshot from ${quoted(schema)}.role_version where role_id = $1 and version_no = $2`,
    [roleId, version],
  );
  return row?.snapshot ?? null;
}

/** The versions of a role, the newest first. */
export function roleVersions({ db, schema }: Pick<Tenant, 'db' | 'schema'>, roleId: number): Promise<object[]> {
  const s = quoted(schema);
  return db.query(
    `select v.version_no, v.at, v.note, u.name as by, jsonb_array_length(v.snapshot->'screens') as screens from ${s}.role_version v left join ${s}.users u on u.id = v.by where v.role_id = $1 order by v.version_no desc limit 100`,
    [roleId],
  );
}

/** Whether a role has this name, ignoring case. */
export async function roleNamed(on: Queryable, schema: string, name: string): Promise<boolean> {
  const [taken] = await on.query(`select 1 from ${quoted(schema)}.role where lower(role_name) = lower($1)`, [name]);
  return taken !== undefined;
}
