import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Queryable } from '../../../src/server/db/database.ts';
import { quoted } from '../../../src/server/db/names.ts';
import { tenantSteps } from '../../../src/server/db/system_tables.ts';
import { createTenant, migrateTenants } from '../../../src/server/db/tenants.ts';
import type { TestDatabase } from '../postgres.ts';
import { testDatabase } from '../postgres.ts';
import { productScreens } from '../world.ts';

/**
 * What a schema cannot have that Citus distributes by itself (schema-based sharding), from its documentation,
 * "SQL support and workarounds" (https://learn.microsoft.com/postgresql/citus/reference-workarounds, Citus 13 and 14;
 * the same page of Citus 12 is https://docs.citusdata.com/en/stable/develop/reference_workarounds.html):
 *
 * - "Foreign keys across distributed schemas aren't supported"
 * - "Joins across distributed schemas are subject to" the limits of queries across nodes: a view is such a query
 * - "The rule system isn't supported"
 * - "Only regular, foreign, or partitioned tables can be distributed"; "multi-level partitioned tables" cannot
 * - numbers of every node's own do not "work for sequences that are smaller than BIGINT"
 *
 * And from the setting `citus.enable_unsafe_triggers`, which is off: "triggers are not supported on distributed tables"
 * (src/backend/distributed/commands/trigger.c). Whatever else of a schema needs another schema cannot move to another
 * node without it, so that is refused as well; extensions, whose objects every node has, are not.
 */
async function unfit(on: Queryable, schema: string): Promise<string[]> {
  const found = await on.query<{ what: string }>(
    `with own as (select oid, relname, relkind, relispartition from pg_class where relnamespace = to_regnamespace($1))
     select 'trigger ' || t.tgname || ' on ' || o.relname as what from pg_trigger t join own o on o.oid = t.tgrelid where not t.tgisinternal
     union all
     select 'rule ' || r.rulename || ' on ' || o.relname from pg_rewrite r join own o on o.oid = r.ev_class where r.rulename <> '_RETURN'
     union all
     select 'foreign key ' || c.conname || ' to ' || c.confrelid::regclass from pg_constraint c join own o on o.oid = c.conrelid
       where c.contype = 'f' and c.confrelid not in (select oid from own)
     union all
     select 'foreign key ' || c.conname || ' from ' || c.conrelid::regclass from pg_constraint c join own o on o.oid = c.confrelid
       where c.contype = 'f' and c.conrelid not in (select oid from own)
     union all
     select 'relation ' || o.relname || ' of kind ' || o.relkind::text from own o
       where o.relkind not in ('r', 'p', 'i', 'I', 'S', 'c', 't', 'v') or (o.relkind = 'p' and o.relispartition)
     union all
     select 'sequence ' || o.relname || ' of ' || q.seqtypid::regtype from pg_sequence q join own o on o.oid = q.seqrelid where q.seqtypid <> 'bigint'::regtype
     union all
     select 'view ' || o.relname || ' over ' || d.refobjid::regclass from pg_depend d join pg_rewrite r on r.oid = d.objid and d.classid = 'pg_rewrite'::regclass
       join own o on o.oid = r.ev_class join pg_class x on x.oid = d.refobjid and d.refclassid = 'pg_class'::regclass
       where o.relkind = 'v' and x.relnamespace not in (to_regnamespace($1), 'pg_catalog'::regnamespace)
     union all
     select 'function ' || p.proname from pg_proc p where p.pronamespace = to_regnamespace($1)
     union all
     select 'need of ' || pg_describe_object(d.refclassid, d.refobjid, 0) || ' by ' || pg_describe_object(d.classid, d.objid, d.objsubid)
       from pg_depend d
       left join pg_attrdef a on d.classid = 'pg_attrdef'::regclass and a.oid = d.objid
       left join pg_constraint c on d.classid = 'pg_constraint'::regclass and c.oid = d.objid and c.contype <> 'f'
       join own o on o.oid = coalesce(a.adrelid, c.conrelid, case when d.classid = 'pg_class'::regclass then d.objid end)
       join pg_proc p on d.refclassid = 'pg_proc'::regclass and p.oid = d.refobjid
       where p.pronamespace not in (to_regnamespace($1), 'pg_catalog'::regnamespace)
         and not exists (select 1 from pg_depend e where e.classid = 'pg_proc'::regclass and e.objid = p.oid and e.deptype = 'e')
     order by 1`,
    [quoted(schema)],
  );
  return found.map(({ what }) => what);
}

let db: TestDatabase;
let screens: Awaited<ReturnType<typeof productScreens>>['screens'];
beforeAll(async () => {
  db = await testDatabase();
  ({ screens } = await productScreens());
});
afterAll(() => db.close());

describe('the schema of a client', () => {
  test('with all tables of the product uses nothing that a distributed PostgreSQL refuses', async () => {
    const products = [...new Set([...screens.values()].flatMap(({ access }) => access.products))];
    const client = await createTenant(db.directory, screens, { subDomain: db.subDomain('d'), name: 'D', products });
    const { owner } = client.db;
    const [tables] = await owner.query<{ n: number; keys: number }>(
      `select count(*)::int as n, (select count(*)::int from pg_constraint where contype = 'f' and connamespace = to_regnamespace($1)) as keys
       from pg_class where relnamespace = to_regnamespace($1) and relkind in ('r', 'p')`,
      [quoted(client.schema)],
    );
    // It is a whole client that was looked at.
    expect(tables!.n).toBeGreaterThan(150);
    expect(tables!.keys).toBeGreaterThan(100);
    expect(await unfit(owner, client.schema)).toEqual([]);
  });

  test('is refused if it contains any of those features', async () => {
    const [one, other] = [db.subDomain('one'), db.subDomain('other')].map((name) => `cmp_${name}`) as [string, string];
    const { main } = db.directory;
    await main.query(`
      create schema ${one}; create schema ${other};
      create table ${other}.place (id bigint primary key);
      create function ${other}.two() returns integer language sql immutable as 'select 2';
      create table ${one}.lift (id serial primary key, place_id bigint constraint lift_place references ${other}.place, n integer default ${other}.two());
      create table ${other}.visit (id bigint, lift_id integer constraint visit_lift references ${one}.lift);
      create view ${one}.places as select id from ${other}.place;
      create view ${one}.lifts as select id from ${one}.lift;
      create materialized view ${one}.counted as select count(*) from ${one}.lift;
      create function ${one}.tell() returns trigger language plpgsql as $$ begin return null; end $$;
      create trigger told after insert on ${one}.lift for each row execute function ${one}.tell();
      create rule kept as on delete to ${one}.lift do instead nothing;
      create table ${one}.act (id bigint, at date) partition by range (at);
      create table ${one}.act_of_2026 partition of ${one}.act for values from ('2026-01-01') to ('2027-01-01') partition by list (id);`);
    try {
      expect(await unfit(main, one)).toEqual([
        'foreign key lift_place to ' + `${other}.place`,
        `foreign key visit_lift from ${other}.visit`,
        'function tell',
        `need of function ${other}.two() by default value for column n of table ${one}.lift`,
        'relation act_of_2026 of kind p',
        'relation counted of kind m',
        'rule kept on lift',
        'sequence lift_id_seq of integer',
        'trigger told on lift',
        `view places over ${other}.place`,
      ]);
    } finally {
      await main.query(`drop schema ${one} cascade; drop schema ${other} cascade`);
    }
  });

  test('of an earlier release loses its triggers', async () => {
    const subDomain = db.subDomain('old');
    const client = await createTenant(db.directory, screens, { subDomain, name: 'Old', products: [] });
    const { owner } = client.db;
    const s = quoted(client.schema);
    const body = 'returns trigger language plpgsql as $$ begin return null; end $$';
    for (const [name, table] of [
      ['announce_rights', 'users'],
      ['announce_rights', 'role_action'],
      ['announce_session', 'session'],
      ['announce_webhooks', 'history'],
    ])
      await owner.query(
        `create or replace function ${s}.${name}() ${body}; create trigger ${name} after update on ${s}.${table} for each statement execute function ${s}.${name}()`,
      );
    expect(await unfit(owner, client.schema)).toHaveLength(7);
    // As it was before the step that drops them: what later ones have made is not there yet.
    const before = tenantSteps.findIndex((step) => step.includes('drop function if exists {s}.announce_rights'));
    const later = tenantSteps.slice(before + 1).flatMap((step) => [...step.matchAll(/create table \{s\}\.(\w+)/g)]);
    for (const [, table] of later) await owner.query(`drop table ${s}.${table}`);
    const added = tenantSteps
      .slice(before + 1)
      .flatMap((step) => [...step.matchAll(/^alter table \{s\}\.(\w+) add column (\w+)/gm)]);
    for (const [, table, column] of added)
      await owner.query(`alter table if exists ${s}.${table} drop column ${column}`);
    await owner.query(`update ${s}.system_version set version = ${before}`);
    await migrateTenants(db.directory, screens, { only: new Set([subDomain]) });
    expect(await unfit(owner, client.schema)).toEqual([]);
  });
});
