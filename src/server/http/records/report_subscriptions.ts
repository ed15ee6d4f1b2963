import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Report } from '../../../domain/report.ts';
import { INTERVALS } from '../../../domain/report_schedule.ts';
import { authorizeAction } from '../../access/rights/authorize.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { AppError, notFound } from '../../db/errors.ts';
import { REPORT_FORMATS } from '../../engine/reports/report_file.ts';
import type { AskedSubscription } from '../../platform/reports/subscriptions.ts';
import {
  addSubscription,
  changeSubscription,
  possibleRecipients,
  receiveSubscription,
  removeSubscription,
  subscriptionsFor,
  subscriptionsTo,
} from '../../platform/reports/subscriptions.ts';

const ids = { type: 'array', maxItems: 100, items: { type: 'integer', minimum: 1 } };
const BODY = {
  type: 'object',
  required: ['format', 'every', 'hour'],
  additionalProperties: false,
  properties: {
    parameters: { type: 'object', additionalProperties: { type: 'string', maxLength: 2_000 }, maxProperties: 50 },
    format: { enum: [...REPORT_FORMATS] },
    every: { enum: [...INTERVALS] },
    day: { type: ['integer', 'null'], minimum: 1, maximum: 31 },
    hour: { type: 'integer', minimum: 0, maximum: 23 },
    people: ids,
    roles: ids,
    paused: { type: 'boolean' },
  },
} as const;

const RECEIVE = {
  type: 'object',
  required: ['wanted'],
  additionalProperties: false,
  properties: { wanted: { type: 'boolean' } },
} as const;

/**
 * Reports by mail: subscriptions with recipients and schedule. `open` finds the report and refuses people who may not
 * open it.
 */
export async function reportSubscriptionRoutes(
  app: FastifyInstance,
  { open }: { open: (request: FastifyRequest) => Promise<Report> },
): Promise<void> {
  const mailed = async (request: FastifyRequest): Promise<{ session: LiveSession; report: Report }> => {
    const report = await open(request);
    const session = request.session as LiveSession;
    // People who may not export a report cannot subscribe to it either.
    authorizeAction(session, 'EXPORT_DATA');
    if (session.tenant.schema === 'public')
      throw new AppError(403, 'forbidden', 'Reports of the platform are not sent by mail.', { reason: 'screen' });
    return { session, report };
  };
  const asked = ({ body }: FastifyRequest): AskedSubscription => ({
    parameters: {},
    day: null,
    people: [],
    roles: [],
    paused: false,
    ...(body as Pick<AskedSubscription, 'format' | 'every' | 'hour'>),
  });
  const numberOf = ({ params }: FastifyRequest): number => {
    const { id } = params as { id: string };
    if (!/^\d{1,15}$/.test(id)) throw notFound();
    return Number(id);
  };

  for (const prefix of ['/tapi', '/api']) {
    const at = `${prefix}/report/:name/subscriptions`;
    app.get(at, async (request) => {
      const { session, report } = await mailed(request);
      return { data: await subscriptionsTo(session, report), received: await subscriptionsFor(session, report) };
    });

    app.get(`${prefix}/report/:name/recipients`, async (request) => {
      const { session } = await mailed(request);
      const { search = '' } = request.query as { search?: string };
      return { data: await possibleRecipients(session, search.slice(0, 100).replaceAll('\0', '')) };
    });

    app.post(at, { schema: { body: BODY } }, async (request, reply) => {
      const { session, report } = await mailed(request);
      return reply.code(201).send({ data: { id: await addSubscription(session, report, asked(request)) } });
    });

    app.put(`${at}/:id`, { schema: { body: BODY } }, async (request) => {
      const { session, report } = await mailed(request);
      const id = numberOf(request);
      await changeSubscription(session, report, id, asked(request));
      return { data: { id } };
    });

    app.put<{ Body: { wanted: boolean } }>(`${at}/:id/receive`, { schema: { body: RECEIVE } }, async (request) => {
      const { session, report } = await mailed(request);
      const id = numberOf(request);
      await receiveSubscription(session, report, id, request.body.wanted);
      return { data: { id } };
    });

    app.delete(`${at}/:id`, async (request, reply) => {
      const { session, report } = await mailed(request);
      await removeSubscription(session, report, numberOf(request));
      return reply.code(204).send();
    });
  }
}
