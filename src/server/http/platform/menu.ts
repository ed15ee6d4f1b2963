import type { FastifyInstance } from 'fastify';
import type { Environment, Menu } from '../../platform/menu/menu.ts';
import { mayOpen } from '../../access/rights/pages.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { ScreenState } from '../../engine/descriptors/screen_state.ts';
import type { ScreenStore } from '../../engine/descriptors/screen_store.ts';
import type { TenantScreens } from '../../engine/descriptors/tenant_screens.ts';
import type { Brands } from '../../platform/brand/brand.ts';
import { SETTING_DEFAULTS, clientSettings } from '../../services/settings/client_settings.ts';
import { hostHeader } from '../../access/sessions/guard.ts';
import { menuOf, screenRef } from '../../platform/menu/menu.ts';
import { menuChanges, variantOf } from '../../platform/menu/menu_variant.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';

export interface MenuRouteDeps {
  environment: Environment;
  menu: () => Menu;
  store: ScreenStore;
  tenantScreens: TenantScreens;
  screenState: ScreenState;
  brands: Brands;
  tenantOf(subDomain: string): Promise<Tenant | null>;
}

/** The session's menu, and a host's information before signing in. */
export async function menuRoutes(
  app: FastifyInstance,
  { environment, menu, store, tenantScreens, screenState, tenantOf, brands }: MenuRouteDeps,
): Promise<void> {
  for (const prefix of ['/tapi', '/api']) {
    app.get(`${prefix}/menu`, async (request) => {
      const session = request.session as LiveSession;
      // Before anything is read, so that concurrent changes make the browser reload.
      const state = screenState(session);
      const { menu_variant: menuVariant } = await brands.of(hostHeader(request), request.tenantHost);
      const screens = [...tenantScreens.of(session).values()].flatMap((screen) => screenRef(session, screen) ?? []);
      const whole = menuOf(menu(), { session, environment, menuVariant });
      const pages = [...store.pages()].flatMap(([path, page]) => (mayOpen(session, page) ? [path] : []));
      const own = session.tenant.schema === 'public' ? [] : await menuChanges(session.tenant, session.entityId);
      // The platform's settings take precedence over the client's.
      const platform = (session.tenant.catalogue?.menu ?? []).filter(
        ({ screen }) => screen === undefined || session.rights.holds([screen], 'landing'),
      );
      const changes = [...platform, ...own];
      const { tree, hidden } = variantOf(whole, changes, menu(), {
        screens,
        pages,
        board: menuVariant === 'board',
      });
      return {
        data: {
          tree,
          screens,
          pages,
          dashboards: [...store.dashboards().values()].flatMap(({ route }) => (pages.includes(route) ? [route] : [])),
          ...(hidden.length > 0 && { hidden }),
          ...(session.tenant.notices && { notices: session.tenant.notices }),
          ...(session.tenant.held && { held: true }),
          ...(session.rights.isAdmin && { problems: store.problems().length }),
          state,
        },
      };
    });

    app.get(`${prefix}/host`, { config: { public: true } }, async (request, reply) => {
      const host = request.tenantHost;
      const brand = await brands.of(hostHeader(request), host);
      if (host.kind === 'unknown')
        return reply.code(404).send({ data: { known: false, admin: false, sub_domain: null, brand } });
      const tenant = host.kind === 'tenant' ? await tenantOf(host.subDomain) : null;
      const settings = tenant ? await clientSettings(tenant) : SETTING_DEFAULTS;
      return {
        data: {
          known: true,
          admin: host.kind === 'admin',
          sub_domain: host.kind === 'tenant' ? host.subDomain : host.kind === 'admin' ? 'admin' : null,
          brand,
          // What pages need before anybody has signed in.
          password: {
            min_length: settings.password_min_length,
            trim: settings.trim_password,
            link_minutes: settings.reset_link_minutes,
          },
          force_reload_on_new_version: settings.force_reload_on_new_version,
        },
      };
    });
  }
}
