import * as XLSX from 'xlsx';
import type { PageType, Screen } from '../../../descriptor/types.ts';
import type { FieldAccess, FieldRight } from '../../../domain/field_access.ts';
import { FIELD_ACCESSES, widerAccess } from '../../../domain/field_access.ts';
import type { RoleImportMode, RoleImport } from '../../../domain/role_import.ts';
import type { DataScope, Session } from '../context.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted } from '../../db/names.ts';
import { AppError, invalid } from '../../db/errors.ts';
import { PAGE_TYPES } from './rights.ts';
import type {
  ModuleRight,
  RightsDifference,
  RoleRights,
  SavedRights,
  ScreenOfMatrix,
  ScreenRight,
} from './role_rights.ts';
import { MODULE_NAMES } from '../../../domain/modules.ts';
import { ACTION_CODES, announceRole, compareRights, readRoleRights, saveRoleRightsIn } from './role_rights.ts';

/** A role in a file; unknown parts are kept separately, not refused. */
export interface RoleInFile {
  code: string;
  role_name: string;
  description: string | null;
  modules: ModuleRight[];
  screens: ScreenRight[];
  actions: string[];
  /** Absent = the file has no field rights: those of the role are kept. */
  fields?: FieldRight[];
}

const FORMAT = 'mainstay-roles';
const HEADS = [
  'Kind',
  'Code',
  'Name',
  'Open',
  'Hide all',
  'List',
  'Add',
  'Edit',
  'View',
  'Approve',
  'Transfer',
  'Records',
];
const SCOPES: DataScope[] = ['own', 'team', 'branch', 'company', 'all_companies'];
const MAX_ROLES = 500;

/** Roles with all grants, in five statements regardless of their number; none given = all active ones. */
export async function rolesForFile(on: Queryable, schema: string, ids: number[] | null): Promise<RoleInFile[]> {
  const s = quoted(schema);
  const roles = await on.query<{ id: number; code: string; role_name: string; description: string | null }>(
    `select id, code, role_name, description from ${s}.role where ${ids === null ? 'active' : 'id = any($1)'} order by code limit ${MAX_ROLES}`,
    ids === null ? [] : [ids],
  );
  const wanted = [roles.map(({ id }) => id)];
  const [modules, screens, actions, fields] = await Promise.all([
    on.query<ModuleRight & { role_id: number }>(
      `select role_id, module_code, active, hide_all from ${s}.module_rights where role_id = any($1) order by module_code`,
      wanted,
    ),
    on.query<ScreenRight & { role_id: number }>(
      `select role_id, screen_code, ${PAGE_TYPES.join(', ')}, data_scope from ${s}.screen_rights where role_id = any($1) order by screen_code`,
      wanted,
    ),
    on.query<{ role_id: number; action_code: string }>(
      `select role_id, action_code from ${s}.role_action where role_id = any($1) order by action_code`,
      wanted,
    ),
    on.query<FieldRight & { role_id: number }>(
      `select role_id, record_type, field, access from ${s}.field_right where role_id = any($1) order by record_type, field`,
      wanted,
    ),
  ]);
  const of = <T extends { role_id: number }>(rows: T[]) => Map.groupBy(rows, (row) => row.role_id);
  const [moduleRows, screenRows, actionRows, fieldRows] = [of(modules), of(screens), of(actions), of(fields)];
  return roles.map(({ id, ...role }) => ({
    ...role,
    modules: (moduleRows.get(id) ?? []).map(({ module_code, active, hide_all }) => ({ module_code, active, hide_all })),
    screens: (screenRows.get(id) ?? []).map((row) => rightOf(row.screen_code, (page) => row[page], row.data_scope)),
    actions: (actionRows.get(id) ?? []).map((row) => row.action_code),
    fields: (fieldRows.get(id) ?? []).map(({ record_type, field, access }) => ({ record_type, field, access })),
  }));
}

/** The JSON file: screens by code, with the pages that are ticked. */
export function rolesJson(roles: RoleInFile[]): string {
  return JSON.stringify(
    {
      format: FORMAT,
      version: 1,
      roles: roles.map(({ screens, ...role }) => ({
        ...role,
        screens: Object.fromEntries(
          screens.map((right) => [
            right.screen_code,
            { pages: PAGE_TYPES.filter((page) => right[page]), records: right.data_scope },
          ]),
        ),
      })),
    },
    null,
    1,
  );
}

/** The workbook: one sheet per role, with names beside the codes. */
export function rolesWorkbook(roles: RoleInFile[], catalogue: ScreenOfMatrix[]): Buffer {
  const names = new Map(catalogue.map((screen) => [screen.screen_code, screen.name]));
  const book = XLSX.utils.book_new();
  const taken = new Set<string>();
  const yes = (value: boolean) => (value ? 'Yes' : '');
  for (const role of roles) {
    const rows: unknown[][] = [
      ['Role code', role.code],
      ['Role name', role.role_name],
      ['Description', role.description ?? ''],
      [],
      HEADS,
      ...role.modules.map((row) => [
        'Module',
        row.module_code,
        MODULE_NAMES[row.module_code] ?? '',
        yes(row.active),
        yes(row.hide_all),
      ]),
      ...role.screens.map((right) => [
        'Screen',
        right.screen_code,
        names.get(right.screen_code) ?? '',
        '',
        '',
        ...PAGE_TYPES.map((page) => yes(right[page])),
        right.data_scope,
      ]),
      ...role.actions.map((code) => ['Action', code, '', 'Yes']),
      ...(role.fields ?? []).map((right) => [
        'Field',
        `${right.record_type}.${right.field}`,
        '',
        '',
        '',
        ...PAGE_TYPES.map(() => ''),
        right.access,
      ]),
    ];
    const sheet = XLSX.utils.aoa_to_sheet(rows);
    sheet['!cols'] = [{ wch: 12 }, { wch: 34 }, { wch: 40 }, ...HEADS.slice(3).map(() => ({ wch: 9 }))];
    // The sheet's name is only a label: the code is in the sheet.
    const plain = role.code.replace(/[[\]:*?/\\]/g, '_').slice(0, 28);
    let name = plain;
    for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${plain}_${n}`.slice(0, 31);
    taken.add(name.toLowerCase());
    XLSX.utils.book_append_sheet(book, sheet, name);
  }
  return XLSX.write(book, { type: 'buffer', bookType: 'xlsx', compression: true }) as Buffer;
}

const wrongFile = (message: string) => new AppError(422, 'invalid', message, { field: 'file' });

interface Sheet {
  name: string;
  rows: unknown[][];
}

/** Reads workbooks in an isolated process. */
export interface SheetReading {
  /** All sheets of a workbook. @throws AppError 413, 415, 422 */
  sheets(file: { bytes: Uint8Array }): Promise<Sheet[]>;
}

/** Parses either kind of file, recognised by content. @throws AppError 422 with what to do */
export async function readRolesFile(bytes: Buffer, reading: SheetReading): Promise<RoleInFile[]> {
  const roles =
    bytes.subarray(0, 2).toString('latin1') === 'PK' ? rolesOf(await reading.sheets({ bytes })) : readJson(bytes);
  if (roles.length === 0) throw wrongFile('There is no role in this file. Export one to see how a file is made.');
  if (roles.length > MAX_ROLES) throw wrongFile(`At most ${MAX_ROLES} roles in one file. Split it into several.`);
  const seen = new Set<string>();
  for (const { code, role_name: name } of roles) {
    if (code === '' || code.length > 30) throw wrongFile('Each role needs a code of 1 to 30 characters.');
    if (name === '' || name.length > 60) throw wrongFile(`Role ${code} needs a name of 1 to 60 characters.`);
    if (seen.has(code.toUpperCase())) throw wrongFile(`Role ${code} appears twice in this file.`);
    seen.add(code.toUpperCase());
  }
  return roles;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '');
const scopeOf = (value: unknown, at: string): DataScope => {
  const scope = text(value) || 'company';
  if (!SCOPES.includes(scope as DataScope)) throw wrongFile(`${at}: the records must be one of ${SCOPES.join(', ')}.`);
  return scope as DataScope;
};

const accessOf = (value: unknown, at: string): FieldAccess => {
  const access = text(value).toLowerCase();
  if (!(FIELD_ACCESSES as readonly string[]).includes(access))
    throw wrongFile(`${at}: what may be done with a field must be one of ${FIELD_ACCESSES.join(', ')}.`);
  return access as FieldAccess;
};

function readJson(bytes: Buffer): RoleInFile[] {
  let file: unknown;
  try {
    file = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw wrongFile('This is neither a workbook nor JSON. Choose a file that was exported from Roles.');
  }
  if (!isObject(file) || file.format !== FORMAT || !Array.isArray(file.roles))
    throw wrongFile('This JSON is not an export of roles. Choose a file that was exported from Roles.');
  return file.roles.filter(isObject).map((role) => {
    const code = text(role.code);
    return {
      code,
      role_name: text(role.role_name),
      description: text(role.description) || null,
      modules: (Array.isArray(role.modules) ? role.modules : []).filter(isObject).map((row) => ({
        module_code: text(row.module_code),
        active: row.active === true,
        hide_all: row.hide_all === true,
      })),
      screens: Object.entries(isObject(role.screens) ? role.screens : {}).map(([screen, given]) => {
        const right = isObject(given) ? given : {};
        const pages = Array.isArray(right.pages) ? right.pages : [];
        return rightOf(screen, (page) => pages.includes(page), scopeOf(right.records, `${code}, ${screen}`));
      }),
      actions: (Array.isArray(role.actions) ? role.actions : []).map(text).filter((one) => one !== ''),
      ...(Array.isArray(role.fields) && {
        fields: role.fields.filter(isObject).map((right) => ({
          record_type: text(right.record_type),
          field: text(right.field),
          access: accessOf(right.access, code),
        })),
      }),
    };
  });
}

function rightOf(code: string, has: (page: PageType) => boolean, scope: DataScope): ScreenRight {
  return {
    screen_code: code,
    ...(Object.fromEntries(PAGE_TYPES.map((page) => [page, has(page)])) as Record<PageType, boolean>),
    data_scope: scope,
  };
}

function rolesOf(sheets: Sheet[]): RoleInFile[] {
  return sheets.map(({ name, rows }) => {
    const fact = (label: string) => text(rows.slice(0, 20).find((row) => text(row[0]) === label)?.[1]);
    const head = rows.findIndex((row) => text(row[0]) === HEADS[0] && text(row[1]) === HEADS[1]);
    if (head < 0 || fact('Role code') === '')
      throw wrongFile(
        `Sheet ${name} is not a role: it needs "Role code" and the heads ${HEADS.slice(0, 3).join(', ')} … as an export writes them.`,
      );
    const columns = new Map(rows[head]!.map((cell, at) => [text(cell), at]));
    const role: RoleInFile = {
      code: fact('Role code'),
      role_name: fact('Role name'),
      description: fact('Description') || null,
      modules: [],
      screens: [],
      actions: [],
    };
    rows.slice(head + 1).forEach((row, index) => {
      const cell = (title: string) => row[columns.get(title) ?? -1];
      const yes = (title: string) => /^(yes|y|true|1|x)$/i.test(text(cell(title) === true ? 'yes' : cell(title)));
      const code = text(cell('Code'));
      if (code === '') return;
      const at = `Sheet ${name}, row ${head + index + 2}`;
      const kind = text(cell('Kind')).toLowerCase();
      if (kind === 'module') role.modules.push({ module_code: code, active: yes('Open'), hide_all: yes('Hide all') });
      else if (kind === 'screen')
        role.screens.push(
          rightOf(code, (page) => yes(HEADS[5 + PAGE_TYPES.indexOf(page)]!), scopeOf(cell('Records'), at)),
        );
      else if (kind === 'action') role.actions.push(code);
      else if (kind === 'field')
        (role.fields ??= []).push({
          record_type: code.split('.')[0]!,
          field: code.split('.').slice(1).join('.'),
          access: accessOf(cell('Records'), at),
        });
      else throw wrongFile(`${at}: the kind must be Module, Screen, Action or Field.`);
    });
    return role;
  });
}

const ticksOf = ({ modules, screens, actions, fields }: Granted) =>
  new Set([
    ...modules
      .filter((row) => row.active)
      .map((row) => `module ${row.module_code}${row.hide_all ? ' (all hidden)' : ''}`),
    ...screens.flatMap((right) =>
      PAGE_TYPES.filter((page) => right[page]).flatMap((page, at) => [
        ...(at === 0 ? [`${right.screen_code} records ${right.data_scope}`] : []),
        `${right.screen_code} ${page}`,
      ]),
    ),
    ...actions.map((code) => `action ${code}`),
    ...(fields ?? []).map((right) => `field ${right.record_type}.${right.field} ${right.access}`),
  ]);

/**
 * Imports the roles of a file: `merge` adds the file's grants, `replace` makes each role exactly as in the file. Other
 * roles are unchanged. All or nothing; without `commit` nothing is written and the result is a preview.
 * @throws AppError 403 elevation, 422
 */
export async function importRoles(
  session: Session,
  roles: RoleInFile[],
  mode: RoleImportMode,
  commit: boolean,
  catalogue: ScreenOfMatrix[],
  types: ReadonlyMap<string, Screen>,
  may: { add: boolean; edit: boolean },
): Promise<{ roles: RoleImport[]; saved: (SavedRights & { roleId: number })[] }> {
  const { tenant } = session;
  const work = async (tx: Queryable) => {
    const done: RoleImport[] = [];
    const saved: (SavedRights & { roleId: number })[] = [];
    const screens = new Map(catalogue.map((screen) => [screen.screen_code, screen]));
    const isKnown = (right: FieldRight) =>
      types.get(right.record_type)?.fields.some(({ name }) => name === right.field) === true;
    for (const role of roles) {
      const roleId = await idOf(tx, session, role, may);
      const before = await readRoleRights(tx, tenant.schema, roleId.id);
      const known = {
        modules: role.modules.filter((row) => row.module_code in MODULE_NAMES),
        screens: role.screens.filter((row) => screens.has(row.screen_code)),
        actions: role.actions.filter((code) => (ACTION_CODES as readonly string[]).includes(code)),
        ...(role.fields && { fields: role.fields.filter(isKnown) }),
      };
      const unknown = [
        ...role.modules.filter((row) => !known.modules.includes(row)).map((row) => `module ${row.module_code}`),
        ...role.screens.filter((row) => !known.screens.includes(row)).map((row) => row.screen_code),
        ...role.actions.filter((code) => !known.actions.includes(code)).map((code) => `action ${code}`),
        ...(role.fields ?? [])
          .filter((right) => !isKnown(right))
          .map((right) => `field ${right.record_type}.${right.field}`),
      ];
      const { result, after } = await bringIn(
        tx,
        session,
        before,
        known,
        roleId.made ? 'replace' : mode,
        'a file',
        catalogue,
        types,
      );
      const [was, is] = [ticksOf(before), ticksOf(after)];
      done.push({
        code: role.code,
        role_name: before.role.role_name,
        is_new: roleId.made,
        added: [...is].filter((one) => !was.has(one)),
        removed: [...was].filter((one) => !is.has(one)),
        unknown,
        warnings: result.warnings,
        users_affected: result.users_affected,
      });
      if (result.changes > 0) saved.push({ roleId: roleId.id, ...result });
    }
    return { roles: done, saved: commit ? saved : [] };
  };
  return lookedAt(session, commit, work);
}

/** The planned or applied effect of a template on a role. */
export interface TemplateApplied {
  difference: RightsDifference;
  saved: SavedRights;
}

/**
 * Updates a role from its current template, `merge` or `replace` as for files. Without `commit` nothing is written and
 * the result is a preview.
 * @throws AppError 403 elevation, 404, 409 stale_version
 */
export async function applyTemplate(
  session: Session,
  roleId: number,
  template: Granted & { name: string },
  mode: RoleImportMode,
  commit: { version: number } | null,
  catalogue: ScreenOfMatrix[],
  types: ReadonlyMap<string, Screen>,
): Promise<TemplateApplied> {
  return lookedAt(session, commit !== null, async (tx) => {
    const before = await readRoleRights(tx, session.tenant.schema, roleId);
    const { result, after } = await bringIn(
      tx,
      session,
      { ...before, role: { ...before.role, ...commit } },
      template,
      mode,
      `the template ${template.name}`,
      catalogue,
      types,
    );
    return { difference: compareRights(before, after, catalogue), saved: result };
  });
}

/** Sets the grants of a role, as one version. @returns the resulting grants */
async function bringIn(
  tx: Queryable,
  session: Session,
  before: RoleRights,
  given: Granted,
  mode: RoleImportMode,
  source: string,
  catalogue: ScreenOfMatrix[],
  types: ReadonlyMap<string, Screen>,
): Promise<{ result: SavedRights; after: RoleRights }> {
  const screens = new Set(catalogue.map((screen) => screen.screen_code));
  const all = mode === 'merge' ? merge(before, given) : replace(before, given);
  // Obsolete entries of an older version remain unchanged.
  const kept = {
    ...all,
    modules: all.modules.filter((row) => row.module_code in MODULE_NAMES),
    screens: all.screens.filter((row) => screens.has(row.screen_code)),
    fields: (all.fields ?? []).filter((right) =>
      types.get(right.record_type)?.fields.some(({ name }) => name === right.field),
    ),
  };
  const result = await saveRoleRightsIn(
    tx,
    session,
    before.role.id,
    { version: before.role.version, ...kept, note: `From ${source} (${mode})` },
    catalogue,
    types,
  );
  await announceRole(tx, session.tenant.schema, before.role.id);
  return { result, after: await readRoleRights(tx, session.tenant.schema, before.role.id) };
}

/** A preview runs the whole operation, so that it fails whenever the change would, and is then rolled back. */
async function lookedAt<T>({ tenant }: Session, commit: boolean, work: (tx: Queryable) => Promise<T>): Promise<T> {
  let seen: { answer: T } | undefined;
  try {
    return await tenant.db.transaction(async (tx) => {
      const answer = await work(tx);
      if (commit) return answer;
      seen = { answer };
      throw new Undone();
    });
  } catch (thrown) {
    if (seen && thrown instanceof Undone) return seen.answer;
    throw thrown;
  }
}

class Undone extends Error {}

async function idOf(
  tx: Queryable,
  session: Session,
  role: RoleInFile,
  may: { add: boolean; edit: boolean },
): Promise<{ id: number; made: boolean }> {
  const s = quoted(session.tenant.schema);
  const [known] = await tx.query<{ id: number }>(`select id from ${s}.role where upper(code) = upper($1)`, [role.code]);
  if (known) {
    if (!may.edit)
      throw new AppError(403, 'forbidden', `You may not change the role ${role.code}.`, { reason: 'page_type' });
    return { id: known.id, made: false };
  }
  if (!may.add)
    throw new AppError(403, 'forbidden', `The role ${role.code} does not exist, and you may not add roles.`, {
      reason: 'page_type',
    });
  const [taken] = await tx.query(`select 1 from ${s}.role where lower(role_name) = lower($1)`, [role.role_name]);
  if (taken)
    throw invalid([
      { field: 'file', message: `Role ${role.code}: the name ${role.role_name} is already another role's.` },
    ]);
  const [row] = await tx.query<{ id: number }>(
    `insert into ${s}.role (code, role_name, description, is_system, created_by, updated_by) values ($1, $2, $3, false, $4, $4) returning id`,
    [role.code, role.role_name, role.description, session.userId],
  );
  await tx.query(
    `insert into ${s}.history (record_type, record_id, version, op, by, what) values ('role', $1, 1, 'I', $2, 'import')`,
    [row!.id, session.userId],
  );
  return { id: row!.id, made: true };
}

type Granted = Pick<RoleInFile, 'modules' | 'screens' | 'actions' | 'fields'>;

/** Field rights: the wider of both, or only the file's. A file without field rights leaves them unchanged. */
function fieldsOf(before: Granted, file: Granted, mode: RoleImportMode): FieldRight[] {
  const key = (right: FieldRight) => `${right.record_type} ${right.field}`;
  const said = new Map(file.fields?.map((right) => [key(right), right]));
  const old = (before.fields ?? []).map((right): FieldRight => {
    const access = said.get(key(right))?.access ?? (file.fields && mode === 'replace' ? 'write' : right.access);
    return { ...right, access: mode === 'merge' ? widerAccess(access, right.access) : access };
  });
  const known = new Set(old.map(key));
  // Merging removes nothing, so it restricts no further field.
  return mode === 'merge' ? old : [...old, ...(file.fields ?? []).filter((right) => !known.has(key(right)))];
}

/** The union of the role's and the file's grants. */
function merge(before: Granted, file: Granted): Granted {
  const modules = new Map(before.modules.map((row) => [row.module_code, row]));
  for (const row of file.modules) {
    const old = modules.get(row.module_code);
    modules.set(
      row.module_code,
      old
        ? {
            ...old,
            active: old.active || row.active,
            hide_all: old.active ? old.hide_all && row.hide_all : row.hide_all,
          }
        : row,
    );
  }
  const screens = new Map(before.screens.map((row) => [row.screen_code, row]));
  for (const row of file.screens) {
    const old = screens.get(row.screen_code);
    const scope =
      old && SCOPES.indexOf(old.data_scope) > SCOPES.indexOf(row.data_scope) ? old.data_scope : row.data_scope;
    screens.set(
      row.screen_code,
      rightOf(row.screen_code, (page) => row[page] || (old?.[page] ?? false), scope),
    );
  }
  return {
    modules: [...modules.values()],
    screens: [...screens.values()],
    actions: [...new Set([...before.actions, ...file.actions])].sort(),
    fields: fieldsOf(before, file, 'merge'),
  };
}

/** Exactly the file's grants; all others of the role are removed. */
function replace(before: Granted, file: Granted): Granted {
  const modules = new Map(before.modules.map((row) => [row.module_code, { ...row, active: false }]));
  for (const row of file.modules) modules.set(row.module_code, row);
  const screens = new Map(
    before.screens.map((row) => [row.screen_code, rightOf(row.screen_code, () => false, row.data_scope)]),
  );
  for (const row of file.screens) screens.set(row.screen_code, row);
  return {
    modules: [...modules.values()],
    screens: [...screens.values()],
    actions: [...file.actions].sort(),
    fields: fieldsOf(before, file, 'replace'),
  };
}
