import { writeEntries } from '../../db/search_entries.ts';
import type { Menu } from '../../platform/menu/menu.ts';
import { roleNamed, roleVersions, versionOf } from '../../access/rights/role_versions.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PageType, Screen } from '../../../descriptor/types.ts';
import { fieldRightError } from '../../../descriptor/overlay.ts';
import type { FieldRight } from '../../../domain/field_access.ts';
import { FIELD_ACCESSES } from '../../../domain/field_access.ts';
import type { RoleImportMode } from '../../../domain/role_import.ts';
import type { RoleTemplate } from '../../platform/clients/role_template.ts';
import { ROLE_TEMPLATES, snapshotOf } from '../../platform/clients/role_templates.ts';
import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import { AppError, invalid, notFound } from '../../db/errors.ts';
import type { ScreenStore } from '../../engine/descriptors/screen_store.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import type { Engine } from '../../engine/records/engine.ts';
import type { LimitedReading } from '../../engine/excel/limited_reading.ts';
import { groupsOfMasters, notServed } from '../../platform/menu/screen_groups.ts';
import type { Audit } from '../../services/audit/audit.ts';
import { authorize, authorizeAction } from '../../access/rights/authorize.ts';
import { beyondCurrentRights } from '../../access/rights/elevation.ts';
import type { ReadAs } from '../../access/rights/explain.ts';
import { effectiveRights, explainRights } from '../../access/rights/explain.ts';
import {
  applyTemplate,
  importRoles,
  readRolesFile,
  rolesForFile,
  rolesJson,
  rolesWorkbook,
} from '../../access/rights/role_files.ts';
import type { RightsChange, RoleRights, ScreenOfMatrix, Snapshot } from '../../access/rights/role_rights.ts';
import { MODULE_NAMES, PRODUCT_OF_MODULE } from '../../../domain/modules.ts';
import {
  ACTION_CODES,
  compareRights,
  copyRole,
  holdersOf,
  readRoleRights,
  saveRoleRights,
  screenCatalogue,
  warningsOf,
} from '../../access/rights/role_rights.ts';
import type { CompiledRights } from '../../access/rights/rights.ts';
import { PAGE_TYPES } from '../../access/rights/rights.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';

export interface RightsRouteDeps {
  store: ScreenStore;
  menu: () => Menu;
  notifications: Notifications;
  engine: Engine;
  /** The screens as the session's client has them. */
  screens: (session: Session) => ReadonlyMap<string, Screen>;
  /** Creates the tables of types that the tenant has not used yet. */
  ensure(tenant: Tenant, types: string[]): Promise<unknown>;
  audit: Audit;
  /** Reads role files in an isolated process. */
  reading: LimitedReading;
  /** Invalidates the cached sessions of a client. */
  forget(schema: string): void;
}

/** The maximum size of a role file: codes and ticks, a few kilobytes per role. */
const ROLE_FILE_BYTES = 4 * 1024 * 1024;

const bool = { type: 'boolean' } as const;
const saveBody = {
  type: 'object',
  required: ['version'],
  properties: {
    version: { type: 'integer' },
    note: { type: 'string', maxLength: 250 },
    modules: {
      type: 'array',
      maxItems: 100,
      items: {
        type: 'object',
        required: ['module_code', 'active', 'hide_all'],
        properties: { module_code: { type: 'string' }, active: bool, hide_all: bool },
      },
    },
    screens: {
      type: 'array',
      maxItems: 2000,
      items: {
        type: 'object',
        required: ['screen_code', 'data_scope', ...PAGE_TYPES],
        properties: {
          screen_code: { type: 'string' },
          data_scope: { type: 'string' },
          ...Object.fromEntries(PAGE_TYPES.map((page) => [page, bool])),
        },
      },
    },
    actions: { type: 'array', maxItems: 50, items: { type: 'string' } },
    fields: {
      type: 'array',
      maxItems: 2000,
      items: {
        type: 'object',
        required: ['record_type', 'field', 'access'],
        properties: { record_type: { type: 'string' }, field: { type: 'string' }, access: { type: 'string' } },
      },
    },
  },
} as const;

/** Rights of roles: the matrix, its versions, copies, and explanations of rights. */
export async function rightsRoutes(
  app: FastifyInstance,
  { store, menu, notifications, engine, screens: screensOf, ensure, audit, reading, forget }: RightsRouteDeps,
): Promise<void> {
  /** The screens that a role of the client may tick: those of the product, and those added by the platform. */
  const catalogue = (tenant: Tenant): ScreenOfMatrix[] => {
    if (tenant.schema === 'public') return [];
    const own = (tenant.catalogue?.added ?? []).map(({ code, name, route, module }): ScreenOfMatrix => ({
      screen_code: code,
      name,
      route,
      modules: module === null ? [] : [module],
      products: [],
      has: ['landing'],
    }));
    const served = [
      ...screenCatalogue(store.screens().values(), store.pages()).map((screen) => ({
        ...screen,
        products: screen.products.filter((code) => code !== ''),
      })),
      ...own,
    ];
    const groups = groupsOfMasters(menu());
    const later = notServed(menu(), new Set(served.map(({ screen_code: code }) => code)));
    return [...served, ...later].map((screen) => {
      const group = groups.get(screen.screen_code);
      return group === undefined ? screen : { ...screen, group };
    });
  };

  /** The client's record types as its administrators see them, regardless of the caller's restrictions. */
  const typesOf = (session: Session): Map<string, Screen> =>
    new Map(
      [
        ...screensOf({ ...session, rights: { ...session.rights, isAdmin: true, restricted: false } as CompiledRights }),
      ].filter(([, screen]) => screen.scope !== 'platform'),
    );

  function roleScreen(session: Session, page: PageType): Screen {
    const screen = store.screens().get('role');
    if (!screen || session.tenant.schema === 'public') throw notFound();
    authorize(session, screen, page, page === 'landing' || page === 'view_screen' ? null : screen.access.action);
    return screen;
  }

  function idOf(request: FastifyRequest): number {
    const { id } = request.params as { id: string };
    if (!/^\d{1,15}$/.test(id)) throw notFound();
    return Number(id);
  }

  const templateOf = ({ template_code: code }: RoleRights['role']): RoleTemplate | undefined =>
    ROLE_TEMPLATES.find((template) => template.code === code);

  async function answer(rights: RoleRights, session: Session): Promise<object> {
    const { tenant } = session;
    const types = typesOf(session);
    const holders = await holdersOf(tenant.db, tenant.schema, rights.role.id);
    const screens = catalogue(tenant);
    const own = new Map(rights.screens.map((right) => [right.screen_code, right]));
    const modules = new Map(rights.modules.map((module) => [module.module_code, module]));
    const bought = new Set(tenant.products);
    const rows = screens.map((screen) => {
      const right = own.get(screen.screen_code);
      return {
        ...screen,
        is_new: tenant.catalogue?.fresh.has(screen.screen_code) ?? false,
        available:
          screen.released !== false &&
          (screen.products.length === 0 || screen.products.some((code) => bought.has(code))),
        ...Object.fromEntries(PAGE_TYPES.map((page) => [page, right?.[page] ?? false])),
        data_scope: right?.data_scope ?? 'company',
      };
    });
    return {
      data: {
        role: { ...rights.role, users: holders.length, template: templateOf(rights.role)?.name ?? null },
        modules: Object.keys(MODULE_NAMES).map((code) => {
          const product = PRODUCT_OF_MODULE[code];
          const mine = rows.filter((row) => row.modules.includes(code));
          return {
            module_code: code,
            module_name: MODULE_NAMES[code],
            product: product === undefined ? null : `MS_${product}`,
            bought: product === undefined || bought.has(product),
            active: modules.get(code)?.active ?? false,
            hide_all: modules.get(code)?.hide_all ?? false,
            screens: mine.length,
            ticked: mine.filter((row) => own.has(row.screen_code)).length,
          };
        }),
        screens: rows,
        actions: rights.actions,
        fields: rights.fields.map((right) => ({
          ...right,
          title: types.get(right.record_type)?.fields.find(({ name }) => name === right.field)?.title ?? right.field,
        })),
        record_types: [...types.values()]
          .map(({ name, plural, access }) => ({ name, plural, screens: access.screens }))
          .sort((a, b) => a.plural.localeCompare(b.plural)),
        action_codes: ACTION_CODES,
        warnings: warningsOf(
          rights.modules,
          rights.screens,
          new Map(screens.map((screen) => [screen.screen_code, screen])),
        ),
      },
    };
  }

  /** Rights were saved: they apply from the next call on, and the holders of the role are notified. */
  async function notifyUsers(session: LiveSession, users: number[]): Promise<void> {
    forget(session.tenant.schema);
    const notified = users.filter((id) => id !== session.userId);
    await session.tenant.db.transaction((tx) =>
      notifications.notify(tx, session.tenant, {
        event: 'rights.changed',
        to: notified,
        values: { actor: session.userName },
        groupKey: 'rights',
      }),
    );
  }

  /** Oneself, or anybody with the right to the audit. */
  function askedAbout(session: LiveSession, given: string | undefined): number {
    if (session.tenant.schema === 'public') throw notFound();
    const userId = given === undefined || given === '' ? session.userId : Number(given);
    if (!Number.isSafeInteger(userId))
      throw new AppError(400, 'bad_request', 'user_id must be the number of a user.', { field: 'user_id' });
    if (userId !== session.userId && !session.rights.isAdmin && session.rights.refuseAction('VIEW_AUDIT'))
      throw new AppError(403, 'forbidden', 'You may only ask about yourself.', { reason: 'action' });
    return userId;
  }

  /** A role's rights now, or those of one of its versions. */
  async function sideOf(
    session: Session,
    id: string | undefined,
    version: string | undefined,
  ): Promise<{ role: RoleRights['role']; rights: Snapshot; version_no: number }> {
    if (!/^\d{1,15}$/.test(id ?? '') || (version !== undefined && version !== '' && !/^\d{1,9}$/.test(version)))
      throw new AppError(400, 'bad_request', 'Name two roles by their numbers.', { field: 'left' });
    const now = await readRoleRights(session.tenant.db, session.tenant.schema, Number(id));
    if (version === undefined || version === '' || Number(version) === now.role.version)
      return { role: now.role, rights: now, version_no: now.role.version };
    const rights = await versionOf(session.tenant, Number(id), Number(version));
    if (!rights) throw notFound();
    return { role: now.role, rights, version_no: Number(version) };
  }

  async function save(request: FastifyRequest, roleId: number, change: RightsChange): Promise<object> {
    const session = request.session as LiveSession;
    const { users, ...saved } = await saveRoleRights(
      session,
      roleId,
      change,
      catalogue(session.tenant),
      typesOf(session),
      (tx, { changes }) =>
        audit(
          session.tenant,
          {
            actor: session.userId,
            action: 'rights.save',
            target: `role:${roleId}`,
            sid: session.sid,
            ip: request.ip,
            summary: `${changes} changes`,
            diff: { modules: change.modules, screens: change.screens, actions: change.actions, fields: change.fields },
          },
          tx,
        ),
    );
    if (saved.changes > 0) await notifyUsers(session, users);
    return { data: saved, version: saved.version, users_affected: saved.users_affected, warnings: saved.warnings };
  }

  for (const prefix of ['/tapi', '/api']) {
    for (const name of ['screen_rights', 'module_rights']) {
      app.get(`${prefix}/${name}/:id`, async (request) => {
        roleScreen(request.session, 'landing');
        return answer(
          await readRoleRights(request.session.tenant.db, request.session.tenant.schema, idOf(request)),
          request.session,
        );
      });
      app.put(`${prefix}/${name}/:id`, { schema: { body: saveBody } }, async (request) => {
        roleScreen(request.session, 'edit_screen');
        return save(request, idOf(request), request.body as RightsChange);
      });
    }

    // The fields of a type, each with the reasons why it cannot be restricted.
    app.get<{ Params: { type: string } }>(`${prefix}/role_fields/:type`, async (request) => {
      roleScreen(request.session, 'landing');
      const screen = typesOf(request.session).get(request.params.type);
      if (!screen) throw notFound();
      const reasons = (name: string) =>
        Object.fromEntries(FIELD_ACCESSES.map((access) => [access, fieldRightError(screen, name, access, false)]));
      return {
        data: screen.fields
          .filter((field) => !field.count)
          .map(({ name, title, required, default: value }) => ({
            name,
            title,
            reasons: reasons(name),
            must: required && value === undefined,
          })),
      };
    });

    app.post(
      `${prefix}/role/:id/copy`,
      {
        schema: {
          body: {
            type: 'object',
            required: ['role_name'],
            properties: { role_name: { type: 'string', maxLength: 60 } },
          },
        },
      },
      async (request, reply) => {
        const session = request.session as LiveSession;
        roleScreen(session, 'add_screen');
        const name = (request.body as { role_name: string }).role_name.trim();
        if (name === '') throw invalid([{ field: 'role_name', message: 'Enter a name for the new role.' }]);
        const roleId = idOf(request);
        if (!session.rights.isAdmin && session.roleIds.includes(roleId))
          throw new AppError(403, 'elevation', 'You hold this role yourself. Ask an administrator to copy it.');
        const beyond = await beyondCurrentRights(session, [roleId], typesOf(session));
        if (beyond !== null) throw new AppError(403, 'elevation', beyond);
        if (await roleNamed(session.tenant.db, session.tenant.schema, name))
          throw new AppError(409, 'duplicate', `Role name ${name} already exists.`, { field: 'role_name' });
        const id = await copyRole(session, roleId, name, async (tx, copy) => {
          await writeEntries(tx, session.tenant.schema, store.screens().get('role')!, [copy]);
          await audit(
            session.tenant,
            {
              actor: session.userId,
              action: 'role.copy',
              target: `role:${copy}`,
              summary: `of ${roleId}`,
              sid: session.sid,
              ip: request.ip,
            },
            tx,
          );
        });
        return reply.code(201).send({ data: { id, role_name: name } });
      },
    );

    app.get(`${prefix}/role/:id/versions`, async (request) => {
      const { session } = request;
      roleScreen(session, 'landing');
      return { data: await roleVersions(session.tenant, idOf(request)) };
    });

    app.post(
      `${prefix}/role/:id/restore`,
      {
        schema: {
          body: {
            type: 'object',
            required: ['version_no', 'version'],
            properties: { version_no: { type: 'integer' }, version: { type: 'integer' } },
          },
        },
      },
      async (request) => {
        const { session } = request;
        roleScreen(session, 'edit_screen');
        const roleId = idOf(request);
        const { version_no: number, version } = request.body as { version_no: number; version: number };
        const snapshot = await versionOf(session.tenant, roleId, number);
        if (!snapshot) throw notFound();
        const now = await readRoleRights(session.tenant.db, session.tenant.schema, roleId);
        const known = new Set(catalogue(session.tenant).map((screen) => screen.screen_code));
        const kept = snapshot.screens.filter((right) => known.has(right.screen_code));
        const then = new Set(kept.map((right) => right.screen_code));
        const off = now.screens
          .filter((right) => !then.has(right.screen_code) && known.has(right.screen_code))
          .map((right) => ({ ...right, ...Object.fromEntries(PAGE_TYPES.map((page) => [page, false])) }));
        const closed = now.modules
          .filter((module) => !snapshot.modules.some((one) => one.module_code === module.module_code))
          .map((module) => ({ ...module, active: false }));
        return save(request, roleId, {
          version,
          modules: [...snapshot.modules, ...closed],
          screens: [...kept, ...off] as RightsChange['screens'] & object,
          actions: snapshot.actions,
          fields: fieldsAgain(now.fields, snapshot.fields ?? [], typesOf(session)),
          note: `Version ${number} restored`,
        });
      },
    );

    /** Previews the effect of the role's template or, with the previewed version, applies it. */
    const fromTemplate = async (session: Session, roleId: number, mode: string, version?: number) => {
      roleScreen(session, 'edit_screen');
      if (mode !== 'merge' && mode !== 'replace')
        throw new AppError(400, 'bad_request', 'mode is merge or replace.', { field: 'mode' });
      const { role } = await readRoleRights(session.tenant.db, session.tenant.schema, roleId);
      const template = templateOf(role);
      if (!template)
        throw new AppError(
          409,
          'bad_state',
          `${role.role_name} was not made from a template. Compare it with another role instead.`,
        );
      const screens = catalogue(session.tenant);
      const given = {
        name: template.name,
        ...snapshotOf(
          template,
          store.screens().values(),
          store.pages(),
          new Set(screens.map((screen) => screen.screen_code)),
        ),
      };
      const { difference, saved } = await applyTemplate(
        session,
        roleId,
        given,
        mode satisfies RoleImportMode,
        version === undefined ? null : { version },
        screens,
        typesOf(session),
      );
      return { role, template, difference, saved };
    };

    app.get(`${prefix}/role/:id/template`, async (request) => {
      const { mode = 'merge' } = request.query as Record<string, string | undefined>;
      const { role, template, difference, saved } = await fromTemplate(request.session, idOf(request), mode);
      return {
        data: {
          left: { id: role.id, code: role.code, role_name: role.role_name, version_no: role.version },
          right: { code: template.code, role_name: template.name },
          ...difference,
          warnings: saved.warnings,
          users_affected: saved.users_affected,
        },
      };
    });

    app.post(
      `${prefix}/role/:id/template`,
      {
        schema: {
          body: {
            type: 'object',
            required: ['version', 'mode'],
            properties: { version: { type: 'integer' }, mode: { type: 'string' } },
          },
        },
      },
      async (request) => {
        const session = request.session as LiveSession;
        const { version, mode } = request.body as { version: number; mode: string };
        const roleId = idOf(request);
        const {
          template,
          saved: { users, ...saved },
        } = await fromTemplate(session, roleId, mode, version);
        if (saved.changes > 0) {
          await audit(session.tenant, {
            actor: session.userId,
            action: 'rights.save',
            target: `role:${roleId}`,
            sid: session.sid,
            ip: request.ip,
            summary: `${saved.changes} changes, from the template ${template.name} (${mode})`,
          });
          await notifyUsers(session, users);
        }
        return { data: saved };
      },
    );

    app.get(`${prefix}/role_rights/compare`, async (request) => {
      const { session } = request;
      roleScreen(session, 'landing');
      const query = request.query as Record<string, string | undefined>;
      const left = await sideOf(session, query.left, query.left_version);
      const right = await sideOf(session, query.right, query.right_version);
      const of = ({ role, version_no }: typeof left) => ({
        id: role.id,
        code: role.code,
        role_name: role.role_name,
        version_no,
      });
      return {
        data: {
          left: of(left),
          right: of(right),
          ...compareRights(left.rights, right.rights, catalogue(session.tenant)),
        },
      };
    });

    app.get(`${prefix}/role_rights/export`, async (request, reply) => {
      const session = request.session as LiveSession;
      roleScreen(session, 'landing');
      authorizeAction(session, 'EXPORT_DATA');
      const { ids: text = '', format = 'xlsx' } = request.query as Record<string, string | undefined>;
      if (format !== 'xlsx' && format !== 'json')
        throw new AppError(400, 'bad_request', 'format is xlsx or json.', { field: 'format' });
      if (text !== '' && !/^\d{1,15}(,\d{1,15}){0,499}$/.test(text))
        throw new AppError(400, 'bad_request', 'ids must be numbers of roles with commas between them.', {
          field: 'ids',
        });
      const roles = await rolesForFile(
        session.tenant.db,
        session.tenant.schema,
        text === '' ? null : text.split(',').map(Number),
      );
      if (roles.length === 0) throw notFound();
      await audit(session.tenant, {
        actor: session.userId,
        action: 'export',
        target: 'role',
        sid: session.sid,
        ip: request.ip,
        summary: `Rights of ${roles.length} ${roles.length === 1 ? 'role' : 'roles'} as ${format}`,
      });
      const name = roles.length === 1 ? `Role ${roles[0]!.code}` : 'Roles';
      return reply
        .type(
          format === 'json' ? 'application/json' : 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        )
        .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(`${name}.${format}`)}`)
        .send(format === 'json' ? rolesJson(roles) : rolesWorkbook(roles, catalogue(session.tenant)));
    });

    // The same file is sent twice: first for a preview, then with commit=true.
    app.post(`${prefix}/role_rights/import`, async (request) => {
      const session = request.session as LiveSession;
      const screen = roleScreen(session, 'landing');
      const refusals = {
        add: session.rights.refuse(screen, 'add_screen'),
        edit: session.rights.refuse(screen, 'edit_screen'),
      };
      if (refusals.add && refusals.edit)
        throw new AppError(403, 'forbidden', refusals.edit.message, { reason: refusals.edit.reason });
      if (screen.access.action !== null) authorizeAction(session, screen.access.action);
      authorizeAction(session, 'IMPORT_DATA');
      const { mode = 'merge', commit = 'false' } = request.query as Record<string, string | undefined>;
      if (mode !== 'merge' && mode !== 'replace')
        throw new AppError(400, 'bad_request', 'mode is merge or replace.', { field: 'mode' });
      const upload = request.isMultipart() ? await request.file({ limits: { fileSize: ROLE_FILE_BYTES } }) : undefined;
      if (!upload) throw new AppError(400, 'bad_request', 'Choose a file of roles to import.', { field: 'file' });
      const bytes = await upload.toBuffer().catch(() => {
        throw new AppError(
          413,
          'too_large',
          `At most ${ROLE_FILE_BYTES / 1024 / 1024} MB. Export fewer roles at once.`,
        );
      });
      const { roles, saved } = await importRoles(
        session,
        await readRolesFile(bytes, reading),
        mode,
        commit === 'true',
        catalogue(session.tenant),
        typesOf(session),
        { add: refusals.add === null, edit: refusals.edit === null },
      );
      for (const one of saved)
        await audit(session.tenant, {
          actor: session.userId,
          action: 'rights.import',
          target: `role:${one.roleId}`,
          sid: session.sid,
          ip: request.ip,
          summary: `${one.changes} changes (${mode})`,
        });
      if (saved.length > 0) await notifyUsers(session, [...new Set(saved.flatMap(({ users }) => users))]);
      return { data: { roles, committed: commit === 'true' } };
    });

    app.get(`${prefix}/rights/effective`, async (request) => {
      const session = request.session as LiveSession;
      const { user_id: user, entity_id: entity } = request.query as Record<string, string | undefined>;
      return {
        data: await effectiveRights(
          session.tenant,
          askedAbout(session, user),
          entity ? Number(entity) : session.entityId,
          catalogue(session.tenant),
          store.screens().values(),
        ),
      };
    });

    app.get(`${prefix}/rights/explain`, async (request) => {
      const session = request.session as LiveSession;
      const {
        user_id: user,
        screen: code,
        page = 'landing',
        entity_id: entity,
        id,
      } = request.query as Record<string, string | undefined>;
      const userId = askedAbout(session, user);
      if (!(PAGE_TYPES as string[]).includes(page))
        throw new AppError(400, 'bad_request', `page must be one of ${PAGE_TYPES.join(', ')}.`, { field: 'page' });
      const screen = [...store.screens().values()].find(
        (one) => one.scope !== 'platform' && (one.name === code || one.access.screens.includes(code ?? '')),
      );
      if (!screen) throw new AppError(404, 'not_found', 'There is no such screen.', { field: 'screen' });
      if (id !== undefined && !/^\d{1,15}$/.test(id))
        throw new AppError(400, 'bad_request', 'id must be the number of a record.', { field: 'id' });
      if (id !== undefined) await ensure(session.tenant, [screen.name]);
      const readAs: ReadAs = (as, asked, record) => engine.read(as, screensOf(as).get(asked.name) ?? asked, record);
      return explainRights(
        session.tenant,
        userId,
        screen,
        page as PageType,
        entity ? Number(entity) : session.entityId,
        id === undefined ? undefined : { id: Number(id), readAs },
      );
    });
  }
}

/** The field rights of an older version, restored: newer restrictions are removed. */
function fieldsAgain(now: FieldRight[], then: FieldRight[], types: ReadonlyMap<string, Screen>): FieldRight[] {
  const known = then.filter((right) => types.get(right.record_type)?.fields.some(({ name }) => name === right.field));
  return [
    ...known,
    ...now
      .filter((right) => !then.some((one) => one.record_type === right.record_type && one.field === right.field))
      .map((right): FieldRight => ({ ...right, access: 'write' })),
  ];
}
