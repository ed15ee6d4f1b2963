import type { FastifyInstance } from 'fastify';
import type { MenuNode } from '../../../descriptor/types.ts';
import { createPlatformHome } from '../../platform/clients/platform_home.ts';
import type { Environment, Menu } from '../../platform/menu/menu.ts';
import type { Directory } from '../../db/directory.ts';
import { ensureTables } from '../../db/tenants.ts';
import { mayOpen } from '../../access/rights/pages.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { ScreenStore } from '../../engine/descriptors/screen_store.ts';
import { menuOf } from '../../platform/menu/menu.ts';
import type { CompiledRights } from '../../access/rights/rights.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';

export interface DashboardDeps {
  environment: Environment;
  menu: () => Menu;
  store: ScreenStore;
  directory: Directory;
}

/** Which dashboards a session may open, and the home of the administration host. */
export async function dashboardRoutes(
  app: FastifyInstance,
  { environment, menu, store, directory }: DashboardDeps,
): Promise<void> {
  const homeOf = createPlatformHome(directory);

  for (const prefix of ['/tapi', '/api']) {
    app.get(`${prefix}/dashboards`, async (request) => {
      const session = request.session as LiveSession;
      const entries = new Map<string, MenuNode & { group: string | null }>();
      const walk = (nodes: MenuNode[], group: string | null) => {
        for (const node of nodes) {
          if (node.route !== undefined) entries.set(node.route, { ...node, group });
          walk(node.children ?? [], node.name);
        }
      };
      walk(menuOf(menu(), { session, environment, menuVariant: 'standard' }), null);
      return {
        data: [...store.pages()].flatMap(([route, page]) => {
          const entry = entries.get(route);
          // What the menu hides from this client or person is not offered here either.
          if (page.dashboard === undefined || !entry || !mayOpen(session, page)) return [];
          return [
            {
              route,
              name: entry.name,
              icon: entry.icon ?? null,
              group: entry.group,
              text: page.dashboard,
              disabled: entry.disabled ?? null,
            },
          ];
        }),
      };
    });

    app.get(`${prefix}/platform_home`, async (request) => {
      const { session } = request;
      if (session.tenant.schema !== 'public') throw notFound();
      if (!(session.rights as CompiledRights).holds(['COMMON_SCN_ADMIN_LANDING'], 'landing'))
        throw new AppError(403, 'forbidden', 'Your user type does not include the platform home.', {
          reason: 'page_type',
        });
      await ensureTables({ db: directory.main, schema: 'public' }, store.screens(), [
        'client_account',
        'admin_lead',
        'admin_campaign',
        'contact',
      ]);
      return { data: await homeOf(session) };
    });
  }
}
