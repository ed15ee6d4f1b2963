import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, notFound } from '../../db/errors.ts';
import type { Deliveries } from '../../engine/events/deliveries.ts';
import type { RefusedStep } from '../../../domain/refused_step.ts';
import type { Jobs } from '../../services/jobs/jobs.ts';
import type { Outbox } from '../../services/notifications/outbox.ts';
import { outboxLog, sendAgain } from '../../services/notifications/outbox_log.ts';
import type { Pages } from '../../access/rights/pages.ts';
import { mayOpen } from '../../access/rights/pages.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import type { Session } from '../../access/context.ts';
import type { Audit } from '../../services/audit/audit.ts';

export interface JobRouteDeps {
  jobs: Jobs;
  outbox: Outbox;
  deliveries: Deliveries;
  /** Refused automatic transitions. */
  refusals: (session: Session) => Promise<RefusedStep[]>;
  /** Who may open which page. */
  pages: () => Pages;
  audit: Audit;
}

/**
 * Background work: schedules and runs of jobs, for people with the page; waiting mails and failed deliveries, for
 * administrators.
 */
export async function jobRoutes(
  app: FastifyInstance,
  { jobs, outbox, deliveries, refusals, pages, audit }: JobRouteDeps,
): Promise<void> {
  const admin = ({ session }: FastifyRequest) => {
    if (!session.rights.isAdmin)
      throw new AppError(403, 'forbidden', 'Only an administrator may manage jobs and mails. Ask your administrator.', {
        reason: 'action',
      });
    return session;
  };

  const keeper = ({ session }: FastifyRequest) => {
    const page = pages().get('/jobs');
    if (!session.rights.isAdmin && !(page && mayOpen(session as LiveSession, page)))
      throw new AppError(403, 'forbidden', 'Your role does not include the page of jobs. Ask your administrator.', {
        reason: 'screen',
      });
    return session;
  };
  /** Runs of companies are visible to their people. */
  const companiesOf = ({ rights, entityIds }: Session): { companies?: readonly number[] } =>
    rights.isAdmin ? {} : { companies: entityIds };

  for (const prefix of ['/tapi', '/api']) {
    app.get(`${prefix}/jobs`, async (request) => {
      const { tenant, rights } = keeper(request);
      return { data: await jobs.schedules(tenant.schema), mails: rights.isAdmin };
    });

    app.get(`${prefix}/jobs/log`, async (request) => {
      const session = keeper(request);
      const { name, before } = request.query as { name?: string; before?: string };
      return {
        data: await jobs.log(session.tenant.schema, {
          ...companiesOf(session),
          ...(name !== undefined && { name }),
          ...(before !== undefined && /^\d{1,15}$/.test(before) && { before: Number(before) }),
        }),
      };
    });

    app.post(`${prefix}/jobs/:name/run`, async (request, reply) => {
      const session = keeper(request);
      const { name } = request.params as { name: string };
      if (!(await jobs.schedules(session.tenant.schema)).some((one) => one.name === name)) throw notFound();
      const ids = await jobs.runNow(session.tenant, name, { userId: session.userId, companies: session.entityIds });
      await audit(session.tenant, {
        actor: session.userId,
        action: 'job_run',
        summary: name,
        sid: session.sid,
        ip: request.ip,
      });
      return reply.code(202).send({ data: { id: ids[0] ?? null } });
    });

    app.post(`${prefix}/jobs/log/:id/stop`, async (request, reply) => {
      const session = keeper(request);
      const { id } = request.params as { id: string };
      if (!/^\d{1,15}$/.test(id)) throw notFound();
      await jobs.stopRun(session.tenant.schema, Number(id), companiesOf(session).companies);
      await audit(session.tenant, {
        actor: session.userId,
        action: 'job_stop',
        summary: id,
        sid: session.sid,
        ip: request.ip,
      });
      return reply.code(202).send({ data: { id: Number(id) } });
    });

    app.put(
      `${prefix}/jobs/:name`,
      { schema: { body: { type: 'object', required: ['active'], properties: { active: { type: 'boolean' } } } } },
      async (request) => {
        const session = keeper(request);
        const { name } = request.params as { name: string };
        const { active } = request.body as { active: boolean };
        await jobs.setActive(session.tenant.schema, name, active);
        await audit(session.tenant, {
          actor: session.userId,
          action: active ? 'job_on' : 'job_off',
          summary: name,
          sid: session.sid,
          ip: request.ip,
        });
        return { data: { name, active } };
      },
    );

    app.get(`${prefix}/outbox`, async (request) => {
      const { tenant } = admin(request);
      const { state, before } = request.query as { state?: string; before?: string };
      return outboxLog(tenant, state ?? null, before !== undefined && /^\d+$/.test(before) ? Number(before) : null);
    });

    app.get(`${prefix}/event_delivery`, async (request) => ({ data: await deliveries.parked(admin(request).tenant) }));

    app.get(`${prefix}/refused_steps`, async (request) => ({ data: await refusals(admin(request)) }));

    for (const word of ['retry', 'drop'] as const)
      app.post(`${prefix}/event_delivery/:id/${word}`, async (request, reply) => {
        const session = admin(request);
        const { id } = request.params as { id: string };
        if (!/^\d{1,15}$/.test(id)) throw notFound();
        await deliveries[word](session.tenant, Number(id));
        await audit(session.tenant, {
          actor: session.userId,
          action: `delivery_${word}`,
          summary: id,
          sid: session.sid,
          ip: request.ip,
        });
        return reply.code(202).send({ data: { id: Number(id) } });
      });

    app.post(`${prefix}/outbox/:id/retry`, async (request, reply) => {
      const { tenant } = admin(request);
      const { id } = request.params as { id: string };
      if (!/^\d{1,15}$/.test(id)) throw notFound();
      await sendAgain(tenant, Number(id));
      void outbox.send(tenant).catch(() => undefined);
      return reply.code(202).send({ data: { id: Number(id) } });
    });
  }
}
