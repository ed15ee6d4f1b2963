import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import { authorizeAny } from '../../access/rights/authorize.ts';
import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import { AppError, notFound } from '../../db/errors.ts';
import { neededTypes } from '../../engine/records/needed_types.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { TRIED, designOf, isOfDesigns } from '../../engine/print/print_designs.ts';
import { parseListQuery } from '../../engine/records/list_query.ts';
import type { PrintedFile, Prints } from '../../engine/print/prints.ts';

export interface PrintRouteDeps {
  engine: Engine;
  prints: Prints;
  product: () => Map<string, Screen>;
  screens: (session: Session) => Map<string, Screen>;
  ensure(tenant: Tenant, types: string[]): Promise<unknown>;
}

type Identified = { Params: { type: string; id: string } };
type Named = { Params: { type: string; id: string; file: string } };

/** Prints of records: documents as PDF, and issued ones. */
export async function printRoutes(
  app: FastifyInstance,
  { engine, prints, product, screens, ensure }: PrintRouteDeps,
): Promise<void> {
  async function printed(
    request: FastifyRequest<{ Params: { type: string; id: string } }>,
  ): Promise<{ session: Session; screen: Screen; record: WireRecord }> {
    const { session } = request;
    const screen = screens(session).get(request.params.type);
    const id = Number(request.params.id);
    if (!screen || !(screen.prints || isOfDesigns(screen)) || !Number.isSafeInteger(id) || id < 1) throw notFound();
    if ((screen.scope === 'platform') !== (session.tenant.schema === 'public')) throw notFound();
    authorizeAny(session, screen, ['view_screen', 'edit_screen', 'approval_screen']);
    await ensure(session.tenant, neededTypes(product(), screen));
    return { session, screen, record: await engine.read(session, screen, id) };
  }

  /** A design, previewed with the latest record of its type that the caller sees. */
  async function tried(session: Session, screen: Screen, record: WireRecord): Promise<PrintedFile> {
    const design = designOf(screens(session), screen, record);
    if (!design) throw notFound();
    const { of, print } = design;
    authorizeAny(session, of, ['view_screen', 'edit_screen', 'approval_screen']);
    await ensure(session.tenant, neededTypes(product(), of));
    const { data } = await engine.list(session, of, parseListQuery({ size: '1', sort: '-id', columns: 'id' }, of));
    if (!data[0])
      throw new AppError(409, 'conflict', `There is no record of ${of.title} yet to try it on. Add one first.`);
    return prints.tried(session, of, await engine.read(session, of, data[0].id), print);
  }

  for (const prefix of ['/tapi', '/api']) {
    const at = `${prefix}/:type/:id`;
    app.get<Identified>(`${at}/prints`, async (request) => {
      const { session, screen, record } = await printed(request);
      if (isOfDesigns(screen))
        return { data: { offered: [{ name: TRIED, title: 'Try it on the latest record' }], issued: [] } };
      return { data: await prints.of(session, screen, record) };
    });
    app.get<Named>(`${at}/print/:file`, async (request, reply) => {
      const { session, screen, record } = await printed(request);
      const name = /^([a-z][a-z0-9_]*)\.pdf$/.exec(request.params.file)?.[1];
      if (name === undefined) throw notFound();
      if (isOfDesigns(screen)) return send(reply, await tried(session, screen, record));
      return send(reply, await prints.pdf(session, screen, record, name));
    });
    app.get<Named>(`${at}/issued/:file`, async (request, reply) => {
      const { session, screen, record } = await printed(request);
      const kept = Number(/^(\d{1,15})\.pdf$/.exec(request.params.file)?.[1]);
      if (!Number.isSafeInteger(kept)) throw notFound();
      return send(reply, await prints.issued(session, screen, record, kept));
    });
  }
}

function send(reply: FastifyReply, { name, bytes }: PrintedFile): FastifyReply {
  return reply
    .header('content-disposition', `inline; filename*=UTF-8''${encodeURIComponent(name)}`)
    .header('cache-control', 'private, no-store')
    .type('application/pdf')
    .send(bytes);
}
