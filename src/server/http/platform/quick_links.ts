import type { FastifyInstance } from 'fastify';
import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { ensureTables } from '../../db/tenants.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { ScreenStore } from '../../engine/descriptors/screen_store.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { QUICK_LINK, linksFor, ownLinks } from '../../platform/menu/quick_links.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';

export interface QuickLinkDeps {
  store: ScreenStore;
  engine: Engine;
}

const TYPE = QUICK_LINK;
/** The maximum number of one's own links. */
const MAX_OWN = 100;

/**
 * Shortcuts of the start page: general ones, those of the person's roles, and the person's own, which need no right.
 */
export async function quickLinkRoutes(app: FastifyInstance, { store, engine }: QuickLinkDeps): Promise<void> {
  async function linkScreen({ tenant }: Session): Promise<Screen> {
    const screen = store.screens().get(TYPE);
    if (!screen || tenant.schema === 'public') throw notFound();
    await ensureTables(tenant, store.screens(), [TYPE]);
    return screen;
  }

  /** A session with only the right to one's own links. */
  const asOwner = (session: Session): Session => ({
    ...session,
    rights: {
      isAdmin: false,
      version: session.rights.version,
      refuse: () => null,
      refuseAction: () => null,
      dataScope: () => 'company',
    },
  });

  async function links(session: LiveSession): Promise<object> {
    const { tenant } = session;
    if (tenant.schema === 'public' || !store.screens().has(TYPE)) return { data: [] };
    await ensureTables(tenant, store.screens(), [TYPE]);
    return { data: await linksFor(session) };
  }

  for (const prefix of ['/tapi', '/api']) {
    app.get(`${prefix}/quick_links`, async (request) => links(request.session as LiveSession));

    app.post<{ Body: { title: string; url: string } }>(
      `${prefix}/quick_links`,
      {
        schema: {
          body: {
            type: 'object',
            required: ['title', 'url'],
            properties: { title: { type: 'string' }, url: { type: 'string' } },
          },
        },
      },
      async (request, reply) => {
        const session = request.session as LiveSession;
        const screen = await linkScreen(session);
        const before = await ownLinks(session);
        // Adding a page twice changes nothing.
        if (before.some(({ url }) => url === request.body.url)) return reply.code(200).send(await links(session));
        if (before.length >= MAX_OWN)
          throw new AppError(422, 'invalid', `You already have ${MAX_OWN} quick links. Remove some on Home first.`);
        const { title, url } = request.body;
        await engine.create(
          asOwner(session),
          screen,
          { title: title.trim().slice(0, 60), url, audience: 'me' },
          'star',
        );
        return reply.code(201).send(await links(session));
      },
    );

    app.delete<{ Params: { id: string } }>(`${prefix}/quick_links/:id`, async (request) => {
      const session = request.session as LiveSession;
      const screen = await linkScreen(session);
      const id = Number(request.params.id);
      if (!(await ownLinks(session)).some((link) => link.id === id)) throw notFound();
      await engine.remove(asOwner(session), screen, id);
      return links(session);
    });
  }
}
