import { openedFields } from '../../../descriptor/opened_fields.ts';
import { answerStep, followPage, isShownOnly } from '../../../descriptor/public_page.ts';
import type { PublicPage, PublicView } from '../../../descriptor/public_page.ts';
import type { FieldError, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { AppError, invalid, notFound } from '../../db/errors.ts';
import type { Tenant } from '../../db/tenant.ts';
import { systemSession } from '../events/system_session.ts';
import type { PrintedFile, Prints } from '../print/prints.ts';
import { lastKept } from '../print/kept_prints.ts';
import type { Engine } from '../records/engine.ts';
import { contentHash, onceForKey } from '../records/write_keys.ts';
import { plainValue } from '../workflow/plain_value.ts';
import { valueIn } from '../workflow/values.ts';
import type { SentAnswer } from '../questionnaire/answer_rows.ts';
import type { PublicAnswers } from './public_answers.ts';
import { publicSheet } from './public_answers.ts';
import type { KeptToken, PublicLinks, PublicScreen } from './public_links.ts';
import { countTry, countUse, openedBy } from './public_links.ts';
import type { Shown } from './public_view.ts';
import { isOpen, offeredActs, publicView } from './public_view.ts';

type Row = Record<string, unknown>;

/** The cause of changes through a public page, as shown in the history. */
const CAUSE = 'public';

export interface PublicPagesDeps {
  engine: Engine;
  prints: Prints;
  answers: PublicAnswers;
  links: PublicLinks;
  screens(session: Session): ReadonlyMap<string, Screen>;
  /** Creates the tables that a type needs. */
  ensure(tenant: Tenant, screen: Screen): Promise<unknown>;
}

/** The maximum number of files per link and hour, if the descriptor sets none. */
const FILES_HOUR = 100;

const tooOften = () =>
  new AppError(429, 'too_many', 'This was used very often in the last hour. Please try again later.');

/** The response for a link whose record no longer allows it. */
const over = ({ explains }: PublicPage): AppError =>
  explains ? new AppError(410, 'closed', 'This is no longer possible. Ask the sender of the link.') : notFound();

/** The response for a link whose questionnaire was submitted. */
const answeredAlready = ({ screen, sheet }: Shown): AppError =>
  screen.public.explains
    ? new AppError(409, 'done', sheet?.texts.thanks ?? 'You have already answered. Thank you.')
    : notFound();

/** The data sent by a page: a transition or a new record, and anonymous answers. */
export interface SentAct {
  act: string | null;
  values: Row;
  answers?: readonly SentAnswer[];
}

/** The target of a link, read once per call. */
export type OpenedPage = Omit<Shown, 'record' | 'sheet'> & { tenant: Tenant; token: string; kept: KeptToken };

/** The actions of people without an account through their link: the rights of the link and nothing more. */
export interface PublicPages {
  /** The current target of a token. @throws AppError 404 */
  open(tenant: Tenant, token: string): Promise<OpenedPage>;
  /** The content of the page. @throws AppError 404; 409 used, 410 past, if the descriptor has `explains` */
  view(page: OpenedPage): Promise<PublicView>;
  /** A document issued from the record. @throws AppError 404 */
  print(page: OpenedPage, name: string): Promise<PrintedFile>;
  /** Saves answers, each separately. @returns the rejected answers @throws AppError 404, 409, 410 */
  answer(page: OpenedPage, sent: readonly SentAnswer[]): Promise<FieldError[]>;
  /** Saves a file as an answer. @throws AppError 404, 409, 410, 413, 415, 422, 429 */
  addFile(
    page: OpenedPage,
    ...more: Parameters<PublicAnswers['addFile']> extends [unknown, unknown, ...infer Rest] ? Rest : never
  ): Promise<{ id: number; name: string }>;
  /** Whether the page of a token may show a file. @throws AppError 404 if not */
  file(page: OpenedPage, id: number): Promise<void>;
  /** Executes the action of the link, once per key. @throws AppError 404, 409, 410, 422, 429 */
  act(page: OpenedPage, sent: SentAct, key: string): Promise<PublicView>;
}

export function createPublicPages({ engine, prints, answers, links, screens, ensure }: PublicPagesDeps): PublicPages {
  /** The target of a token, whoever holds it; the product itself reads and writes, in the company of the token. */
  async function open(tenant: Tenant, token: string): Promise<OpenedPage> {
    const kept = await openedBy(tenant, token);
    if (!kept) throw notFound();
    const session = systemSession(tenant, kept.entity_id, null);
    const known = screens(session);
    const screen = known.get(kept.record_type);
    const page = screen?.public;
    const of = page && (kept.own ? screen : known.get(page.of?.type ?? screen.name));
    if (!of || (kept.own && page.may !== 'answer' && page.follow === null)) throw notFound();
    await ensure(tenant, screen);
    if (kept.own && page.follow !== null) {
      const followed = { ...screen, public: followPage(page, page.follow) } as PublicScreen;
      return { tenant, token, kept, session, screens: known, screen: followed, of, begins: false };
    }
    const begins = page.may === 'create' || (page.may === 'answer' && page.of !== null && !kept.own);
    return { tenant, token, kept, session, screens: known, screen: screen as PublicScreen, of, begins };
  }

  /** Refuses a page that does not accept answers. @throws AppError 404 */
  function answered(page: OpenedPage): OpenedPage {
    if (page.screen.public.may !== 'answer' || page.begins) throw notFound();
    return page;
  }

  const withSheet = async (one: Omit<Shown, 'sheet'>): Promise<Shown> => ({
    ...one,
    sheet: one.screen.public.may === 'answer' ? await publicSheet(one.session.tenant, one) : null,
  });

  async function shown(page: OpenedPage): Promise<Shown & { kept: KeptToken }> {
    const record = await engine.read(page.session, page.of, page.kept.of_id);
    return { ...(await withSheet({ ...page, record })), kept: page.kept };
  }

  /** Refuses a link that cannot be used any more. */
  async function refuseOver({ kept, ...one }: Shown & { kept: KeptToken }): Promise<void> {
    const { explains } = one.screen.public;
    if (kept.uses !== null && kept.used >= kept.uses)
      throw explains ? new AppError(409, 'done', 'This has already been done. Nothing more is needed.') : notFound();
    const { sheet, begins, screen, record } = one;
    if (sheet && !begins && !answerStep(screen)!.step.from.includes(String(record[screen.workflow!.field])))
      throw answeredAlready(one);
    if (isShownOnly(screen.public)) {
      if (!record.active || !(await isOpen(one))) throw over(screen.public);
    } else if ((await offeredActs(one)).length === 0) throw over(screen.public);
  }

  return {
    open,
    async view(page) {
      const one = await shown(page);
      await refuseOver(one);
      return publicView(one, null);
    },
    answer: async (page, sent) => answers.save(answered(page), sent),
    async addFile(page, ...more) {
      const found = answered(page);
      const { tokenHour } = found.screen.public.limit;
      if ((await countTry(found.tenant, found.kept)) > (tokenHour ?? FILES_HOUR)) throw tooOften();
      return answers.addFile(found, found.session, ...more);
    },
    async file(page, id) {
      const found = await shown(page);
      if (!(await answers.shows({ ...found, tenant: page.tenant }, found.sheet?.version ?? null, id))) throw notFound();
    },
    async print(page, name) {
      const { session, screen, of, record } = await shown(page);
      const kept = screen.public.prints.includes(name)
        ? await lastKept(session, { type: of.name, id: record.id }, name)
        : null;
      if (kept === null) throw notFound();
      return prints.issued(session, of, record, kept);
    },
    async act(page, sent, key) {
      const { tenant, token } = page;
      const before = await shown(page);
      const { kept, session, screen, begins } = before;
      const { limit, done } = screen.public;
      if (before.sheet?.version?.content.anonymous) {
        await refuseOver(before);
        if (sent.act !== answerStep(screen)?.step.name || Object.keys(sent.values).length > 0) throw notFound();
        const { sheet } = before;
        // Neither attempts nor keys are stored: they would link the time and the link with the answers.
        await tenant.db.transaction((db) =>
          answers.handIn({ ...tenant, db }, { ...before, tenant }, sheet, sent.answers ?? []),
        );
        return publicView(before, done);
      }
      if (sent.answers) throw notFound();
      if (limit.tokenHour !== null && (await countTry(tenant, kept)) > limit.tokenHour) throw tooOften();
      const id = await onceForKey(
        session,
        { key, address: `POST /papi/${kept.hash}`, hash: contentHash(sent) },
        async (by) => {
          // The second of two concurrent uses waits here, and finds the link used.
          const locked = kept.uses === null ? kept : await openedBy(by.tenant, token, { lock: true });
          if (!locked) throw notFound();
          const record = await engine.read(by, before.of, kept.of_id);
          const now = { ...(await withSheet({ ...before, session: by, record })), kept: locked };
          await refuseOver(now);
          const id = await take(now, sent);
          if (kept.uses !== null) await countUse(by.tenant, kept);
          return { result: id, kept: { id } };
        },
        (same) => Promise.resolve(Number(same.id)),
      );
      const after = await shown(await open(tenant, token));
      if (begins && screen.public.follow !== null)
        return publicView(after, done, (await links.link(session, screen, id, screen.name)).path);
      if (!begins || screen.public.may !== 'answer') return publicView(after, done);
      return publicView(after, null, (await links.link(session, screen, id, screen.name)).path);
    },
  };

  /**
   * Adds the record, or takes the transition, with exactly the fields that the page asks for. @returns the id of the
   * record
   */
  async function take(one: Shown, { act, values }: { act: string | null; values: Row }): Promise<number> {
    const { session, screen, record } = one;
    const { public: page } = screen;
    const offered = (await offeredActs(one)).find(({ name }) => name === act);
    if (!offered) throw notFound();
    const asked = new Map(offered.fields.map((field) => [field.name, field]));
    const wrong: FieldError[] = Object.keys(values)
      .filter((name) => !asked.has(name))
      .map((name) => ({ field: name, message: 'This is not asked here.' }));
    for (const [name, { options, required }] of asked) {
      const value = values[name] ?? null;
      if (value === null || value === '') {
        if (required) wrong.push({ field: name, message: 'This is required.' });
      } else if (options && !options.some((option) => option.value === value))
        wrong.push({ field: name, message: 'Choose one of those that are offered.' });
    }
    if (wrong.length > 0) throw invalid(wrong);
    if (act !== null) {
      await engine
        .transition(session, screen, record.id, act, values, { moved: true, cause: CAUSE })
        // Who moved it in the meantime is not disclosed.
        .catch((error: unknown) => {
          if (!(error instanceof AppError) || error.status !== 409) throw error;
          throw page.may === 'answer' ? answeredAlready(one) : over(page);
        });
      return record.id;
    }
    const given: Row = { ...values, [page.of!.path]: record.id };
    for (const [name, text] of Object.entries(page.set)) {
      const field = screen.fields.find((other) => other.name === name)!;
      given[name] = plainValue(field, await valueIn({ ...one, record: given }, text));
    }
    return (await engine.create(session, openedFields(screen, Object.keys(given)), given, CAUSE)).id;
  }
}
