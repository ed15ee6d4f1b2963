import { ownRows } from '../../../descriptor/own_rows.ts';
import { announceRights } from '../../db/announce.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Queryable } from '../../db/database.ts';
import { childTable, quoted, tableName, treeTable } from '../../db/names.ts';
import { recountActivity } from '../upkeep/activity_days.ts';

/** Why demo data cannot be removed: records of one type created by people that refer to it. */
export interface DemoBlocker {
  title: string;
  count: number;
  /** To what they refer, in words. */
  to: string;
  /** Some of them. */
  examples: number[];
}

interface DemoTypes {
  screens: Screen[];
  /** The types with demo records. */
  tagged: Set<string>;
  counts: Map<string, number>;
}

/** Demo rows are those whose history begins with the demo. */
const TAGGED = 'demo_made';

/** Tables whose rows belong to a user. */
const OF_USERS = [
  'credential',
  'session',
  'password_token',
  'known_device',
  'users_device',
  'user_totp',
  'notification',
  'notification_preference',
  'notification_hours',
  'saved_view',
  'import_columns',
];
const OF_ROLES = ['module_rights', 'screen_rights', 'role_action', 'field_right', 'role_version'];

async function gather(tx: Queryable, { schema }: Tenant, screens: ReadonlyMap<string, Screen>): Promise<DemoTypes> {
  await tx.query(
    `create temp table ${TAGGED} on commit drop as select record_type as type, record_id as id from ${quoted(schema)}.history where op = 'I' and what = 'demo' group by 1, 2`,
  );
  await tx.query(`create index on ${TAGGED} (type, id)`);
  await tx.query(`analyze ${TAGGED}`);
  const there = new Set(
    (
      await tx.query<{ name: string }>(
        `select c.relname as name from pg_class c where c.relnamespace = to_regnamespace($1) and c.relkind = 'r'`,
        [quoted(schema)],
      )
    ).map(({ name }) => name),
  );
  const known = [...screens.values()].filter(({ name, scope }) => scope !== 'platform' && there.has(name));
  await addConsequences(tx, schema, known);
  const counts = new Map(
    (await tx.query<{ type: string; n: number }>(`select type, count(*)::int as n from ${TAGGED} group by type`)).map(
      ({ type, n }) => [type, n],
    ),
  );
  return { screens: known, tagged: new Set(known.map(({ name }) => name).filter((name) => counts.has(name))), counts };
}

/**
 * Rows written by the product itself for them, such as runs of a demo's job, are removed too. People never add such
 * records.
 */
async function addConsequences(tx: Queryable, schema: string, screens: Screen[]): Promise<void> {
  const written = screens.filter(({ routes, fields }) => routes.add === null && fields.some(({ ref }) => ref));
  for (let more = true; more;) {
    more = false;
    for (const screen of written) {
      const ways = screen.fields
        .filter(({ type, ref }) => type === 'ref' && ref)
        .map((field) => isTagged(field.ref!.type, `t.${quoted(field.name)}`));
      if (ways.length === 0) continue;
      const added = await tx.query(
        `insert into ${TAGGED} (type, id) select '${screen.name}', t.id from ${tableName(schema, screen.name)} t where t.created_by is null and not ${isTagged(screen.name, 't.id')} and (${ways.join(' or ')}) returning 1`,
      );
      more ||= added.length > 0;
    }
  }
}

const isTagged = (type: string, id: string): string =>
  `exists (select 1 from ${TAGGED} d where d.type = '${type}' and d.id = ${id})`;

/** Records not created by the demo that refer to demo records, by type; and records that a client cannot do without. */
async function blockers(
  tx: Queryable,
  { schema }: Tenant,
  { screens, tagged }: DemoTypes,
  titles: (type: string) => string,
): Promise<DemoBlocker[]> {
  const found: DemoBlocker[] = [];
  for (const screen of screens) {
    const table = tableName(schema, screen.name);
    const ways: { to: string; sql: string }[] = [];
    const refers = (alias: string, field: Field) =>
      field.type === 'refs'
        ? `exists (select 1 from ${TAGGED} d where d.type = '${field.ref!.type}' and d.id = any(${alias}.${quoted(field.name)}))`
        : isTagged(field.ref!.type, `${alias}.${quoted(field.name)}`);
    const mine = (fields: Field[]) => fields.filter((field) => field.ref && tagged.has(field.ref.type));
    for (const field of mine(screen.fields)) ways.push({ to: field.ref!.type, sql: refers('t', field) });
    for (const rows of screen.fields.filter((field) => field.rows && !field.part))
      // Access of a user to a company is not a record of their own: it is removed with the company.
      for (const field of mine(rows.rows!).filter(({ ref }) => !(screen.name === 'users' && ref!.type === 'entity')))
        ways.push({
          to: field.ref!.type,
          sql: `exists (select 1 from ${childTable(schema, screen.name, rows.name)} k where k.parent_id = t.id and ${refers('k', field)})`,
        });
    if (screen.scope === 'entity' && tagged.has('entity'))
      ways.push({ to: 'entity', sql: isTagged('entity', 't.entity_id') });
    if (ways.length === 0) continue;
    const rows = await tx.query<{ to: string; n: number; ids: number[] }>(
      ways
        .map(
          ({ to, sql }) =>
            `select '${to}' as "to", count(*)::int as n, (array_agg(t.id order by t.id))[1:5] as ids from ${table} t where not ${isTagged(screen.name, 't.id')} and ${sql} having count(*) > 0`,
        )
        .join(' union all '),
    );
    for (const [to, some] of Map.groupBy(rows, (row) => row.to))
      found.push({
        title: screen.plural,
        count: Math.max(...some.map(({ n }) => n)),
        to: titles(to),
        examples: [...new Set(some.flatMap(({ ids }) => ids))].slice(0, 5),
      });
  }
  return found;
}

/** What would be missing without the demo data. */
async function needed(tx: Queryable, { schema }: Tenant, tagged: Set<string>): Promise<string[]> {
  const s = quoted(schema);
  const reasons: string[] = [];
  if (
    tagged.has('users') &&
    (
      await tx.query(
        `select 1 from ${s}.users u where is_admin and active and status = 'active' and not ${isTagged('users', 'u.id')} limit 1`,
      )
    ).length === 0
  )
    reasons.push('No administrator could sign in. First create your own administrator, who must sign in once.');
  if (
    tagged.has('entity') &&
    (await tx.query(`select 1 from ${s}.entity e where active and not ${isTagged('entity', 'e.id')} limit 1`))
      .length === 0
  )
    reasons.push('There would be no company left. Create your own company first.');
  return reasons;
}

/** The number of demo records, and the obstacles to removing them. Nothing is changed. */
export function demoState(
  tenant: Tenant,
  screens: ReadonlyMap<string, Screen>,
): Promise<{ records: number; reasons: string[] }> {
  return tenant.db.transaction(async (tx) => {
    const types = await gather(tx, tenant, screens);
    return {
      records: [...types.tagged].reduce((sum, type) => sum + types.counts.get(type)!, 0),
      reasons: await reasonsAgainst(tx, tenant, screens, types),
    };
  });
}

async function reasonsAgainst(
  tx: Queryable,
  tenant: Tenant,
  screens: ReadonlyMap<string, Screen>,
  types: DemoTypes,
): Promise<string[]> {
  const found = await blockers(tx, tenant, types, (type) => screens.get(type)?.plural ?? type);
  const words = found.map(
    ({ title, count, to, examples }) =>
      `${title}: ${count} that ${count === 1 ? 'refers' : 'refer'} to ${to} of the demo (number ${examples.join(', ')}${count > examples.length ? ' …' : ''}).`,
  );
  return [...(await needed(tx, tenant, types.tagged)), ...words];
}

/**
 * Removes exactly the demo data, in one transaction, in dependency order.
 * @throws Error with every reason if records created by people refer to it
 */
export function removeDemo(tenant: Tenant, screens: ReadonlyMap<string, Screen>): Promise<number> {
  const { schema } = tenant;
  const s = quoted(schema);
  return tenant.db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${schema}:demo`]);
    const types = await gather(tx, tenant, screens);
    const reasons = await reasonsAgainst(tx, tenant, screens, types);
    if (reasons.length > 0) throw new Error(reasons.join(' '));
    const there = new Set(
      (
        await tx.query<{ name: string }>(
          `select c.relname as name from pg_class c where c.relnamespace = to_regnamespace($1)`,
          [s],
        )
      ).map(({ name }) => name),
    );
    for (const table of OF_USERS)
      if (there.has(table))
        await tx.query(`delete from ${s}.${table} where user_id in (select id from ${TAGGED} where type = 'users')`);
    for (const table of OF_ROLES)
      if (there.has(table))
        await tx.query(`delete from ${s}.${table} where role_id in (select id from ${TAGGED} where type = 'role')`);
    for (const table of ['attachment', 'comment', 'search_entry'])
      await tx.query(
        `delete from ${s}.${table} t where exists (select 1 from ${TAGGED} d where d.type = t.record_type and d.id = t.record_id)`,
      );
    if (types.tagged.has('entity'))
      await tx.query(`delete from ${s}.users__companies k where ${isTagged('entity', 'k.entity_id')}`);
    const waiting = new Set(types.screens.filter(({ name }) => types.tagged.has(name)));
    for (const screen of waiting)
      if (screen.tree?.closure)
        await tx.query(
          `delete from ${treeTable(schema, screen.name)} where descendant_id in (select id from ${TAGGED} where type = '${screen.name}') or ancestor_id in (select id from ${TAGGED} where type = '${screen.name}')`,
        );
    let gone = 0;
    for (let emptied = false; waiting.size > 0;) {
      const before = waiting.size;
      for (const screen of waiting) {
        await tx.query('savepoint demo_type');
        try {
          gone += (
            await tx.query(
              `delete from ${tableName(schema, screen.name)} t where ${isTagged(screen.name, 't.id')} returning 1`,
            )
          ).length;
          waiting.delete(screen);
          await tx.query('release savepoint demo_type');
        } catch (error) {
          if ((error as { code?: string }).code !== '23503') throw error;
          await tx.query('rollback to savepoint demo_type');
        }
      }
      if (waiting.size < before) continue;
      if (emptied)
        throw new Error(`${[...waiting].map(({ plural }) => plural).join(', ')} of the demo are still in use.`);
      // For types that refer to each other, optional references are cleared first.
      for (const screen of waiting) await emptyReferences(tx, schema, screen, waiting);
      emptied = true;
    }
    await tx.query(
      `delete from ${s}.history h where exists (select 1 from ${TAGGED} d where d.type = h.record_type and d.id = h.record_id)`,
    );
    await recountActivity(tx, schema);
    await announceRights(tx, schema);
    return gone;
  });
}

async function emptyReferences(
  tx: Queryable,
  schema: string,
  screen: Screen,
  waiting: ReadonlySet<Screen>,
): Promise<void> {
  const required = new Set(screen.schema.required ?? []);
  const names = new Set([...waiting].map(({ name }) => name));
  const open = screen.fields.filter(
    (field) => field.type === 'ref' && !required.has(field.name) && names.has(field.ref!.type),
  );
  if (open.length > 0)
    await tx.query(
      `update ${tableName(schema, screen.name)} t set ${open.map(({ name }) => `${quoted(name)} = null`).join(', ')} where ${isTagged(screen.name, 't.id')}`,
    );
  for (const rows of screen.fields.filter((field) =>
    ownRows(field)?.some((column) => column.ref && names.has(column.ref.type)),
  ))
    await tx.query(
      `delete from ${childTable(schema, screen.name, rows.name)} k where ${isTagged(screen.name, 'k.parent_id')}`,
    );
}
