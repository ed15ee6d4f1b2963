import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import { quoted } from '../../db/names.ts';
import { ensureTables } from '../../db/tenants.ts';
import { AppError, notFound } from '../../db/errors.ts';
import { fileLink } from '../../services/files/signed_link.ts';
import type { ScreenStore } from '../../engine/descriptors/screen_store.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { openedFields } from '../../../descriptor/opened_fields.ts';
import { authorize } from '../../access/rights/authorize.ts';
import { clientSettings } from '../../services/settings/client_settings.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';

export interface ManualDeps {
  store: ScreenStore;
  engine: Engine;
  notifications: Notifications;
  /** Key that signs file addresses. */
  fileKey: Buffer;
}

interface Manual {
  id: number;
  batch_value: string;
  manual_no: number;
  version_no: number;
  title: string;
  full_title: string;
  summary: string | null;
  product: string | null;
  language: string;
  audience: number[] | null;
  state: string;
  published_on: string | null;
}

const MANUAL = 'user_manual';
const CHAPTER = 'user_manual_chapter';
const FEEDBACK = 'manual_feedback';
const MANUAL_COLUMNS =
  'm.id, m.batch_value, m.manual_no, m.version_no, m.title, m.full_title, m.summary, m.product, m.language, m.audience, m.state, m.published_on::text';
/** What everybody may still read; an older version only by its own address. */
const PUBLIC_STATES = new Set(['published', 'superseded']);
/** Chapters that a reader's search gives at most. */
const MOST_FOUND = 50;
/** From here on, a chapter that half of its readers did not find useful is told. */
const FEW_READERS = 1;

type Change = 'send_for_review' | 'back_to_draft' | 'publish' | 'withdraw';
const CHANGES: Record<Change, { from: string[]; to: string; approval: boolean }> = {
  send_for_review: { from: ['draft'], to: 'review', approval: false },
  back_to_draft: { from: ['review'], to: 'draft', approval: false },
  publish: { from: ['draft', 'review'], to: 'published', approval: true },
  withdraw: { from: ['published'], to: 'withdrawn', approval: true },
};

/** Manuals: reading and finding them, their states and versions, and what readers said (platform_admin.md §4.4). */
export async function manualRoutes(
  app: FastifyInstance,
  { store, engine, notifications, fileKey }: ManualDeps,
): Promise<void> {
  const screenOf = (type: string): Screen => {
    const screen = store.screens().get(type);
    if (!screen) throw notFound();
    return screen;
  };

  async function reader(request: FastifyRequest): Promise<{ session: LiveSession; tenant: Tenant; s: string }> {
    const session = request.session as LiveSession;
    const { tenant } = session;
    if (tenant.schema === 'public') throw notFound();
    await ensureTables(tenant, store.screens(), [MANUAL, CHAPTER, FEEDBACK]);
    return { session, tenant, s: quoted(tenant.schema) };
  }

  /** Whoever writes manuals reads all; others what is published for them. */
  function mayRead(session: LiveSession, manual: Manual): boolean {
    const screen = screenOf(MANUAL);
    if (session.rights.refuse(screen, 'edit_screen') === null) return true;
    if (!PUBLIC_STATES.has(manual.state)) return false;
    if (manual.product !== null && !session.rights.holdsProduct([manual.product])) return false;
    const audience = manual.audience ?? [];
    return audience.length === 0 || audience.some((role) => session.roleIds.includes(role));
  }

  async function languageOf({ tenant, userId }: Session): Promise<string> {
    const [row] = await tenant.db.query<{ language: string | null }>(
      `select language from ${quoted(tenant.schema)}.users where id = $1`,
      [userId],
    );
    return row?.language ?? 'en';
  }

  /** By its number and version (`M12-v3`) or its id. @throws AppError 404 also for what is not for this reader */
  async function manualOf(session: LiveSession, given: string): Promise<Manual> {
    const { db, schema } = session.tenant;
    const [row] = await db.query<Manual>(
      `select ${MANUAL_COLUMNS} from ${quoted(schema)}.user_manual m where m.active and ${/^\d{1,15}$/.test(given) ? 'm.id = $1::bigint' : 'lower(m.batch_value) = lower($1)'}`,
      [given],
    );
    if (!row || !mayRead(session, row))
      throw new AppError(
        404,
        'not_found',
        'There is no such manual, or it is not for your role. Choose another from the list of manuals.',
      );
    return row;
  }

  async function chapterOf(session: LiveSession, id: string): Promise<{ id: number; body: string; manual: Manual }> {
    const { db, schema } = session.tenant;
    const [row] = /^\d{1,15}$/.test(id)
      ? await db.query<{ id: number; body: string; manual_id: number }>(
          `select id, body, manual_id from ${quoted(schema)}.user_manual_chapter where id = $1 and active`,
          [id],
        )
      : [];
    if (!row) throw notFound();
    return { id: row.id, body: row.body, manual: await manualOf(session, String(row.manual_id)) };
  }

  /** The screen codes behind an address of the product. */
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
    // The chapter behind "?" of a screen: the newest that is published, first in the reader's language, then in English.
    app.get<{ Querystring: { screen?: string; path?: string } }>(`${prefix}/manual/for`, async (request, reply) => {
      const { screen, path } = request.query;
      if (typeof screen !== 'string' && typeof path !== 'string')
        throw new AppError(400, 'bad_request', 'Say of which screen: screen=<code> or path=<address>.', {
          field: 'screen',
        });
      const { session, tenant, s } = await reader(request);
      const codes = typeof screen === 'string' ? [screen] : codesAt(path!);
      if (codes.length === 0) return reply.code(204).send();
      const language = await languageOf(session);
      const rows = await tenant.db.query<Manual & { chapter_id: number }>(
        `select ${MANUAL_COLUMNS}, c.id as chapter_id from ${s}.user_manual_chapter c join ${s}.user_manual m on m.id = c.manual_id
         where c.active and m.active and m.state = 'published' and c.screen_code = any($1)
         order by (m.language = $2) desc, (m.language = 'en') desc, array_position($1, c.screen_code), m.published_on desc nulls last, m.version_no desc, c.sequence_no, c.id limit 50`,
        [codes, language],
      );
      const found = rows.find((row) => mayRead(session, row));
      if (!found) return reply.code(204).send();
      return { batch_value: found.batch_value, chapter_id: found.chapter_id };
    });

    // What there is to read, or what fits a search.
    app.get<{ Querystring: { q?: string } }>(`${prefix}/manual/read`, async (request) => {
      const { session, tenant, s } = await reader(request);
      const { q = '' } = request.query;
      if (typeof q !== 'string' || q.length > 200 || q.includes('\0'))
        throw new AppError(400, 'bad_request', 'q is given once, with at most 200 characters.', { field: 'q' });
      const manuals = (
        await tenant.db.query<Manual & { chapters: number }>(
          `select ${MANUAL_COLUMNS}, (select count(*)::int from ${s}.user_manual_chapter c where c.manual_id = m.id and c.active) as chapters
         from ${s}.user_manual m where m.active and m.state = 'published' order by m.manual_no, m.version_no desc`,
        )
      ).filter((row) => mayRead(session, row));
      const words = q
        .trim()
        .split(/\s+/)
        .filter((word) => word !== '');
      if (words.length === 0) return { data: { manuals, found: [] } };
      const found = await tenant.db.query<{ id: number; heading: string; body: string; manual_id: number }>(
        `select c.id, c.heading, c.body, c.manual_id from ${s}.user_manual_chapter c
         where c.active and c.manual_id = any($1) and (select bool_and(c.heading || ' ' || c.body ilike pattern) from unnest($2::text[]) pattern)
         order by (select bool_or(c.heading ilike pattern) from unnest($2::text[]) pattern) desc, c.manual_id, c.sequence_no limit ${MOST_FOUND}`,
        [manuals.map(({ id }) => id), words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`)],
      );
      const byId = new Map(manuals.map((manual) => [manual.id, manual]));
      return {
        data: {
          manuals,
          found: found.map(({ id, heading, body, manual_id: manual }) => ({
            chapter_id: id,
            heading,
            excerpt: excerpt(body, words),
            batch_value: byId.get(manual)!.batch_value,
            manual: byId.get(manual)!.title,
          })),
        },
      };
    });

    app.get<{ Params: { batch_value: string } }>(`${prefix}/manual/view/:batch_value`, async (request) => {
      const { session, tenant, s } = await reader(request);
      const manual = await manualOf(session, request.params.batch_value);
      const [chapters, newer, versions] = await Promise.all([
        tenant.db.query(
          `select c.id, c.sequence_no, c.heading, c.screen_code, c.body, c.video, c.updated_at, f.useful, f.remark from ${s}.user_manual_chapter c
           left join lateral (select useful, remark from ${s}.manual_feedback f where f.chapter_id = c.id and f.user_id = $2 and f.active limit 1) f on true
           where c.manual_id = $1 and c.active order by c.sequence_no, c.id`,
          [manual.id, session.userId],
        ),
        tenant.db.query<Manual>(
          `select ${MANUAL_COLUMNS} from ${s}.user_manual m where m.active and m.manual_no = $1 and m.language = $2 and m.state = 'published' and m.version_no > $3 limit 1`,
          [manual.manual_no, manual.language, manual.version_no],
        ),
        tenant.db.query<Manual>(
          `select ${MANUAL_COLUMNS} from ${s}.user_manual m where m.active and m.manual_no = $1 order by m.version_no desc`,
          [manual.manual_no],
        ),
      ]);
      return {
        data: {
          manual,
          chapters,
          newer: newer.find((row) => mayRead(session, row))?.batch_value ?? null,
          versions: versions
            .filter((row) => mayRead(session, row))
            .map(({ batch_value: batch, version_no: version, state }) => ({
              batch_value: batch,
              version_no: version,
              state,
            })),
          may_write: session.rights.refuse(screenOf(CHAPTER), 'edit_screen') === null,
          asks_readers: (await clientSettings(tenant)).manual_feedback,
        },
      };
    });

    // One's own answer to "Was this useful?"; a second one takes the place of the first.
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
        const { session, tenant, s } = await reader(request);
        const chapter = await chapterOf(session, request.params.id);
        const { useful, remark = null } = request.body as { useful: boolean; remark?: string | null };
        const screen = screenOf(FEEDBACK);
        const [own] = await tenant.db.query<{ id: number; version: number; active: boolean }>(
          `select id, version, active from ${s}.manual_feedback where chapter_id = $1 and user_id = $2`,
          [chapter.id, session.userId],
        );
        // Everybody answers, whatever the role says of the list of answers.
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
      const { session, tenant, s } = await reader(request);
      const { id, manual } = await chapterOf(session, request.params.id);
      // How often is no change of the chapter: whoever edits it goes on.
      if (manual.state === 'published')
        await tenant.db.query(`update ${s}.user_manual_chapter set reads = coalesce(reads, 0) + 1 where id = $1`, [id]);
      return reply.code(204).send();
    });

    // A picture in a chapter, for whoever may read the chapter.
    app.get<{ Params: { id: string; file: string } }>(
      `${prefix}/manual/chapters/:id/files/:file/link`,
      async (request) => {
        const { session, tenant } = await reader(request);
        const { body } = await chapterOf(session, request.params.id);
        if (!/^\d{1,15}$/.test(request.params.file) || !body.includes(`](file:${request.params.file})`))
          throw notFound();
        return {
          url: fileLink({ schema: tenant.schema, file: Number(request.params.file), sid: session.sid }, fileKey),
        };
      },
    );

    // Screens nobody has described, and chapters that did not help.
    app.get(`${prefix}/manual/report`, async (request) => {
      const { session, tenant, s } = await reader(request);
      authorize(session, screenOf(MANUAL), 'landing');
      const described = new Set(
        (
          await tenant.db.query<{ screen_code: string }>(
            `select distinct c.screen_code from ${s}.user_manual_chapter c join ${s}.user_manual m on m.id = c.manual_id where c.active and m.active and m.state = 'published' and c.screen_code is not null`,
          )
        ).map((row) => row.screen_code),
      );
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
      const chapters = await tenant.db.query(
        `select c.id as chapter_id, c.heading, m.batch_value, m.full_title as manual, count(*) filter (where f.useful)::int as useful, count(*) filter (where not f.useful)::int as not_useful,
           coalesce(array_agg(f.remark order by f.updated_at desc) filter (where not f.useful and f.remark is not null), '{}') as remarks
         from ${s}.manual_feedback f join ${s}.user_manual_chapter c on c.id = f.chapter_id join ${s}.user_manual m on m.id = c.manual_id
         where f.active and c.active and m.active group by c.id, m.id
         having count(*) >= ${FEW_READERS} and count(*) filter (where not f.useful) * 2 >= count(*) order by not_useful desc, c.id limit 200`,
      );
      const read = await tenant.db.query(
        `select c.id as chapter_id, c.heading, m.batch_value, m.full_title as manual, coalesce(c.reads, 0) as reads from ${s}.user_manual_chapter c join ${s}.user_manual m on m.id = c.manual_id
         where c.active and m.active and m.state = 'published' order by reads desc, lower(c.heading), c.id limit 200`,
      );
      return { data: { without, not_useful: chapters, read, described: described.size } };
    });

    // Editing a chapter that people read: a draft of the next version is made, and its own chapter is opened.
    app.post<{ Params: { id: string } }>(`${prefix}/manual/chapters/:id/edit`, async (request) => {
      const { session, tenant, s } = await reader(request);
      authorize(session, screenOf(CHAPTER), 'edit_screen');
      const chapter = await chapterOf(session, request.params.id);
      if (chapter.manual.state === 'draft' || chapter.manual.state === 'review')
        return { data: { chapter_id: chapter.id, batch_value: chapter.manual.batch_value } };
      const draft = await draftOf(session, chapter.manual);
      const [twin] = await tenant.db.query<{ id: number }>(
        `select d.id from ${s}.user_manual_chapter d join ${s}.user_manual_chapter c on c.id = $2 where d.manual_id = $1 and d.active and (lower(d.heading) = lower(c.heading) or d.sequence_no = c.sequence_no)
         order by (lower(d.heading) = lower(c.heading)) desc limit 1`,
        [draft.id, chapter.id],
      );
      if (!twin)
        throw new AppError(
          409,
          'bad_state',
          `The draft ${draft.batch_value} no longer has this chapter. Add it there, or publish the draft first.`,
        );
      return { data: { chapter_id: twin.id, batch_value: draft.batch_value } };
    });

    for (const change of Object.keys(CHANGES) as Change[])
      app.post<{ Params: { id: string } }>(`${prefix}/${MANUAL}/:id/${change}`, async (request) => {
        const { session, manual, given } = await asked(request);
        const { from, to, approval } = CHANGES[change];
        const screen = screenOf(MANUAL);
        if (
          approval &&
          session.rights.refuse(screen, 'approval_screen') !== null &&
          session.rights.refuseAction('MANAGE_RIGHTS') !== null
        )
          throw new AppError(403, 'forbidden', 'You need Approve on User manual (role). Ask your administrator.', {
            reason: 'page_type',
          });
        if (!from.includes(String(manual.state)))
          throw new AppError(
            409,
            'bad_state',
            `${String(manual.full_title)} is ${String(manual.state)}; this is for a manual that is ${from.join(' or ')}.`,
          );
        if (to === 'review' || to === 'published') await needChapters(session, manual.id);
        return {
          data:
            to === 'published'
              ? await publish(session, screen, manual, given)
              : await setState(session, manual, given, { state: to }),
        };
      });

    app.post<{ Params: { id: string } }>(`${prefix}/${MANUAL}/:id/new_version`, async (request) => {
      const { session, manual } = await asked(request);
      if (manual.state === 'draft' || manual.state === 'review')
        throw new AppError(
          409,
          'bad_state',
          `${String(manual.full_title)} is still being written: change it as it is.`,
        );
      const draft = await draftOf(session, manual as unknown as Manual);
      return { data: await engine.read(session, screenOf(MANUAL), draft.id) };
    });
  }

  async function asked(
    request: FastifyRequest<{ Params: { id: string } }>,
  ): Promise<{ session: LiveSession; manual: WireRecord; given: number }> {
    const { session } = await reader(request);
    const screen = screenOf(MANUAL);
    authorize(session, screen, 'edit_screen', screen.access.action);
    if (!/^\d{1,15}$/.test(request.params.id)) throw notFound();
    const manual = await engine.read(session, screen, Number(request.params.id));
    const { version } = (request.body ?? {}) as { version?: unknown };
    return { session, manual, given: Number.isInteger(version) ? (version as number) : manual.version };
  }

  async function needChapters({ tenant }: Session, manual: number): Promise<void> {
    const [row] = await tenant.db.query<{ n: number }>(
      `select count(*)::int as n from ${quoted(tenant.schema)}.user_manual_chapter where manual_id = $1 and active`,
      [manual],
    );
    if ((row?.n ?? 0) === 0) throw new AppError(422, 'invalid', 'Write a chapter first: there is nothing to read yet.');
  }

  function setState(
    session: Session,
    manual: WireRecord,
    version: number,
    set: Record<string, unknown>,
  ): Promise<WireRecord> {
    return engine.update(
      session,
      openedFields(screenOf(MANUAL), ['state', 'published_on']),
      manual.id,
      { version, ...set },
      'action',
    );
  }

  /** What was read before is superseded; whoever the manual is for is told. */
  async function publish(
    session: LiveSession,
    screen: Screen,
    manual: WireRecord,
    version: number,
  ): Promise<WireRecord> {
    const { tenant } = session;
    const s = quoted(tenant.schema);
    const [day] = await tenant.db.query<{ today: string }>(`select (now() at time zone $1)::date::text as today`, [
      tenant.timezone,
    ]);
    const done = await setState(session, manual, version, { state: 'published', published_on: day!.today });
    const before = await tenant.db.query<{ id: number }>(
      `select id from ${s}.user_manual where manual_no = $1 and language = $2 and state = 'published' and id <> $3`,
      [manual.manual_no, manual.language, manual.id],
    );
    for (const { id } of before) {
      const old = await engine.read(session, screen, id);
      await setState(session, old, old.version, { state: 'superseded' });
    }
    const audience = (manual.audience as number[] | null) ?? [];
    const people = await tenant.db.query<{ id: number }>(
      `select u.id from ${s}.users u where u.active and u.status = 'active' and not coalesce(u.is_service, false) and u.id <> $1
         and ($2::bigint[] = '{}' or exists (select 1 from ${s}.users__companies c where c.parent_id = u.id and c.role_ids && $2))`,
      [session.userId, audience],
    );
    await tenant.db.transaction((tx) =>
      notifications.notify(tx, tenant, {
        event: 'manual.published',
        to: people.map(({ id }) => id),
        values: { title: String(manual.full_title) },
        link: `/usermanual_view/${String(manual.batch_value)}`,
        record: { type: MANUAL, id: manual.id },
      }),
    );
    return done;
  }

  /** The draft of a manual's next version, with all chapters; the one there is, if somebody began it. */
  async function draftOf(
    session: LiveSession,
    manual: Pick<Manual, 'id' | 'manual_no' | 'language'>,
  ): Promise<{ id: number; batch_value: string }> {
    const { tenant } = session;
    const s = quoted(tenant.schema);
    const [open] = await tenant.db.query<{ id: number; batch_value: string }>(
      `select id, batch_value from ${s}.user_manual where active and manual_no = $1 and language = $2 and state in ('draft', 'review') order by version_no desc limit 1`,
      [manual.manual_no, manual.language],
    );
    if (open) return open;
    const screen = screenOf(MANUAL);
    const stored = await engine.read(session, screen, manual.id);
    const [last] = await tenant.db.query<{ version: number }>(
      `select max(version_no)::int as version from ${s}.user_manual where manual_no = $1`,
      [manual.manual_no],
    );
    const made = await engine.create(
      session,
      screen,
      {
        ...Object.fromEntries(
          ['manual_no', 'title', 'product', 'language', 'audience', 'summary'].map((name) => [name, stored[name]]),
        ),
        version_no: (last?.version ?? 0) + 1,
      },
      'new version',
    );
    const chapters = await tenant.db.query<Record<string, unknown>>(
      `select sequence_no, heading, screen_code, body, video from ${s}.user_manual_chapter where manual_id = $1 and active order by sequence_no, id`,
      [manual.id],
    );
    const chapterScreen = screenOf(CHAPTER);
    for (const chapter of chapters)
      await engine.create(session, chapterScreen, { ...chapter, manual_id: made.id }, 'new version');
    return { id: made.id, batch_value: String(made.batch_value) };
  }
}

/** The words around the first that fits, without the marks of the text. */
function excerpt(body: string, words: string[]): string {
  const text = body
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^[ \t]*(?:#{1,6}|[-*+>]|\d+\.)[ \t]+/gm, '')
    .replace(/\*\*|`+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  const lower = text.toLowerCase();
  const at = Math.max(
    0,
    Math.min(...words.map((word) => lower.indexOf(word.toLowerCase())).filter((place) => place >= 0), text.length) - 60,
  );
  const from = at >= text.length - 60 ? 0 : at;
  return `${from > 0 ? '…' : ''}${text.slice(from, from + 180)}${from + 180 < text.length ? '…' : ''}`;
}
