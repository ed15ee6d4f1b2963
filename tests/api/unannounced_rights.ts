import { quoted } from '../../src/server/db/names.ts';
import type { Tenant } from '../../src/server/db/tenant.ts';

/** Tables that decide what open sessions may do; of users and companies some columns alone. */
const TABLES: Readonly<Record<string, readonly string[] | null>> = {
  users: [
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
  ],
  users__companies: null,
  role: null,
  module_rights: null,
  screen_rights: null,
  role_action: null,
  field_right: null,
  entity: null,
  delegation: null,
};

/**
 * From now on a client of a test refuses to commit what changes rights and does not announce it in the same transaction:
 * every test that writes users, roles or delegations by whatever way shows that other processes hear of it. Tables that
 * are not there yet are left out.
 */
export async function refuseUnannounced({ db, schema }: Pick<Tenant, 'db' | 'schema'>): Promise<void> {
  const s = quoted(schema);
  const there = await db.owner.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = to_regnamespace($1) and relkind = 'r' and relname = any($2)
       and not exists (select 1 from pg_trigger t where t.tgrelid = pg_class.oid and t.tgname = 'test_announced')`,
    [s, Object.keys(TABLES)],
  );
  // A row written by this transaction, or by one of its savepoints, has a number from its own on.
  const announced = `exists (select 1 from ${s}.rights_version v where v.xmin::text::bigint >= mod(pg_current_xact_id()::text::bigint, 4294967296))`;
  const statements = [
    `create or replace function ${s}.test_announced() returns trigger language plpgsql as $body$
     declare same boolean := false;
     begin
       if tg_argv[0] <> '' then
         -- Nobody has a session yet who was only added.
         if tg_op = 'INSERT' then return null; end if;
         if tg_op = 'UPDATE' then
           select bool_and(to_jsonb(old) -> c is not distinct from to_jsonb(new) -> c) into same from unnest(string_to_array(tg_argv[0], ',')) c;
         end if;
       end if;
       if not same and not ${announced} then
         raise exception 'a change of % is not announced in its transaction', tg_table_name;
       end if;
       return null;
     end $body$`,
    ...there.map(
      ({ name }) => `create constraint trigger test_announced after insert or update or delete on ${s}.${name}
        deferrable initially deferred for each row execute function ${s}.test_announced('${(TABLES[name] ?? []).join(',')}')`,
    ),
  ];
  await db.owner.query(statements.join(';\n'));
}
