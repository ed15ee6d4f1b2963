import type { Tenant } from '../../db/tenant.ts';
import { literal, quoted } from '../../db/names.ts';
import { webhookTriggerBody, webhookTriggers } from '../../db/webhook_triggers.ts';

/**
 * Triggers that announce what decides a session, whoever changes it: a form, an import, another
 * process or an administrator's SQL. So no caller can forget to.
 */
const TABLES_OF_RIGHTS = [
  'module_rights',
  'screen_rights',
  'role_action',
  'field_right',
  'users__companies',
  'role',
  'entity',
  'delegation',
];

/** Columns of `users` that a session depends on; the time of the last sign-in is none. */
const USER_COLUMNS = [
  'name',
  'email',
  'employee_id',
  'is_admin',
  'chairman_flag',
  'ceo_flag',
  'secretary_flag',
  'status',
  'active',
  'valid_from',
  'valid_to',
  'products',
  'ip_allow',
];

function script(tenant: Tenant, tables: Set<string>): string {
  const schema = quoted(tenant.schema);
  const tell = (message: string) => `perform pg_notify('mainstay', ${message});`;
  const statements = [
    `create or replace function ${schema}.announce_rights() returns trigger language plpgsql as $body$ begin
       update ${schema}.rights_version set version = version + 1;
       ${tell(literal(JSON.stringify({ kind: 'rights', schema: tenant.schema })))} return null; end $body$`,
    `create or replace function ${schema}.announce_session() returns trigger language plpgsql as $body$ begin
       ${tell(`json_build_object('kind', 'session', 'schema', ${literal(tenant.schema)}, 'sid', old.sid)::text`)} return null; end $body$`,
    `create or replace trigger announce_session after update of revoked_at, expires_at, min_iat, entity_id, scope or delete on ${schema}.session
       for each row execute function ${schema}.announce_session()`,
  ];
  for (const table of TABLES_OF_RIGHTS.filter((name) => tables.has(name))) {
    statements.push(`create or replace trigger announce_rights after insert or update or delete on ${schema}.${quoted(table)}
       for each statement execute function ${schema}.announce_rights()`);
  }
  if (tables.has('users')) {
    statements.push(
      `create or replace trigger announce_rights after update of ${USER_COLUMNS.map(quoted).join(', ')} or delete on ${schema}.users
         for each statement execute function ${schema}.announce_rights()`,
    );
  }
  if (tables.has('history')) statements.push(...webhookTriggers(tenant.schema));
  return statements.join(';\n');
}

/** The platform's own sessions and clients. */
function platformScript(): string {
  const announce = (name: string, message: string) =>
    `create or replace function public.${name}() returns trigger language plpgsql as $body$ begin perform pg_notify('mainstay', ${message}); return null; end $body$`;
  const statements = [
    announce('announce_client', literal(JSON.stringify({ kind: 'client' }))),
    announce('announce_rights', literal(JSON.stringify({ kind: 'rights', schema: 'public' }))),
    announce('announce_session', `json_build_object('kind', 'session', 'schema', 'public', 'sid', old.sid)::text`),
    `create or replace trigger announce_session after update of revoked_at, expires_at, min_iat, scope or delete on public.session
       for each row execute function public.announce_session()`,
  ];
  for (const table of ['client', 'client_domain'])
    statements.push(
      `create or replace trigger announce_client after insert or update or delete on public.${table} for each statement execute function public.announce_client()`,
    );
  for (const table of ['common_user', 'common_right', 'user_type'])
    statements.push(
      `create or replace trigger announce_rights after insert or update or delete on public.${table} for each statement execute function public.announce_rights()`,
    );
  return statements.join(';\n');
}

/** Puts the triggers on a tenant's tables that do not have them yet, or not of all columns that count by now, or not as they are by now; cheap when all have. */
export async function installChangeTriggers(tenant: Tenant): Promise<void> {
  const rows = await tenant.db.query<{ table: string; has: boolean }>({
    name: 'announced_tables',
    text: `select c.relname as table, exists (select 1 from pg_trigger t where t.tgrelid = c.oid and t.tgname like 'announce%' and (c.relname <> 'users' or cardinality(t.tgattr::int2[]) = $3)
             and (c.relname <> 'history' or exists (select 1 from pg_proc p where p.oid = t.tgfoid and p.prosrc = $4))) as has
           from pg_class c where c.relnamespace = to_regnamespace($1) and c.relkind = 'r' and c.relname = any($2)`,
    values: [
      quoted(tenant.schema),
      ['session', 'users', 'client', ...(tenant.schema === 'public' ? [] : ['history']), ...TABLES_OF_RIGHTS],
      USER_COLUMNS.length,
      webhookTriggerBody(tenant.schema),
    ],
  });
  if (rows.every(({ has }) => has)) return;
  await tenant.db.owner.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock(hashtext($1))', [`triggers ${tenant.schema}`]);
    await tx.query(
      tenant.schema === 'public' ? platformScript() : script(tenant, new Set(rows.map(({ table }) => table))),
    );
  });
}
