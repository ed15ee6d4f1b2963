import type { FastifyInstance } from 'fastify';
import type { MenuNode } from '../../../descriptor/types.ts';
import { readPlatformUseBy } from '../../modules/admin/platform_use.ts';
import { createPlatformUse } from '../../platform/clients/platform_use.ts';
import type { Environment, Menu } from '../../platform/menu/menu.ts';
import type { Directory } from '../../db/directory.ts';
import { mayOpen } from '../../access/rights/pages.ts';
import type { ScreenStore } from '../../engine/descriptors/screen_store.ts';
import { menuOf } from '../../platform/menu/menu.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';

export interface DashboardDeps {
  environment: Environment;
  menu: () => Menu;
  store: ScreenStore;
  directory: Directory;
}

/** Which dashboards a session may open. */
export async function dashboardRoutes(
  app: FastifyInstance,
  { environment, menu, store, directory }: DashboardDeps,
): Promise<void> {
  readPlatformUseBy(directory.main, createPlatformUse(directory));

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
      const pages = store.pages();
      return {
        // In the order of the menu; what it hides from this client or person is not offered here either.
        data: [...entries].flatMap(([route, entry]) => {
          const page = pages.get(route);
          if (page?.dashboard === undefined || !mayOpen(session, page)) return [];
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
  }
}
