import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { authorize } from '../../access/rights/authorize.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { AppError, notFound } from '../../db/errors.ts';
import { ensureTables } from '../../db/tenants.ts';
import type { ScreenStore } from '../../engine/descriptors/screen_store.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { CHAPTER, FEEDBACK, MANUAL, chapterForScreen, chapterOf, manualOf } from '../../platform/manuals/manual.ts';
import { chapterOfDraft } from '../../platform/manuals/next_version.ts';
import { contentsOf, countRead, manualsToRead, ownFeedback } from '../../platform/manuals/reading.ts';
import { chaptersOfReport, describedScreens } from '../../platform/manuals/report.ts';
import { fileLink } from '../../services/files/signed_link.ts';

export interface ManualDeps {
  store: ScreenStore;
  engine: Engine;
  /** Key that signs file addresses. */
  fileKey: Buffer;
}

/**
 * Manuals: reading and searching them, and feedback of readers (platform_admin.md §4.4). Their states are in their
 * descriptor.
 */
export async function manualRoutes(app: FastifyInstance, { store, engine, fileKey }: ManualDeps): Promise<void> {
  const screenOf = (type: string): Screen => {
    const screen = store.screens().get(type);
    if (!screen) throw notFound();
    return screen;
  };

  async function reader(request: FastifyRequest): Promise<LiveSession> {
    const session = request.session as LiveSession;
    const { tenant } = session;
    if (tenant.schema === 'public') throw notFound();
    await ensureTables(tenant, store.screens(), [MANUAL, CHAPTER, FEEDBACK]);
    return session;
  }
  const chapterAsked = async (request: FastifyRequest<{ Params: { id: string } }>) => {
    const session = await reader(request);
    return { session, chapter: await chapterOf(session, screenOf(MANUAL), request.params.id) };
  };

  /** The screen codes of an address of the product. */
  function codesAt(path: string): string[] {
    const fits = (pattern: string | null) => {
      const wanted = (pattern ?? '').split('/');
      const given = path.split('/');
      return (
        wanted.length === given.length &&
        wanted.every((segment, at) => segment.startsWith(':') || segment === given[at])
      );
    };
    for (const screen of store.screens().values()) {
      const { landing, add, edit, view } = screen.routes;
      if ([landing, add, edit, view, screen.hierarchy?.route ?? null, ...Object.keys(screen.sameAs)].some(fits))
        return screen.access.screens;
    }
    for (const [pattern, page] of store.pages())
      if (fits(pattern)) return page.screen ?? [path === '/welcome_page' ? 'SCN_WELCOME_PAGE' : 'SCN_SHOW_LIST'];
    return [];
  }

  for (const prefix of ['/tapi', '/api']) {
    // The chapter behind "?" of a screen.
    app.get<{ Querystring: { screen?: string; path?: string } }>(`${prefix}/manual/for`, async (request, reply) => {
      const { screen, path } = request.query;
      if (typeof screen !== 'string' && typeof path !== 'string')
        throw new AppError(400, 'bad_request', 'Say of which screen: screen=<code> or path=<address>.', {
          field: 'screen',
        });
      const session = await reader(request);
      const codes = typeof screen === 'string' ? [screen] : codesAt(path!);
      const found = codes.length === 0 ? null : await chapterForScreen(session, screenOf(MANUAL), codes);
      return found ?? reply.code(204).send();
    });

    // The readable manuals, or the search results.
    app.get<{ Querystring: { q?: string } }>(`${prefix}/manual/read`, async (request) => {
      const session = await reader(request);
      const { q = '' } = request.query;
      if (typeof q !== 'string' || q.length > 200 || q.includes('\0'))
        throw new AppError(400, 'bad_request', 'q is given once, with at most 200 characters.', { field: 'q' });
      return { data: await manualsToRead(session, screenOf(MANUAL), q) };
    });

    app.get<{ Params: { batch_value: string } }>(`${prefix}/manual/view/:batch_value`, async (request) => {
      const session = await reader(request);
      const screen = screenOf(MANUAL);
      const manual = await manualOf(session, screen, request.params.batch_value);
      return {
        data: {
          ...(await contentsOf(session, screen, manual)),
          may_write: session.rights.refuse(screenOf(CHAPTER), 'edit_screen') === null,
        },
      };
    });

    // One's own answer to "Was this useful?"; a second one replaces the first.
    app.put<{ Params: { id: string } }>(
      `${prefix}/manual/chapters/:id/feedback`,
      {
        schema: {
          body: {
            type: 'object',
            required: ['useful'],
            properties: { useful: { type: 'boolean' }, remark: { type: ['string', 'null'], maxLength: 250 } },
          },
        },
      },
      async (request) => {
        const { session, chapter } = await chapterAsked(request);
        const { useful, remark = null } = request.body as { useful: boolean; remark?: string | null };
        const screen = screenOf(FEEDBACK);
        const own = await ownFeedback(session, chapter.id);
        // Everybody may answer, regardless of the right to the list of answers.
        const asked: Session = {
          ...session,
          rights: {
            ...session.rights,
            isAdmin: false,
            version: session.rights.version,
            refuse: () => null,
            refuseAction: () => null,
            dataScope: () => 'company',
          },
        };
        if (own) await engine.update(asked, screen, own.id, { version: own.version, useful, remark }, 'manual');
        else
          await engine.create(
            asked,
            screen,
            { chapter_id: chapter.id, user_id: session.userId, useful, remark },
            'manual',
          );
        return { data: { useful, remark } };
      },
    );

    // A chapter of a published manual was opened to be read.
    app.put<{ Params: { id: string } }>(`${prefix}/manual/chapters/:id/read`, async (request, reply) => {
      const { session, chapter } = await chapterAsked(request);
      if (chapter.manual.state === 'published') await countRead(session, chapter.id);
      return reply.code(204).send();
    });

    // A picture in a chapter, for people who may read the chapter.
    app.get<{ Params: { id: string; file: string } }>(
      `${prefix}/manual/chapters/:id/files/:file/link`,
      async (request) => {
        const { session, chapter } = await chapterAsked(request);
        const { tenant } = session;
        if (!/^\d{1,15}$/.test(request.params.file) || !chapter.body.includes(`](file:${request.params.file})`))
          throw notFound();
        return {
          url: fileLink({ schema: tenant.schema, file: Number(request.params.file), sid: session.sid }, fileKey),
        };
      },
    );

    // Screens without a manual, and chapters with poor feedback.
    app.get(`${prefix}/manual/report`, async (request) => {
      const session = await reader(request);
      authorize(session, screenOf(MANUAL), 'landing');
      const described = await describedScreens(session.tenant);
      const without = [...store.screens().values()]
        .filter(
          (screen) =>
            screen.scope !== 'platform' &&
            !screen.menu.hidden &&
            session.rights.holdsProduct(screen.access.products) &&
            !screen.access.screens.some((code) => described.has(code)),
        )
        .map((screen) => ({
          type: screen.name,
          title: screen.kind === 'settings' ? screen.title : screen.plural,
          screen_code: screen.access.screens[0] ?? '',
          route: screen.routes.landing,
        }))
        .sort((a, b) => a.title.localeCompare(b.title));
      return { data: { without, ...(await chaptersOfReport(session.tenant)), described: described.size } };
    });

    // Editing a published chapter: creates a draft of the next version, and opens the chapter there.
    app.post<{ Params: { id: string } }>(`${prefix}/manual/chapters/:id/edit`, async (request) => {
      const { session, chapter } = await chapterAsked(request);
      authorize(session, screenOf(CHAPTER), 'edit_screen');
      const { manual } = chapter;
      if (manual.state === 'draft' || manual.state === 'review')
        return { data: { chapter_id: chapter.id, batch_value: manual.batch_value } };
      const data = await engine.transaction(
        session,
        (unit) => chapterOfDraft(engine.unit(unit), manual.id, chapter.id),
        { cause: 'new version' },
      );
      return { data };
    });
  }
}
