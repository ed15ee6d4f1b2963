import type { Pages } from '../../access/rights/pages.ts';
import { announceRights } from '../../db/announce.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted } from '../../db/names.ts';
import { childTable, tableName, treeTable } from '../../db/tables.ts';
import { ROLE_TEMPLATES, rightsOf } from '../clients/role_templates.ts';
import type { DemoData, Row } from './shapes.ts';

const WHAT = 'demo';

/**
 * Writes a generated tenant into its empty tables: records with child rows, trees and history, then companies, roles
 * and passwords of the users. The caller opens the transaction; types without a screen are skipped.
 */
export async function writeTenant(
  db: Queryable,
  tenant: Tenant,
  screens: ReadonlyMap<string, Screen>,
  pages: Pages,
  data: DemoData,
  passwordHash: string,
): Promise<number> {
  const count = await writeRows(db, tenant.schema, screens, data.rows);
  await writeAccess(db, tenant.schema, screens, pages, data, passwordHash);
  await announceRights(db, tenant.schema);
  return count;
}

/**
 * Writes records with their ids, child rows, trees and history, type by type; references to later types are filled in
 * at the end.
 */
export async function writeRows(
  db: Queryable,
  schema: string,
  screens: ReadonlyMap<string, Screen>,
  rowsOf: ReadonlyMap<string, Row[]>,
): Promise<number> {
  const order = [...rowsOf.keys()].filter((type) => screens.has(type) && (rowsOf.get(type)?.length ?? 0) > 0);
  const written = new Set<string>();
  const later: { type: string; field: string; rows: Row[] }[] = [];
  let count = 0;

  for (const type of order) {
    const screen = screens.get(type);
    const rows = rowsOf.get(type) ?? [];
    if (!screen) continue;
    const columns = screen.fields.filter(
      (field) => field.type !== 'rows' && rows.some((row) => row[field.name] !== undefined),
    );
    const waiting = columns.filter(
      (field) =>
        field.ref &&
        field.ref.type !== type &&
        field.type === 'ref' &&
        order.includes(field.ref.type) &&
        !written.has(field.ref.type),
    );
    const first = columns.filter((field) => !waiting.includes(field)).map(({ name }) => name);
    await insert(
      db,
      tableName(schema, type),
      ['id', ...(screen.scope === 'entity' ? ['entity_id'] : []), ...first],
      rows,
    );
    await writeChildren(db, schema, screen, rows);
    later.push(...waiting.map(({ name }) => ({ type, field: name, rows })));
    written.add(type);
    count += rows.length;
  }
  for (const { type, field, rows } of later) await fill(db, tableName(schema, type), field, rows);
  for (const type of order) await follow(db, schema, screens, screens.get(type)!, rowsOf.get(type) ?? []);
  for (const type of order) await finish(db, schema, screens.get(type), rowsOf.get(type) ?? []);
  return count;
}

/** Copies what read-only fields take from their references (`x-fetch`) and the rows do not give. */
async function follow(
  db: Queryable,
  schema: string,
  screens: ReadonlyMap<string, Screen>,
  screen: Screen,
  rows: readonly Row[],
): Promise<void> {
  for (const field of screen.fields) {
    const via = screen.fields.find(({ name }) => name === field.fetch?.via);
    const from = screens.get(via?.ref?.type ?? '')?.fields.find(({ name }) => name === field.fetch?.field);
    if (!field.fetch || !field.readOnly || via?.type !== 'ref' || !from || from.rows || from.custom) continue;
    const [column, source] = [quoted(field.name), quoted(from.name)];
    await db.query({
      text: `update ${tableName(schema, screen.name)} t set ${column} = r.${source} from ${tableName(schema, via.ref!.type)} r
        where r.id = t.${quoted(via.name)} and t.${column} is null and t.id = any($1::bigint[])`,
      values: [rows.map(({ id }) => id)],
    });
  }
}

/** One statement for any number of rows; the table's row type decides how each value is read. */
async function insert(db: Queryable, table: string, columns: string[], rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return;
  const list = columns.map(quoted).join(', ');
  await db.query({
    text: `insert into ${table} (${list}) select ${list} from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
    values: [JSON.stringify(rows)],
  });
}

/** A reference to a type that is written later. */
async function fill(db: Queryable, table: string, field: string, rows: readonly Row[]): Promise<void> {
  const given = rows
    .filter((row) => row[field] !== null && row[field] !== undefined)
    .map((row) => ({ id: row.id, [field]: row[field] }));
  if (given.length === 0) return;
  const column = quoted(field);
  await db.query({
    text: `update ${table} as t set ${column} = r.${column} from jsonb_populate_recordset(null::${table}, $1::jsonb) as r where t.id = r.id`,
    values: [JSON.stringify(given)],
  });
}

async function writeChildren(db: Queryable, schema: string, screen: Screen, rows: readonly Row[]): Promise<void> {
  for (const field of screen.fields.filter(({ type, part }) => type === 'rows' && !part)) {
    const children = rows.flatMap((row) =>
      listOf(row[field.name]).map((child, position) => ({ ...child, parent_id: row.id, position })),
    );
    const columns = (field.rows ?? [])
      .filter((column: Field) => column.type !== 'rows')
      .map(({ name }) => name)
      .filter((name) => children.some((child) => name in child));
    await insert(db, childTable(schema, screen.name, field.name), ['parent_id', 'position', ...columns], children);
  }
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? (value as Record<string, unknown>[]) : [];
}

/** Writes the closure of the tree, the history of the creation and the next id. */
async function finish(db: Queryable, schema: string, screen: Screen | undefined, rows: readonly Row[]): Promise<void> {
  if (!screen) return;
  const table = tableName(schema, screen.name);
  if (screen.tree?.closure) {
    const parent = quoted(screen.tree.parent);
    await db.query(`delete from ${treeTable(schema, screen.name)}`);
    await db.query(`insert into ${treeTable(schema, screen.name)} (ancestor_id, descendant_id, depth)
      with recursive line(ancestor_id, descendant_id, depth) as (
        select id, id, 0 from ${table}
        union all
        select t.${parent}, l.descendant_id, l.depth + 1 from line l join ${table} t on t.id = l.ancestor_id where t.${parent} is not null)
      select ancestor_id, descendant_id, depth from line`);
  }
  await db.query({
    text: `insert into ${quoted(schema)}.history (record_type, record_id, entity_id, version, op, what)
      select $1, id, ${screen.scope === 'entity' ? 'entity_id' : 'null'}, version, 'I', $2 from ${table} where id = any($3::bigint[]) order by id`,
    values: [screen.name, WHAT, rows.map(({ id }) => id)],
  });
  await db.query({
    text: `select setval(pg_get_serial_sequence($1, 'id'), (select max(id) from ${table}))`,
    values: [table],
  });
}

/** Adds role rights for the existing screens, the companies of each user, and the passwords. */
async function writeAccess(
  db: Queryable,
  schema: string,
  screens: ReadonlyMap<string, Screen>,
  pages: Pages,
  data: DemoData,
  passwordHash: string,
): Promise<void> {
  const table = (name: string) => `${quoted(schema)}.${name}`;
  const roles = data.rows.get('role') ?? [];
  const modules: { id: number; role_id: number; module_code: string; active: boolean; hide_all: boolean }[] = [];
  const rights: object[] = [];
  const actions: object[] = [];
  const fields: object[] = [];
  for (const template of ROLE_TEMPLATES) {
    const role = roles.find(({ code }) => code === template.code);
    if (!role) continue;
    const moduleId = new Map<string, number>();
    for (const [code, reach] of Object.entries(template.modules)) {
      moduleId.set(code, modules.length + 1);
      modules.push({
        id: modules.length + 1,
        role_id: role.id,
        module_code: code,
        active: reach !== '-',
        hide_all: false,
      });
    }
    for (const { module, ...right } of rightsOf(template, screens.values(), pages))
      rights.push({ role_id: role.id, modules_rights_id: moduleId.get(module), ...right });
    fields.push(...(template.fields ?? []).map((right) => ({ role_id: role.id, ...right })));
    actions.push(...template.actions.map((action_code) => ({ role_id: role.id, action_code })));
  }
  await insert(db, table('module_rights'), ['id', 'role_id', 'module_code', 'active', 'hide_all'], modules);
  await db.query({
    text: `select setval(pg_get_serial_sequence($1, 'id'), (select max(id) from ${table('module_rights')}))`,
    values: [table('module_rights')],
  });
  await insert(
    db,
    table('screen_rights'),
    [
      'role_id',
      'modules_rights_id',
      'screen_code',
      'landing',
      'add_screen',
      'edit_screen',
      'view_screen',
      'approval_screen',
      'transfer_screen',
      'data_scope',
    ],
    rights,
  );
  await insert(db, table('role_action'), ['role_id', 'action_code'], actions);
  await insert(db, table('field_right'), ['role_id', 'record_type', 'field', 'access'], fields);
  // All share one password and hash, because the password is printed at every start anyway.
  await insert(
    db,
    table('credential'),
    ['user_id', 'phc'],
    (data.rows.get('users') ?? []).map(({ id }) => ({ user_id: id, phc: passwordHash })),
  );
}
