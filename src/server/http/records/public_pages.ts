import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { renderSVG } from 'uqr';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { authorize } from '../../access/rights/authorize.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { Tenant } from '../../db/tenant.ts';
import { neededTypes } from '../../engine/records/needed_types.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { systemSession } from '../../engine/events/system_session.ts';
import type { PublicLinks, PublicScreen } from '../../engine/public/public_links.ts';
import { isOpen } from '../../engine/public/public_view.ts';
import type { OpenedPage, PublicPages, SentAct } from '../../engine/public/public_pages.ts';
import { atPlace, placeOf } from '../../services/clock/client_day.ts';
import type { Printing } from '../../services/print/printing.ts';
import { MAX_ANSWERS } from '../../engine/questionnaire/answer_rows.ts';
import type { SentAnswer } from '../../engine/questionnaire/answer_rows.ts';
import type { FileStore } from '../../services/files/store.ts';
import type { Thumbnails } from '../../services/files/thumbnails.ts';
import { sentAnswers } from './answers.ts';
import { sendFile } from './files.ts';
import type { AddressLimits } from '../server/address_limits.ts';

export interface PublicPageDeps {
  engine: Engine;
  pages: PublicPages;
  links: PublicLinks;
  limits: AddressLimits;
  files: FileStore;
  thumbnails: Thumbnails;
  printing: Printing;
  product: () => Map<string, Screen>;
  screens: (session: Session) => Map<string, Screen>;
  ensure(tenant: Tenant, types: string[]): Promise<unknown>;
  /** The client's screens are loaded first. */
  prepare(tenant: Tenant): Promise<unknown>;
  tenantOf(subDomain: string): Promise<Tenant | null>;
  addressOf(tenant: Tenant): string;
}

type Opened = { Params: { token: string } };
type Printed = { Params: { token: string; file: string } };
type OfRecord = { Params: { type: string; id: string } };

/** The maximum number of failed calls from one address per minute, against guessing. */
const MAX_GUESSES = 20;
/** The maximum body size, including the answers of one call. */
const ANSWERS_LIMIT = 256 * 1024;
/** The maximum number of calls with answers per link and minute. */
const MAX_ANSWERS_MINUTE = 120;

/** The calls of people with a link and no account, and those that create the links. */
export async function publicPageRoutes(
  app: FastifyInstance,
  {
    engine,
    pages,
    links,
    limits,
    files,
    thumbnails,
    printing,
    product,
    screens,
    ensure,
    prepare,
    tenantOf,
    addressOf,
  }: PublicPageDeps,
): Promise<void> {
  /** Runs a function for the client of the address, in its time zone. */
  async function atClient<T>(
    { tenantHost, ip, params }: Pick<FastifyRequest<Opened>, 'tenantHost' | 'ip' | 'params'>,
    reply: FastifyReply,
    work: (page: OpenedPage) => Promise<T>,
  ): Promise<T> {
    reply.header('x-robots-tag', 'noindex, nofollow').header('referrer-policy', 'no-referrer');
    const tenant = tenantHost.kind === 'tenant' ? await tenantOf(tenantHost.subDomain) : null;
    if (!tenant?.active) throw notFound();
    await prepare(tenant);
    return atPlace(placeOf(systemSession(tenant, null, null)), async () => {
      const page = await pages.open(tenant, params.token).catch((error: unknown) => {
        if (error instanceof AppError && error.status === 404) limits.count(`guess ${ip}`, MAX_GUESSES);
        throw error;
      });
      const { name, public: opened } = page.screen;
      limits.count(`${tenant.schema} ${name} ${ip}`, opened.limit.addressMinute);
      return work(page);
    });
  }

  app.get<Opened>('/papi/:token', { config: { public: true } }, async (request, reply) => ({
    data: await atClient(request, reply, (page) => pages.view(page)),
  }));
  app.get<Printed>('/papi/:token/print/:file', { config: { public: true } }, async (request, reply) => {
    const name = /^([a-z][a-z0-9_]*)\.pdf$/.exec(request.params.file)?.[1];
    if (name === undefined) throw notFound();
    const file = await atClient(request, reply, (page) => pages.print(page, name));
    return reply
      .header('content-disposition', `inline; filename*=UTF-8''${encodeURIComponent(file.name)}`)
      .type('application/pdf')
      .send(file.bytes);
  });
  app.post<Opened & { Body: unknown }>(
    '/papi/:token',
    { config: { public: true }, bodyLimit: ANSWERS_LIMIT },
    async (request, reply) => ({
      data: await atClient(request, reply, (page) => pages.act(page, sentOf(request.body), keyOf(request))),
    }),
  );

  app.patch<Opened & { Body: { answers: SentAnswer[] } }>(
    '/papi/:token',
    { config: { public: true }, bodyLimit: ANSWERS_LIMIT, schema: { body: sentAnswers } },
    async (request, reply) => {
      const { answers } = request.body;
      const refused = await atClient(request, reply, (page) => {
        limits.count(`answers ${page.tenant.schema} ${page.token}`, MAX_ANSWERS_MINUTE);
        return pages.answer(page, answers);
      });
      return { data: { refused } };
    },
  );
  app.post<Opened & { Querystring: { question: string; client: string; seq: string } }>(
    '/papi/:token/files',
    { config: { public: true }, schema: { querystring: fileOf } },
    async (request, reply) => {
      const { question, client, seq } = request.query;
      const data = await atClient(request, reply, async (page) => {
        const upload = await request.file();
        if (upload === undefined) throw bad('file', 'Choose a file.');
        const sent = { name: upload.filename, content: upload.file };
        return pages.addFile(page, question, sent, { client, seq: Number(seq) });
      });
      return reply.code(201).send({ data });
    },
  );
  app.get<{ Params: { token: string; id: string } }>(
    '/papi/:token/files/:id',
    { config: { public: true } },
    async (request, reply) => {
      const id = Number(request.params.id);
      if (!Number.isSafeInteger(id) || id < 1) throw notFound();
      return atClient(request, reply, async (page) => {
        await pages.file(page, id);
        return sendFile(reply, page.tenant, id, { files, thumbnails });
      });
    },
  );

  /** The record of the links, with the right to change it, and the pages that they open. */
  async function linked(
    request: FastifyRequest<OfRecord>,
  ): Promise<{ session: Session; opens: PublicScreen[]; id: number }> {
    const { session, params } = request;
    const known = screens(session);
    const screen = known.get(params.type);
    const id = Number(params.id);
    if (!screen?.publicOf || !Number.isSafeInteger(id) || id < 1) throw notFound();
    authorize(session, screen, 'edit_screen', screen.access.action);
    await ensure(session.tenant, neededTypes(product(), screen));
    const record = await engine.read(session, screen, id);
    const opens: PublicScreen[] = [];
    for (const name of screen.publicOf) {
      const one = known.get(name);
      if (!one?.public) continue;
      const opened = { session, screens: known, screen: one as PublicScreen, of: screen, record };
      if (await isOpen(opened)) opens.push(opened.screen);
    }
    if (opens.length === 0)
      throw new AppError(
        409,
        'bad_state',
        `This ${inSentence(screen.title)} is not open to people without an account.`,
      );
    return { session, opens, id };
  }

  for (const prefix of ['/tapi', '/api']) {
    const at = `${prefix}/:type/:id/public`;
    app.post<OfRecord>(at, async (request) => {
      const { session, opens, id } = await linked(request);
      const data = [];
      for (const screen of opens) {
        const { path, ...link } = await links.link(session, screen, id, request.params.type);
        const address = `${addressOf(session.tenant)}${path}`;
        data.push({
          type: screen.name,
          title: screen.public.title,
          address,
          qr: renderSVG(address, { border: 2 }),
          ...link,
        });
      }
      return { data };
    });
    app.get<{ Params: OfRecord['Params'] & { file: string } }>(`${at}/:file`, async (request, reply) => {
      const { session, opens, id } = await linked(request);
      const name = /^(\w+)\.pdf$/.exec(request.params.file)?.[1];
      const screen = opens.find((one) => one.name === name);
      if (!screen) throw notFound();
      const { title } = screen.public;
      const { path } = await links.link(session, screen, id, request.params.type);
      const bytes = await printing.pdf(session.tenant, {
        title,
        paper: 'A6',
        landscape: false,
        at: new Date(0).toISOString(),
        watermark: null,
        foot: title,
        blocks: [
          { kind: 'heading', text: title },
          { kind: 'qr', text: `${addressOf(session.tenant)}${path}`, note: 'Scan with your phone.' },
        ],
      });
      return reply
        .header('content-disposition', `inline; filename*=UTF-8''${encodeURIComponent(`${title}.pdf`)}`)
        .header('cache-control', 'private, no-store')
        .type('application/pdf')
        .send(bytes);
    });
    app.delete<OfRecord>(at, async (request, reply) => {
      const { session, opens, id } = await linked(request);
      for (const screen of opens) await links.revoke(session, screen, id, request.params.type);
      return reply.code(204).send();
    });
  }
}

const fileOf = {
  type: 'object',
  required: ['question', 'client', 'seq'],
  properties: {
    question: { type: 'string', minLength: 1, maxLength: 80 },
    client: { type: 'string', minLength: 1, maxLength: 60 },
    seq: { type: 'string', pattern: '^\\d{1,15}$' },
  },
};

const bad = (field: string, message: string) => new AppError(400, 'bad_request', message, { field });
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function sentOf(body: unknown): SentAct {
  if (!isObject(body)) throw bad('body', 'Send a JSON object.');
  const { act = null, values = {}, answers, ...rest } = body;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw bad(unknown, `${unknown} is not accepted here.`);
  if (act !== null && typeof act !== 'string') throw bad('act', 'act is the name of a transition, or null.');
  if (!isObject(values)) throw bad('values', 'values is a JSON object.');
  if (answers === undefined) return { act, values };
  const isAnswer = (one: unknown) => isObject(one) && typeof one.code === 'string' && one.code.length <= 80;
  if (!Array.isArray(answers) || answers.length > MAX_ANSWERS || !answers.every(isAnswer))
    throw bad('answers', `answers is a list of at most ${MAX_ANSWERS} answers.`);
  const device = { at: '', client: '', seq: 0 };
  return {
    act,
    values,
    answers: (answers as SentAnswer[]).map(({ code, value, na }) => ({ code, value, na: na === true, ...device })),
  };
}

/** A repeated request after a lost response is executed once. */
function keyOf({ headers }: FastifyRequest): string {
  const key = headers['idempotency-key'];
  if (typeof key !== 'string' || !/^[!-~]{8,200}$/.test(key))
    throw bad('Idempotency-Key', 'Send an Idempotency-Key of 8 to 200 letters, digits and signs, without spaces.');
  return key;
}
