import { shownScreen } from './hidden_fields.ts';
import type { FastifyInstance } from 'fastify';
import type { PageType } from '../../../descriptor/types.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { Tenant } from '../../db/tenant.ts';
import { problemsFor } from '../../engine/descriptors/in_force.ts';
import type { ScreenStore } from '../../engine/descriptors/screen_store.ts';
import type { TenantScreens } from '../../engine/descriptors/tenant_screens.ts';
import type { Validators } from '../../engine/descriptors/validators.ts';
import { authorizeAdmin, authorizeAny } from '../../access/rights/authorize.ts';

export interface ScreenRouteDeps {
  store: ScreenStore;
  tenantScreens: TenantScreens;
  tenantOf(subDomain: string): Promise<Tenant | null>;
  validators: Validators;
}

const ANY_PAGE: PageType[] = [
  'landing',
  'view_screen',
  'edit_screen',
  'add_screen',
  'approval_screen',
  'transfer_screen',
];

/** Compiled descriptors and their validators, only with the right to some page of them. */
export async function screenRoutes(
  app: FastifyInstance,
  { store, tenantScreens, validators, tenantOf }: ScreenRouteDeps,
): Promise<void> {
  for (const prefix of ['/tapi', '/api']) {
    app.get(`${prefix}/screens/problems`, async (request) => {
      authorizeAdmin(request.session);
      return { data: problemsFor(store.problems(), request.session.tenant.subDomain) };
    });

    app.get<{ Params: { name: string } }>(`${prefix}/screens/:name`, async (request) => {
      const screen = tenantScreens.of(request.session).get(request.params.name);
      if (!screen) throw notFound();
      authorizeAny(request.session, screen, ANY_PAGE);
      return {
        data: {
          screen: shownScreen(screen),
          validator: `/screens/${tenantScreens.addressOf(request.session, screen)}.js`,
        },
      };
    });
  }

  app.get<{ Params: { file: string } }>('/screens/:file', { config: { public: true } }, async (request, reply) => {
    const match =
      /^([0-9a-f]{32}(?:\.[a-z0-9-]{1,63}\.[01]{0,60}(?:\.[a-z0-9_]{1,64}~[0-3]{0,1000})?)?)\.(json|js)$/.exec(
        request.params.file,
      );
    const screen = match?.[1] === undefined ? null : await tenantScreens.ofAddress(match[1], tenantOf);
    if (!screen) throw new AppError(404, 'not_found', 'This address is not in use.');
    reply.header('cache-control', 'public, max-age=31536000, immutable').header('vary', 'accept-encoding');
    if (match?.[2] === 'json') return shownScreen(screen);
    const { plain, br } = await validators.of(screen);
    reply.type('text/javascript; charset=utf-8');
    if (/\bbr\b/.test(String(request.headers['accept-encoding'] ?? '')))
      return reply.header('content-encoding', 'br').send(br);
    return reply.send(plain);
  });
}
