import type { FastifyInstance } from 'fastify';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import { AppError, notFound } from '../../db/errors.ts';
import { kindsOfRequests } from '../../modules/act/request_kinds.ts';
import { tryApproval } from '../../modules/act/approval_try.ts';
import { authorize } from '../../access/rights/authorize.ts';
import type { Engine } from '../../engine/records/engine.ts';
import type { BulkAnswer } from '../../engine/records/record_change.ts';
import { givenIds } from '../../engine/records/list_query.ts';
import { neededTypes } from '../../engine/records/needed_types.ts';

export interface ApprovalRouteDeps {
  engine: Engine;
  product: () => Map<string, Screen>;
  screens: (session: Session) => ReadonlyMap<string, Screen>;
  ensure(tenant: Tenant, types: string[]): Promise<unknown>;
}

const TYPE = 'approval_request';
const PROCESS = 'approval_process';

/** The calls on a request, with the decision of each. */
const CALLS = { approve: 'approved', send_back: 'returned', reject: 'rejected', withdraw: 'withdrawn' } as const;
type Word = (typeof CALLS)[keyof typeof CALLS];

/** The error if a document has no such transition. */
const INSTEAD: Record<Word, string> = {
  approved: 'This cannot be approved from here. Open it, and take one of its steps.',
  returned: 'This cannot be given back. Open it, and take one of its steps.',
  rejected: 'This cannot be rejected, but given back. Open it, and take one of its steps.',
  withdrawn: 'This cannot be withdrawn from here. Open it and use one of its actions.',
};

/** A decision on a request is a transition of its record: the same rules, whichever of the two is open. */
export async function approvalRoutes(
  app: FastifyInstance,
  { engine, product, screens, ensure }: ApprovalRouteDeps,
): Promise<void> {
  /** The type of the requests, with the tables that deciding one needs. */
  async function requestsOf(session: Session): Promise<Screen> {
    const requests = screens(session).get(TYPE);
    if (!requests || session.tenant.schema === 'public') throw notFound();
    await ensure(session.tenant, neededTypes(product(), requests));
    return requests;
  }

  /** A person's decision on one request, as a transition of its record. */
  async function say(session: Session, id: number, word: Word, reason: unknown): Promise<WireRecord> {
    const requests = await requestsOf(session);
    const record = await engine.read(session, requests, id);
    const screen = screens(session).get(String(record.transaction_type));
    const step = screen?.approval?.[word];
    if (!screen || record.state !== 'waiting')
      throw new AppError(409, 'bad_state', 'This is no longer waiting for anybody.');
    if (step === undefined) throw new AppError(409, 'bad_state', INSTEAD[word]);
    const transition = screen.workflow!.transitions.find(({ name }) => name === step)!;
    await engine.transition(session, screen, record.record_id as number, step, {
      ...(typeof reason === 'string' && { [transition.reason === undefined ? 'remark' : 'reason']: reason }),
    });
    return engine.read(session, requests, record.id);
  }

  /** One decision on several requests requires the same document type. @throws AppError 400 */
  async function refuseMixed(session: Session, ids: readonly number[]): Promise<void> {
    await requestsOf(session);
    const kinds = await kindsOfRequests(session.tenant, ids);
    if (kinds.length > 1)
      throw new AppError(400, 'bad_request', 'Choose requests for one kind of document.', { field: 'ids' });
  }

  for (const prefix of ['/tapi', '/api']) {
    for (const [call, word] of Object.entries(CALLS)) {
      app.post<{ Params: { id: string }; Body: { reason?: unknown } | undefined }>(
        `${prefix}/${TYPE}/:id/${call}`,
        async ({ session, params, body }) => {
          if (!/^\d{1,15}$/.test(params.id)) throw notFound();
          return { data: await say(session, Number(params.id), word, body?.reason) };
        },
      );
      if (word === 'withdrawn') continue;
      app.post<{ Body: { ids?: unknown; reason?: unknown } | undefined }>(
        `${prefix}/${TYPE}/bulk/${call}`,
        async ({ session, body }) => {
          const ids = givenIds(body?.ids);
          if (ids.length > MAX_AT_ONCE)
            throw new AppError(400, 'bad_request', 'At most 1,000 records at once.', { field: 'ids' });
          await refuseMixed(session, ids);
          const answer: BulkAnswer = { changed: [], errors: [] };
          for (const id of new Set(ids)) {
            try {
              await say(session, id, word, body?.reason);
              answer.changed.push(id);
            } catch (error) {
              if (!(error instanceof AppError) || error.status >= 500) throw error;
              answer.errors.push({ id, message: error.message });
            }
          }
          return { data: answer };
        },
      );
    }

    app.post<{ Body: unknown }>(`${prefix}/${PROCESS}/try`, async ({ session, body }) => {
      const screen = screens(session).get(PROCESS);
      if (!screen || session.tenant.schema === 'public') throw notFound();
      authorize(session, screen, 'view_screen');
      const given = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
      const number = (name: string): number | null => {
        const value = given[name] ?? null;
        if (value !== null && !(Number.isSafeInteger(value) && (value as number) > 0))
          throw new AppError(400, 'bad_request', `${name} is the id of a record.`, { field: name });
        return value as number | null;
      };
      const company = number('entity_id') ?? session.entityId;
      if (company === null || !session.entityIds.includes(company))
        throw new AppError(400, 'bad_request', 'Choose one of your companies.', { field: 'entity_id' });
      const { amount = null, type } = given;
      if (amount !== null && !(typeof amount === 'string' && /^-?\d{1,16}(\.\d{1,2})?$/.test(amount)))
        throw new AppError(400, 'bad_request', 'amount is a number with two decimals at most, as text.', {
          field: 'amount',
        });
      const document = screens(session).get(String(type));
      await ensure(session.tenant, [
        ...new Set([screen, ...(document ? [document] : [])].flatMap((one) => neededTypes(product(), one))),
      ]);
      // A document is shown to those who may open it.
      if (document && given.record_id) authorize(session, document, 'view_screen');
      return {
        data: await tryApproval({ ...session, entityId: company }, screens(session), engine, {
          type: String(type),
          recordId: number('record_id'),
          branchId: number('branch_id'),
          amount: amount as string | null,
          requesterId: number('requester_id'),
        }),
      };
    });
  }
}

/** The maximum number of records in one call. */
const MAX_AT_ONCE = 1_000;
