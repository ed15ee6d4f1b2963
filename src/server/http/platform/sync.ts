import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { parseListQuery } from '../../engine/records/list_query.ts';
import type { Audit } from '../../services/audit/audit.ts';
import { authorize, authorizeAny } from '../../access/rights/authorize.ts';
import type { SyncRuns } from '../../platform/sync/runs.ts';
import { contentsOf } from '../../platform/sync/source.ts';
import type { SourceDeps } from '../../platform/sync/source_kind.ts';
import { sourceMessage } from '../../platform/sync/source_messages.ts';

export interface SyncRouteDeps {
  engine: Engine;
  runs: SyncRuns;
  source: SourceDeps;
  screens: (session: Session) => ReadonlyMap<string, Screen>;
  audit: Audit;
}

/** Actions on import jobs besides editing: runs, rejected rows, tests of sources. */
export async function syncRoutes(
  app: FastifyInstance,
  { engine, runs, source, screens, audit }: SyncRouteDeps,
): Promise<void> {
  const typeOf = (session: Session, type: string): Screen => {
    const screen = screens(session).get(type);
    if (!screen || session.tenant.schema === 'public') throw notFound();
    return screen;
  };
  /** The record of a call, for people who may work with such records. */
  async function asked(request: FastifyRequest, type: string): Promise<{ session: Session; record: WireRecord }> {
    const { session } = request;
    const screen = typeOf(session, type);
    authorize(session, screen, 'edit_screen', screen.access.action);
    const id = Number((request.params as { id: string }).id);
    if (!Number.isSafeInteger(id) || id < 1) throw notFound();
    return { session, record: await engine.read(session, screen, id) };
  }
  const note = ({ session, ip }: FastifyRequest, action: string, target: string, summary?: string) =>
    audit(session.tenant, {
      actor: session.userId,
      action,
      target,
      sid: session.sid,
      ip,
      ...(summary !== undefined && { summary }),
    });

  for (const prefix of ['/tapi', '/api']) {
    for (const [call, dryCall] of [
      ['run', false],
      ['dry_run', true],
    ] as const)
      app.post(`${prefix}/sync_job/:id/${call}`, async (request, reply) => {
        const { session, record } = await asked(request, 'sync_job');
        const dry = dryCall || (request.body as { dry?: unknown } | undefined)?.dry === true;
        const id = await runs.start(session.tenant, record.id, dry ? 'dry' : 'manual', session.userId);
        await note(request, dry ? 'sync_dry_run' : 'sync_run', `sync_job:${record.id}`);
        return reply.code(202).send({ run_id: id });
      });

    app.get(`${prefix}/sync_run/:id/rejects`, async ({ session, params, query }) => {
      const [run, reject] = [typeOf(session, 'sync_run'), typeOf(session, 'sync_reject')];
      authorizeAny(session, run, ['view_screen', 'edit_screen']);
      const { id } = params as { id: string };
      if (!/^\d{1,15}$/.test(id)) throw notFound();
      await engine.read(session, run, Number(id));
      return engine.list(
        session,
        reject,
        parseListQuery(
          { ...(query as Record<string, string>), filter: JSON.stringify(['run_id', 'eq', Number(id)]), columns: '*' },
          reject,
        ),
      );
    });

    app.post(`${prefix}/sync_reject/:id/retry`, async (request) => {
      const { session, record } = await asked(request, 'sync_reject');
      const payload = (request.body as { payload?: unknown } | undefined)?.payload;
      if (payload !== undefined && (typeof payload !== 'object' || payload === null || Array.isArray(payload)))
        throw new AppError(422, 'invalid', 'payload must be the columns of the row and their values.', {
          field: 'payload',
        });
      await runs.retry(
        session.tenant,
        session.userId,
        record,
        (payload as Record<string, unknown> | undefined) ?? null,
      );
      return { data: { id: record.id, state: 'fixed' } };
    });

    app.post(`${prefix}/sync_source/:id/test`, async (request) => {
      const { session, record } = await asked(request, 'sync_source');
      const { tenant } = session;
      const row = await runs.source(tenant, record.id);
      const from = performance.now();
      let tables: string[] = [];
      let error: string | null = null;
      try {
        tables = await contentsOf(source, tenant, row);
      } catch (caught) {
        error = sourceMessage(caught);
      }
      await runs.keepTest(tenant, record.id, error ?? 'ok');
      await note(request, 'sync_source_test', `sync_source:${record.id}`, error ?? 'ok');
      if (error !== null) throw new AppError(422, 'source_unreachable', `The source does not answer: ${error}`);
      return { ok: true, tables, ms: Math.round(performance.now() - from) };
    });
  }
}
