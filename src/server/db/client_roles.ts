import { createHash } from 'node:crypto';
import type { Queryable } from './database.ts';
import { keepAppendOnlySql } from './create_script.ts';
import { quoted } from './names.ts';

/** PostgreSQL cuts longer names. */
const LONGEST = 63;

/** A role for connections; a new object after each check, and then set again. */
export interface ClientRole {
  name: string;
}

interface Owner {
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  query: Queryable['query'];
}

interface Known {
  making: Promise<ClientRole | null>;
  /** Once it is created; null = the database does not allow it. */
  role?: ClientRole | null;
}

let known = new WeakMap<Owner, Map<string, Known>>();

/**
 * A client was dropped, archived or restored, here or in another process: its role is checked again before it is used.
 */
export function forgetClientRoles(): void {
  known = new WeakMap();
}

/** Name of the role of a schema; roles belong to the server, so the database is part of the name. */
async function roleName(on: Queryable, schema: string): Promise<string> {
  const { database } = (await on.query<{ database: string }>('select current_database() as database'))[0]!;
  const name = `${database}.${schema}`;
  return Buffer.byteLength(name) <= LONGEST
    ? name
    : `${createHash('sha256').update(database).digest('hex').slice(0, 12)}.${schema}`;
}

/**
 * The database role of a client, created if it does not exist: it has rights only on the client's schema, so that a
 * statement which names another schema by mistake fails instead of exposing another client's rows (platform.md §3.1).
 * Null if the database user may not create roles.
 */
export function clientRole(owner: Owner, schema: string): ClientRole | null | Promise<ClientRole | null> {
  let roles = known.get(owner);
  if (!roles) known.set(owner, (roles = new Map()));
  const before = roles.get(schema);
  if (before) return before.role === undefined ? before.making : before.role;
  const made: Known = { making: ensureRole(owner, schema) };
  roles.set(schema, made);
  made.making.then(
    (role) => (made.role = role),
    () => roles.delete(schema),
  );
  return made.making;
}

/** The cached state of this role is no longer valid. */
export function forgetClientRole(owner: Owner, schema: string): void {
  known.get(owner)?.delete(schema);
}

interface RoleState {
  /** Whether the user may create roles. */
  may: boolean;
  super: boolean;
  there: boolean;
  /** The role exists with its rights, including on future tables. */
  complete: boolean;
}

async function stateOf(on: Queryable, schema: string, name: string): Promise<RoleState | undefined> {
  const [state] = await on.query<RoleState>(
    `select u.rolsuper as super, u.rolsuper or u.rolcreaterole as may, r.oid is not null as there,
       r.oid is not null and has_schema_privilege(r.oid, n.oid, 'usage') and (u.rolsuper or pg_has_role(u.oid, r.oid, 'member'))
         and exists (select 1 from pg_default_acl d, aclexplode(d.defaclacl) a where d.defaclnamespace = n.oid and d.defaclrole = u.oid and d.defaclobjtype = 'r' and a.grantee = r.oid) as complete
     from pg_roles u left join pg_namespace n on n.nspname = $1 left join pg_roles r on r.rolname = $2 where u.rolname = current_user`,
    [schema, name],
  );
  return state;
}

async function ensureRole(owner: Owner, schema: string): Promise<ClientRole | null> {
  const name = await roleName(owner, schema);
  const state = await stateOf(owner, schema, name);
  if (!state?.may) return null;
  if (state.complete) return { name };
  await owner.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`mainstay:role ${name}`]);
    const now = await stateOf(tx, schema, name);
    if (!now || now.complete) return;
    const [r, s] = [quoted(name), quoted(schema)];
    await tx.query(
      [
        ...(now.there ? [] : [`create role ${r} nologin`]),
        // A user without superuser rights can only use roles granted to it.
        ...(now.super ? [] : [`grant ${r} to current_user`]),
        `grant usage on schema ${s} to ${r}`,
        `grant select, insert, update, delete, truncate on all tables in schema ${s} to ${r}`,
        `grant usage, select, update on all sequences in schema ${s} to ${r}`,
        `alter default privileges in schema ${s} grant select, insert, update, delete, truncate on tables to ${r}`,
        `alter default privileges in schema ${s} grant usage, select, update on sequences to ${r}`,
      ].join('; '),
    );
    await tx.query(keepAppendOnlySql(schema));
  });
  return { name };
}

/** Drops the role of a dropped schema. */
export async function dropClientRole(owner: Owner, schema: string): Promise<void> {
  const name = await roleName(owner, schema);
  forgetClientRole(owner, schema);
  if ((await stateOf(owner, schema, name))?.may) await owner.query(`drop role if exists ${quoted(name)}`);
}
