import type { FastifyInstance } from 'fastify';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { BulkAnswer, Engine } from '../../engine/records/engine.ts';
import { givenIds } from '../../engine/records/list_query.ts';
import { neededTypes } from '../../engine/records/needed_types.ts';

export interface ApprovalRouteDeps {
  engine: Engine;
  product: () => Map<string, Screen>;
  screens: (session: Session) => ReadonlyMap<string, Screen>;
  ensure(tenant: Tenant, types: string[]): Promise<unknown>;
}

const TYPE = 'approval_request';

/** A word on a request is a step of the record that it is about: the same rules, whichever of the two is open. */
export async function approvalRoutes(
  app: FastifyInstance,
  { engine, product, screens, ensure }: ApprovalRouteDeps,
): Promise<void> {
  /** Somebody's word on one request, as the step of its record. */
  async function say(
    session: Session,
    id: number,
    word: 'approved' | 'returned',
    reason: unknown,
  ): Promise<WireRecord> {
    const known = screens(session);
    const requests = known.get(TYPE);
    if (!requests || session.tenant.schema === 'public') throw notFound();
    await ensure(session.tenant, neededTypes(product(), requests));
    const record = await engine.read(session, requests, id);
    const screen = known.get(String(record.transaction_type));
    const step = screen?.approval?.[word];
    if (!screen || record.state !== 'waiting')
      throw new AppError(409, 'bad_state', 'This does not wait for anybody any more.');
    if (step === undefined)
      throw new AppError(409, 'bad_state', 'This cannot be given back. Open it, and take one of its steps.');
    const transition = screen.workflow!.transitions.find(({ name }) => name === step)!;
    await engine.transition(session, screen, record.record_id as number, step, {
      ...(transition.reason !== undefined && typeof reason === 'string' && { reason }),
    });
    return engine.read(session, requests, record.id);
  }

  for (const prefix of ['/tapi', '/api']) {
    for (const [call, word] of [
      ['approve', 'approved'],
      ['send_back', 'returned'],
    ] as const)
      app.post<{ Params: { id: string }; Body: { reason?: unknown } | undefined }>(
        `${prefix}/${TYPE}/:id/${call}`,
        async ({ session, params, body }) => {
          if (!/^\d{1,15}$/.test(params.id)) throw notFound();
          return { data: await say(session, Number(params.id), word, body?.reason) };
        },
      );
    app.post<{ Body: { ids?: unknown } | undefined }>(`${prefix}/${TYPE}/bulk/approve`, async ({ session, body }) => {
      const ids = givenIds(body?.ids);
      if (ids.length > MOST_AT_ONCE)
        throw new AppError(400, 'bad_request', 'At most 1,000 records at once.', { field: 'ids' });
      const answer: BulkAnswer = { changed: [], errors: [] };
      for (const id of new Set(ids)) {
        try {
          await say(session, id, 'approved', undefined);
          answer.changed.push(id);
        } catch (error) {
          if (!(error instanceof AppError) || error.status >= 500) throw error;
          answer.errors.push({ id, message: error.message });
        }
      }
      return { data: answer };
    });
  }
}

/** Records that one call takes at most. */
const MOST_AT_ONCE = 1_000;
