import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PageType } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { ScreenStore } from '../../engine/descriptors/screen_store.ts';
import type { Audit } from '../../services/audit/audit.ts';
import type { CommonRightsChange } from '../../access/rights/common_rights.ts';
import {
  commonCatalogue,
  commonWarnings,
  groupName,
  readUserTypeRights,
  saveCommonRights,
  userTypes,
} from '../../access/rights/common_rights.ts';
import type { CompiledRights } from '../../access/rights/rights.ts';
import { PAGE_TYPES } from '../../access/rights/rights.ts';

export interface CommonRightsDeps {
  store: ScreenStore;
  audit: Audit;
}

const SCREEN = 'COMMON_SCN_COMMON_RIGHTS';
const saveBody = {
  type: 'object',
  required: ['version'],
  properties: {
    version: { type: 'integer' },
    screens: {
      type: 'array',
      maxItems: 500,
      items: {
        type: 'object',
        required: ['screen_code', ...PAGE_TYPES],
        properties: {
          screen_code: { type: 'string', maxLength: 80 },
          ...Object.fromEntries(PAGE_TYPES.map((page) => [page, { type: 'boolean' }])),
        },
      },
    },
  },
} as const;

/** The rights of each platform user type. */
export async function commonRightsRoutes(app: FastifyInstance, { store, audit }: CommonRightsDeps): Promise<void> {
  const catalogue = () => commonCatalogue(store.screens().values(), store.pages());

  function allowed(session: Session, page: PageType): Session {
    if (session.tenant.schema !== 'public') throw notFound();
    if (!(session.rights as CompiledRights).holds([SCREEN], page))
      throw new AppError(403, 'forbidden', 'Your user type does not include Common rights.', { reason: 'page_type' });
    return session;
  }

  function idOf(request: FastifyRequest): number {
    const { id } = request.params as { id: string };
    if (!/^\d{1,15}$/.test(id)) throw notFound();
    return Number(id);
  }

  for (const prefix of ['/tapi', '/api']) {
    app.get(`${prefix}/common_rights`, async (request) => ({
      data: await userTypes(allowed(request.session, 'landing').tenant.db),
    }));

    app.get(`${prefix}/common_rights/:id`, async (request) => {
      const session = allowed(request.session, 'landing');
      const { type, rights } = await readUserTypeRights(session.tenant.db, idOf(request));
      const screens = catalogue();
      const ticked = new Map(rights.map((right) => [right.screen_code, right]));
      const rows = screens.map((screen) => ({
        ...screen,
        available: true,
        data_scope: 'all_companies',
        ...Object.fromEntries(
          PAGE_TYPES.map((page) => [
            page,
            (type.is_super && screen.has.includes(page)) || (ticked.get(screen.screen_code)?.[page] ?? false),
          ]),
        ),
      }));
      return {
        data: {
          role: { id: type.id, code: type.code, role_name: type.name, version: type.version, is_system: type.is_super },
          users: type.users,
          may_edit: !type.is_super && (session.rights as CompiledRights).holds([SCREEN], 'edit_screen'),
          modules: [...new Set(screens.flatMap(({ modules }) => modules))].map((code) => {
            const mine = rows.filter((row) => row.modules.includes(code));
            return {
              module_code: code,
              module_name: groupName(code),
              product: null,
              bought: true,
              active: true,
              hide_all: false,
              screens: mine.length,
              ticked: mine.filter((row) => ticked.has(row.screen_code)).length,
            };
          }),
          screens: rows,
          actions: [],
          action_codes: [],
          warnings: commonWarnings(rights, new Map(screens.map((screen) => [screen.screen_code, screen]))),
        },
      };
    });

    app.put(`${prefix}/common_rights/:id`, { schema: { body: saveBody } }, async (request) => {
      const session = allowed(request.session, 'edit_screen');
      const [typeId, change] = [idOf(request), request.body as CommonRightsChange];
      const saved = await saveCommonRights(session, typeId, change, catalogue());
      if (saved.changes > 0)
        await audit(session.tenant, {
          actor: session.userId,
          action: 'rights.save',
          target: `user_type:${typeId}`,
          sid: session.sid,
          ip: request.ip,
          summary: `${saved.changes} changes`,
          diff: { screens: change.screens },
        });
      return { data: saved, version: saved.version, users_affected: saved.users_affected, warnings: saved.warnings };
    });
  }
}
