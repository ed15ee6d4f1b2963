import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Screen } from '../../../descriptor/types.ts';
import type { Renamed } from '../../../domain/adoption.ts';
import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { AdoptDeps } from '../../platform/library/adopt.ts';
import { adopt, offered } from '../../platform/library/adopt.ts';
import { libraryTables } from '../../platform/library/library_tables.ts';
import { authorize } from '../../access/rights/authorize.ts';

export interface LibraryRouteDeps extends AdoptDeps {
  /** Creates the tables of types that are not used yet, of the client and of the platform. */
  ensure(tenant: Tenant, types: string[]): Promise<unknown>;
  platform: () => Promise<Tenant>;
}

const WISH = {
  type: 'object',
  required: ['ids'],
  additionalProperties: false,
  properties: {
    ids: { type: 'array', minItems: 1, maxItems: 500, items: { type: 'integer', minimum: 1 } },
    as: {
      type: 'array',
      maxItems: 500,
      items: {
        type: 'object',
        required: ['id', 'set'],
        additionalProperties: false,
        properties: {
          id: { type: 'integer', minimum: 1 },
          set: { type: 'object', additionalProperties: { type: 'string', maxLength: 250 } },
        },
      },
    },
  },
};

/** Clients copy records from the platform's libraries (platform_admin.md §3.8). */
export async function libraryRoutes(
  app: FastifyInstance,
  { ensure, platform, ...deps }: LibraryRouteDeps,
): Promise<void> {
  async function subject(request: FastifyRequest): Promise<{ session: Session; screen: Screen }> {
    const { session } = request;
    const screens = deps.screens(session);
    const screen = screens.get((request.params as { type: string }).type);
    if (!screen || session.tenant.schema === 'public') throw notFound();
    authorize(session, screen, 'add_screen', screen.access.action);
    if (!screen.library || !screens.has(screen.library.from)) throw notFound();
    const { own, platform: libraries } = libraryTables(screens, screen);
    await ensure(session.tenant, own);
    await ensure(await platform(), libraries);
    return { session, screen };
  }

  for (const prefix of ['/tapi', '/api']) {
    app.get(`${prefix}/:type/library`, async (request) => {
      const { session, screen } = await subject(request);
      return offered(deps, session, screen);
    });
    app.post(`${prefix}/:type/library`, { schema: { body: WISH }, attachValidation: true }, async (request) => {
      const { session, screen } = await subject(request);
      if (request.validationError)
        throw new AppError(
          400,
          'bad_request',
          'ids is a list of at most 500 ids of the library; as says of some of them under which keys they come.',
          { field: 'ids' },
        );
      const { ids, as } = request.body as { ids: number[]; as?: Renamed[] };
      return { data: await adopt(deps, session, screen, ids, as) };
    });
  }
}
