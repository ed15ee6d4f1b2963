import type { FastifyInstance } from 'fastify';
import type { Screen } from '../../descriptor/types.ts';
import type { Session, Tenant } from '../context.ts';
import { AppError, notFound } from '../errors.ts';
import type { Engine } from '../records/engine.ts';
import { neededTypes } from '../records/needed_types.ts';

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
  for (const prefix of ['/tapi', '/api'])
    for (const [call, word] of [
      ['approve', 'approved'],
      ['send_back', 'returned'],
    ] as const)
      app.post<{ Params: { id: string }; Body: { reason?: unknown } | undefined }>(
        `${prefix}/${TYPE}/:id/${call}`,
        async (request) => {
          const { session } = request;
          const known = screens(session);
          const requests = known.get(TYPE);
          if (!requests || session.tenant.schema === 'public' || !/^\d{1,15}$/.test(request.params.id))
            throw notFound();
          await ensure(session.tenant, neededTypes(product(), requests));
          const record = await engine.read(session, requests, Number(request.params.id));
          const screen = known.get(String(record.transaction_type));
          const step = screen?.approval?.[word];
          if (!screen || record.state !== 'waiting')
            throw new AppError(409, 'bad_state', 'This does not wait for anybody any more.');
          if (step === undefined)
            throw new AppError(409, 'bad_state', 'This cannot be given back. Open it, and take one of its steps.');
          const transition = screen.workflow!.transitions.find(({ name }) => name === step)!;
          const reason = request.body?.reason;
          await engine.transition(session, screen, record.record_id as number, step, {
            ...(transition.reason !== undefined && typeof reason === 'string' && { reason }),
          });
          return { data: await engine.read(session, requests, record.id) };
        },
      );
}
