import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PageType, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { WriteKey } from '../../engine/records/write_keys.ts';
import { contentHash, onceForKey } from '../../engine/records/write_keys.ts';
import { AppError, notFound } from '../../db/errors.ts';
import { checkJson } from '../server/request_check.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { parseGroupQuery } from '../../engine/records/groups.ts';
import { givenIds, parseIds, parseListQuery } from '../../engine/records/list_query.ts';
import type { ActionInput } from '../../engine/actions/run_action.ts';
import { actionNamed } from '../../engine/actions/run_action.ts';
import { neededTypes } from '../../engine/records/needed_types.ts';
import { asReference } from '../../../descriptor/reference_by.ts';
import { withoutHidden } from './hidden_fields.ts';
import { wholeRecord } from './whole_record.ts';
import type { OptionsQuery } from '../../engine/records/options.ts';
import { fieldInTree, idsByColumn } from '../../engine/records/row_trees.ts';
import { authorize, authorizeAny, authorizeLookUp } from '../../access/rights/authorize.ts';

export interface RecordRouteDeps {
  engine: Engine;
  /** The product's screens, from which the tables are created. */
  product: () => Map<string, Screen>;
  /** The screens as the session's client has them. */
  screens: (session: Session) => Map<string, Screen>;
  /** Creates the tables of types that the tenant has not used yet. */
  ensure(tenant: Tenant, types: string[]): Promise<unknown>;
}

type Row = Record<string, unknown>;
type Query = Record<string, string | undefined>;
type Typed = { Params: { type: string }; Querystring: Query; Body: unknown };
type Stepped = { Params: { type: string; id: string; step: string }; Querystring: Query; Body: unknown };
type Acted = { Params: { type: string; run: string }; Querystring: Query; Body: unknown };
type Rows = { Params: { type: string; id: string; field: string }; Querystring: Query; Body: unknown };
type Identified = { Params: { type: string; id: string }; Querystring: Query; Body: unknown };

const DELETE = 'DELETE_RECORDS';

/** The generic calls of docs/http.md: every record type by the same routes. */
export async function recordRoutes(
  app: FastifyInstance,
  { engine, product, screens, ensure }: RecordRouteDeps,
): Promise<void> {
  /** The type in the address, with its tables created, and the session. */
  async function subject(
    request: FastifyRequest<{ Params: { type: string } }>,
  ): Promise<{ session: Session; screen: Screen }> {
    const { session } = request;
    const screen = screens(session).get(request.params.type);
    if (!screen) throw notFound();
    if ((screen.scope === 'platform') !== (session.tenant.schema === 'public')) throw notFound();
    return { session, screen };
  }
  async function allowed(
    request: FastifyRequest<{ Params: { type: string } }>,
    pages: PageType[],
    action: string | null = null,
    also: string | null = null,
  ) {
    const { session, screen } = await subject(request);
    if (pages.length === 1) authorize(session, screen, pages[0]!, action);
    else authorizeAny(session, screen, pages);
    if (also !== null) authorize(session, screen, pages[0]!, also);
    await ensure(session.tenant, neededTypes(product(), screen));
    return { session, screen };
  }
  const writing = async (
    request: FastifyRequest<{ Params: { type: string } }>,
    page: PageType,
    also: string | null = null,
  ) => {
    const may = await allowed(request, [page], product().get(request.params.type)?.access.action ?? null, also);
    // Adding or removing a row is a change of its record.
    if (may.screen.part) authorize(may.session, may.screen, 'edit_screen');
    return may;
  };

  /** Executes a write once per key; a repeated one reads the record again, with the current rights. */
  const once = <T extends { id: number } | void>(
    request: FastifyRequest,
    session: Session,
    work: (session: Session) => Promise<T>,
    again: (id: number) => Promise<T>,
  ): Promise<T> =>
    onceForKey(
      session,
      writeKey(request, request.body),
      async (by) => {
        const result = await work(by);
        return { result, kept: result ? { id: result.id } : {} };
      },
      ({ id: kept }) => again(kept as number),
    );
  const gone = (): Promise<void> => Promise.resolve();
  const view = async (session: Session, screen: Screen, saved: number) => {
    const found = (await engine.views(session, screen)).find((one) => one.id === saved);
    if (!found) throw notFound();
    return found;
  };

  // Hidden fields are removed from all answers of a type in one place.
  app.addHook('preSerialization', async (request, _reply, payload) => {
    const { type } = (request.params ?? {}) as { type?: string };
    if (type === undefined || (request.session as Session | null) === null) return payload;
    const screen = screens(request.session).get(type);
    return screen ? withoutHidden(screen, payload) : payload;
  });

  for (const prefix of ['/tapi', '/api']) {
    const at = `${prefix}/:type`;

    app.get<{ Querystring: Query }>(`${prefix}/search`, async (request) => ({
      data: await engine.search(request.session, text(request.query, 'q')),
    }));

    app.get<Typed>(at, async (request) => {
      const { session, screen } = await allowed(request, ['landing']);
      return engine.list(session, screen, parseListQuery(request.query, screen));
    });
    app.get<Typed>(`${at}/count`, async (request) => {
      const { session, screen } = await allowed(request, ['landing']);
      return engine.count(session, screen, parseListQuery(request.query, screen));
    });
    app.get<Typed>(`${at}/groups`, async (request) => {
      const { session, screen } = await allowed(request, ['landing']);
      const { query } = request;
      const groups = parseGroupQuery(query, screen);
      return { data: await engine.groups(session, screen, parseListQuery(query, screen), groups) };
    });
    app.get<Typed>(`${at}/gaps`, async (request) => {
      const { session, screen } = await allowed(request, ['landing']);
      if (!screen.ranges) throw notFound();
      return { data: await engine.gaps(session, screen) };
    });
    app.get<Typed>(`${at}/board`, async (request) => {
      const { session, screen } = await allowed(request, ['landing']);
      if (!screen.looks?.board) throw notFound();
      return { data: await engine.board(session, screen, parseListQuery(request.query, screen)) };
    });
    app.post<Typed>(at, async (request, reply) => {
      const { session, screen } = await writing(request, 'add_screen');
      const data = await once(
        request,
        session,
        (by) => engine.create(by, screen, body(request.body)),
        (made) => engine.read(session, screen, made),
      );
      return reply.code(201).send({ data });
    });

    app.get<Typed>(`${at}/options`, async (request) => {
      const { session, screen } = await subject(request);
      authorizeLookUp(session, screens(session), screen);
      await ensure(session.tenant, neededTypes(product(), screen));
      return {
        data: await engine.options(session, screen, optionsQuery(request.query, session, screen, screens(session))),
      };
    });

    app.put<Typed>(`${at}/bulk`, async (request) => {
      const { session, screen } = await writing(request, 'edit_screen');
      const given = body(request.body);
      const { ids: _ids, ...content } = given;
      const key = writeKey(request, content);
      return { data: await engine.bulkSet(session, screen, givenIds(given.ids), body(given.set, 'set'), key) };
    });
    app.post<Typed>(`${at}/bulk_delete`, async (request) => {
      const { session, screen } = await writing(request, 'edit_screen', DELETE);
      const given = body(request.body);
      const mode = given.mode ?? 'deactivate';
      if (mode !== 'deactivate' && mode !== 'activate' && mode !== 'delete')
        throw bad('mode', 'mode is deactivate, activate or delete.');
      return { data: await engine.bulkRemove(session, screen, givenIds(given.ids), mode, writeKey(request, { mode })) };
    });

    app.get<Typed>(`${at}/tree`, async (request) => {
      const { session, screen } = await allowed(request, ['landing']);
      if (!screen.tree) throw notFound();
      return {
        data: await engine.tree(session, screen, {
          root: optional(request.query, 'root'),
          depth: optional(request.query, 'depth'),
          q: text(request.query, 'q'),
        }),
      };
    });
    app.get<Typed>(`${at}/hierarchy`, async (request) => {
      const { session, screen } = await allowed(request, ['landing']);
      if (!screen.hierarchy) throw notFound();
      await ensure(
        session.tenant,
        screen.hierarchy.levels.flatMap(({ type }) => (product().has(type) ? [type] : [])),
      );
      return {
        data: await engine.hierarchy(session, screen, {
          root: optional(request.query, 'root'),
          q: text(request.query, 'q'),
        }),
      };
    });
    app.get<Identified>(`${at}/:id/subordinates`, async (request) => {
      const { session, screen } = await allowed(request, ['landing', 'view_screen', 'edit_screen']);
      if (!screen.tree?.closure) throw notFound();
      return {
        data: await engine.subordinates(session, screen, id(request.params.id), optional(request.query, 'depth')),
      };
    });

    app.get<Typed>(`${at}/single`, async (request) => {
      const { session, screen } = await allowed(request, ['landing']);
      if (screen.kind !== 'settings') throw notFound();
      return { data: await engine.single(session, screen) };
    });
    app.put<Typed>(`${at}/single`, async (request) => {
      const { session, screen } = await writing(request, 'edit_screen');
      if (screen.kind !== 'settings') throw notFound();
      const save = (by: Session) => engine.saveSingle(by, screen, body(request.body));
      return { data: await once(request, session, save, () => engine.single(session, screen)) };
    });

    app.get<Typed>(`${at}/single/sources`, async (request) => {
      const { session, screen } = await allowed(request, ['landing']);
      if (screen.kind !== 'settings') throw notFound();
      return { data: await engine.settingSources(session, screen) };
    });
    app.put<Typed>(`${at}/single/company`, async (request) => {
      const { session, screen } = await writing(request, 'edit_screen');
      if (screen.kind !== 'settings' || !screen.fields.some((field) => field.override)) throw notFound();
      const given = body(request.body);
      const data = await onceForKey(
        session,
        writeKey(request, given),
        async (by) => ({ result: await engine.saveCompanySettings(by, screen, given), kept: {} }),
        async () => (await engine.settingSources(session, screen)).company!,
      );
      return { data };
    });

    app.get<Typed>(`${at}/views`, async (request) => {
      const { session, screen } = await allowed(request, ['landing']);
      return { data: await engine.views(session, screen) };
    });
    app.post<Typed>(`${at}/views`, async (request, reply) => {
      const { session, screen } = await allowed(request, ['landing']);
      const save = (by: Session) => engine.saveView(by, screen, null, body(request.body));
      return reply.code(201).send({ data: await once(request, session, save, (made) => view(session, screen, made)) });
    });
    app.put<Identified>(`${at}/views/:id`, async (request) => {
      const { session, screen } = await allowed(request, ['landing']);
      const save = (by: Session) => engine.saveView(by, screen, id(request.params.id), body(request.body));
      return { data: await once(request, session, save, (saved) => view(session, screen, saved)) };
    });
    app.delete<Identified>(`${at}/views/:id`, async (request, reply) => {
      const { session, screen } = await allowed(request, ['landing']);
      await once(request, session, (by) => engine.removeView(by, screen, id(request.params.id)), gone);
      return reply.code(204).send();
    });

    app.post<Typed>(`${at}/fill`, async (request) => {
      const { session, screen } = await allowed(request, ['add_screen', 'edit_screen']);
      const { id: of, values } = body(request.body);
      if (of !== undefined && of !== null && !Number.isSafeInteger(of)) throw bad('id', 'id is a whole number.');
      return { data: await engine.fill(session, screen, (of as number | undefined) ?? null, body(values, 'values')) };
    });
    app.post<Typed>(`${at}/check`, async (request) => {
      const { id: of = null, values } = body(request.body);
      if (of !== null && !Number.isSafeInteger(of)) throw bad('id', 'id is a whole number.');
      const { session, screen } = await writing(request, of === null ? 'add_screen' : 'edit_screen');
      return { data: await engine.check(session, screen, of as number | null, body(values, 'values')) };
    });
    app.post<Acted>(`${at}/action/:run`, async (request) => {
      const given = body(request.body);
      const { on = 'record', params = {}, id: of = null, version = null, values = null } = given;
      const { screen: known } = await subject(request);
      const page = actionNamed(known, request.params.run, String(on)).page ?? 'edit_screen';
      // People who decide do not need the right to change; a form of a new record needs the right to add.
      const { session, screen } = await (page === 'approval_screen'
        ? allowed(request, [page])
        : writing(request, values !== null && of === null ? 'add_screen' : page));
      if (of !== null && !Number.isSafeInteger(of)) throw bad('id', 'id is a whole number.');
      if (version !== null && !Number.isInteger(version)) throw bad('version', 'version is a whole number.');
      if (on === 'record' && values === null && version === null)
        throw bad('version', 'Send the version of the record, or the values of a form.');
      const input: ActionInput = {
        run: request.params.run,
        on: String(on),
        params: body(params, 'params'),
        id: of as number | null,
        version: version as number | null,
        values: values === null ? null : body(values, 'values'),
        rows: given.rows === undefined ? [] : placesOf(given.rows),
        ids: on === 'selection' ? givenIds(given.ids) : [],
      };
      const act = (by: Session) => engine.act(by, screen, input);
      if (input.values) return { data: await act(session) };
      return {
        data: await onceForKey(
          session,
          writeKey(request, given),
          async (by) => ({ result: await act(by), kept: {} }),
          () => Promise.resolve({ set: null, done: null }),
        ),
      };
    });
    app.get<Typed>(`${at}/new`, async (request) => {
      const { session, screen } = await writing(request, 'add_screen');
      // Not created from another record: the default initial values.
      if ((request.query as Record<string, unknown>).from === undefined)
        return { data: await engine.beginsWith(session, screen) };
      const [type = '', of = ''] = text(request.query, 'from').split('/');
      const from = { type, id: id(of), make: text(request.query, 'make') };
      const source = screens(session).get(type);
      if (!source) throw notFound();
      await ensure(session.tenant, neededTypes(product(), source));
      return { data: await engine.begin(session, screen, from) };
    });
    // People who may take the transition may choose a reason, regardless of the right to the list of reasons.
    app.get<{ Params: { type: string; step: string } }>(`${at}/reasons/:step`, async (request) => {
      const { session, screen } = await allowed(request, ['view_screen', 'edit_screen', 'approval_screen']);
      return { data: await engine.reasons(session, screen, request.params.step) };
    });
    app.post<{ Params: { type: string; id: string; make: string }; Querystring: Query }>(
      `${at}/:id/make/:make`,
      async (request) => {
        const { session, screen } = await allowed(request, ['view_screen', 'edit_screen']);
        const { make } = request.params;
        const preview = request.query.preview === '1';
        const target = screen.makes?.find((one) => one.name === make)?.to;
        const of = target === undefined ? undefined : screens(session).get(target);
        if (!of) throw notFound();
        await ensure(session.tenant, neededTypes(product(), of));
        const source = id(request.params.id);
        return { data: await engine.makeEach(session, screen, source, make, { preview }) };
      },
    );
    // The fields defined by a chosen record are part of the form, regardless of the right to that record's list.
    app.get<{ Params: { type: string; field: string; of: string } }>(`${at}/shape/:field/:of`, async (request) => {
      const { session, screen } = await allowed(request, ['view_screen', 'edit_screen', 'add_screen']);
      const { field, of } = request.params;
      return { data: await engine.shape(session, screen, field, id(of)) };
    });
    app.get<Identified>(`${at}/:id/links`, async (request) => {
      const { session, screen } = await allowed(request, ['view_screen', 'edit_screen']);
      return { data: await engine.links(session, screen, id(request.params.id)) };
    });
    app.get<Identified>(`${at}/:id/related`, async (request) => {
      const { session, screen } = await allowed(request, ['view_screen', 'edit_screen']);
      return { data: await engine.related(session, screen, id(request.params.id)) };
    });
    app.get<Identified>(`${at}/:id/approval`, async (request) => {
      const { session, screen } = await allowed(request, ['view_screen', 'edit_screen']);
      if (!screen.approval) throw notFound();
      return { data: await engine.approval(session, screen, id(request.params.id)) };
    });
    app.get<Identified>(`${at}/:id/clocks`, async (request) => {
      const { session, screen } = await allowed(request, ['view_screen', 'edit_screen']);
      return { data: await engine.clocks(session, screen, id(request.params.id)) };
    });
    app.get<Identified>(`${at}/:id`, async (request) => {
      const { session, screen } = await allowed(request, ['view_screen', 'edit_screen']);
      return { data: await wholeRecord(engine, session, screen, id(request.params.id)) };
    });
    // A name that leads to nothing is no error: what it refers to may be out of the reader's sight.
    app.get<Identified>(`${at}/:id/facts`, async (request) => {
      const { session, screen } = await allowed(request, ['view_screen', 'edit_screen']);
      const record = engine.read(session, screen, id(request.params.id)).catch((error: unknown) => {
        if (error instanceof AppError && error.status === 404) return null;
        throw error;
      });
      return { data: await record };
    });
    app.put<Identified>(`${at}/:id`, async (request) => {
      const { session, screen } = await writing(request, 'edit_screen');
      const { rows } = request.query;
      if (rows !== undefined && rows !== 'changed') throw bad('rows', 'rows is changed, or left out.');
      const change = (by: Session) =>
        engine.update(by, screen, id(request.params.id), body(request.body), undefined, rows);
      return { data: await once(request, session, change, (changed) => engine.read(session, screen, changed)) };
    });
    app.get<Rows>(`${at}/:id/rows/:field`, async (request) => {
      const { session, screen } = await allowed(request, ['view_screen', 'edit_screen']);
      const { params, query } = request;
      const since = optional(query, 'since');
      return { data: await engine.rowsSince(session, screen, id(params.id), params.field, since) };
    });
    app.patch<Rows>(`${at}/:id/rows/:field`, async (request) => {
      const { session, screen } = await writing(request, 'edit_screen');
      const { params } = request;
      const sent = body(request.body);
      const of = id(params.id);
      return {
        data: await onceForKey(
          session,
          writeKey(request, sent),
          async (by) => ({ result: await engine.saveRows(by, screen, of, params.field, sent), kept: { id: of } }),
          async () => {
            const record = await engine.rowsSince(session, screen, of, params.field, null);
            return { record, conflicts: [], refused: [] };
          },
        ),
      };
    });
    app.get<Rows>(`${at}/:id/rows/:field/tree`, async (request) => {
      const { session, screen } = await allowed(request, ['view_screen', 'edit_screen']);
      const field = fieldInTree(screen, request.params.field);
      const record = await engine.read(session, screen, id(request.params.id));
      const rows = record[field.name];
      if (!Array.isArray(rows)) throw notFound();
      return { data: await engine.rowTree(session, field, rows as Record<string, unknown>[]) };
    });
    app.post<{ Params: { type: string; field: string } }>(`${at}/rows/:field/above`, async (request) => {
      const { session, screen } = await allowed(request, ['view_screen', 'edit_screen', 'add_screen']);
      const field = fieldInTree(screen, request.params.field);
      await ensure(session.tenant, neededTypes(product(), screen));
      const found = await engine.nodesAbove(session, field, idsByColumn(field, body(request.body)));
      return { data: Object.fromEntries(found) };
    });
    app.delete<Identified>(`${at}/:id`, async (request, reply) => {
      const { session, screen } = await writing(request, 'edit_screen', DELETE);
      await once(request, session, (by) => engine.remove(by, screen, id(request.params.id)), gone);
      return reply.code(204).send();
    });
    app.get<Identified>(`${at}/:id/copy`, async (request) => {
      const { session, screen } = await writing(request, 'add_screen');
      return { data: await engine.copy(session, screen, id(request.params.id)) };
    });
    app.get<Identified>(`${at}/:id/history`, async (request) => {
      const { session, screen } = await allowed(request, ['view_screen', 'edit_screen']);
      const page = optional(request.query, 'page') ?? 1;
      if (page < 1 || page > 100_000) throw bad('page', 'page is a whole number from 1 to 1,00,000.');
      const { data, more } = await engine.history(session, screen, id(request.params.id), page);
      const next = more ? page + 1 : null;
      return {
        data,
        pagination: {
          count: null,
          first: 1,
          has_next: more,
          has_prev: page > 1,
          last: null,
          next_page: next,
          page,
          prev_page: page > 1 ? page - 1 : null,
          total_pages: null,
          more,
        },
      };
    });
    // A transition of the workflow: it defines who may take it, so only the right to see the record is required here.
    app.post<Stepped>(`${at}/:id/:step`, async (request) => {
      const { session, screen } = await allowed(request, ['view_screen', 'edit_screen', 'approval_screen']);
      if (!screen.workflow) throw notFound();
      const given = body(request.body ?? {});
      const preview = request.query.preview === '1';
      if (!preview && !Number.isInteger(given.version)) throw bad('version', 'Send the version you are changing.');
      const { step } = request.params;
      const take = (by: Session) => engine.transition(by, screen, id(request.params.id), step, given, { preview });
      if (preview) return { data: await take(session) };
      return { data: await once(request, session, take, (taken) => engine.read(session, screen, taken)) };
    });
    app.post<{ Params: { type: string; step: string }; Body: unknown }>(`${at}/bulk/:step`, async (request) => {
      const { session, screen } = await allowed(request, ['view_screen', 'edit_screen', 'approval_screen']);
      if (!screen.workflow) throw notFound();
      const { ids: _ids, ...asked } = body(request.body);
      const key = writeKey(request, asked);
      return {
        data: await engine.bulkTransition(
          session,
          screen,
          givenIds(body(request.body).ids),
          request.params.step,
          asked,
          key,
        ),
      };
    });
    for (const [word, active] of [
      ['activate', true],
      ['deactivate', false],
    ] as const)
      app.post<Identified>(`${at}/:id/${word}`, async (request) => {
        const { session, screen } = await writing(request, 'edit_screen', DELETE);
        const { version } = body(request.body ?? {});
        if (!Number.isInteger(version)) throw bad('version', 'Send the version you are changing.');
        const set = (by: Session) => engine.setActive(by, screen, id(request.params.id), version as number, active);
        return { data: await once(request, session, set, (changed) => engine.read(session, screen, changed)) };
      });
  }
}

/** The maximum length of an Idempotency-Key. */
const LONGEST_KEY = 200;

/** The idempotency key of a write, with its content. @throws AppError 400 if it is invalid */
function writeKey({ headers, method, url }: FastifyRequest, content: unknown): WriteKey | null {
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !/^[!-~]+$/.test(key) || key.length > LONGEST_KEY)
    throw bad('Idempotency-Key', `Idempotency-Key is 1 to ${LONGEST_KEY} letters, digits and signs, without spaces.`);
  return { key, address: `${method} ${url.split('?')[0]!}`, hash: contentHash(content) };
}

function bad(field: string, message: string): AppError {
  return new AppError(400, 'bad_request', message, { field });
}

function body(value: unknown, name = 'body'): Row {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw bad(name, name === 'body' ? 'Send the record as a JSON object.' : `${name} is a JSON object.`);
  return value as Row;
}

/** A number in an address that is not an id refers to nothing. */
function id(given: string): number {
  const value = Number(given);
  if (!/^\d{1,15}$/.test(given) || value < 1) throw notFound();
  return value;
}

/** Positions of rows in a form. */
function placesOf(given: unknown): number[] {
  if (!Array.isArray(given) || !given.every((one) => Number.isSafeInteger(one) && one >= 0))
    throw bad('rows', 'rows is a list of places, from 0 on.');
  return given as number[];
}

function optional(query: Query, name: string): number | null {
  const given = query[name];
  if (given === undefined || given === '') return null;
  const value = Number(given);
  if (!Number.isSafeInteger(value) || value < 0) throw bad(name, `${name} is a whole number.`);
  return value;
}

function text(query: Query, name: string): string {
  const value = query[name] ?? '';
  if (value.length > 200) throw bad(name, `${name} has at most 200 characters.`);
  return value;
}

function optionsQuery(query: Query, session: Session, asked: Screen, screens: Map<string, Screen>): OptionsQuery {
  const answer: OptionsQuery = { q: text(query, 'q'), limit: Math.min(optional(query, 'limit') ?? 20, 200) };
  if (query.ids) answer.ids = parseIds(query.ids);
  if (query.for) {
    const [type, first, second] = query.for.split('.');
    const screen = screens.get(type ?? '');
    const outer = screen?.fields.find((field) => field.name === first);
    const parameter = screen?.actions.flatMap(({ params = [] }) => params).find((one) => one.name === first);
    const named = second === undefined ? (outer ?? parameter) : outer?.rows?.find((inner) => inner.name === second);
    const field = named?.refBy ? asReference(named, { [named.refBy.field]: asked.name }) : named;
    // Values copied from a chosen record are readable for people who may use the field's own screen, only from its own
    // type.
    if (!screen || field?.ref?.type !== asked.name)
      throw bad('for', `for is <type>.<field that refers to ${asked.name}>.`);
    authorizeAny(session, screen, ['add_screen', 'edit_screen', 'view_screen', 'landing']);
    answer.asking = { screen, field, siblings: second === undefined ? screen.fields : outer!.rows! };
  }
  if (query.where) {
    try {
      answer.where = body(JSON.parse(query.where), 'where');
    } catch {
      throw bad('where', 'where is a JSON object.');
    }
    checkJson(answer.where, 'where');
  }
  return answer;
}
