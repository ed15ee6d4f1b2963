import type { FastifyInstance } from 'fastify';
import { AppError, notFound } from '../../db/errors.ts';
import type { Jobs } from '../../services/jobs/jobs.ts';
import type { LiveHub } from '../../services/live/hub.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import type { ScreenStore } from '../../engine/descriptors/screen_store.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import { DELEGATION_TYPE, defineDelegationJob, revokeDelegation } from '../../access/people/delegation_clock.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { authorize } from '../../access/rights/authorize.ts';

export interface DelegationRouteDeps {
  store: ScreenStore;
  engine: Engine;
  jobs: Jobs;
  notifications: Notifications;
  hub: LiveHub<LiveSession>;
}

/** Delegations end before their time by whoever gave them, has them, or keeps the lists (platform_admin.md §4.3). */
export async function delegationRoutes(
  app: FastifyInstance,
  { store, engine, jobs, notifications, hub }: DelegationRouteDeps,
): Promise<void> {
  defineDelegationJob(jobs, notifications);

  for (const prefix of ['/tapi', '/api'])
    app.post(`${prefix}/delegation/:id/revoke`, async ({ session, params }) => {
      const screen = store.screens().get(DELEGATION_TYPE);
      const { id } = params as { id: string };
      if (!screen || session.tenant.schema === 'public' || !/^\d{1,15}$/.test(id)) throw notFound();
      authorize(session, screen, 'edit_screen');
      const record = await engine.read(session, screen, Number(id));
      const own =
        session.employeeId !== null && [record.from_employee_id, record.to_employee_id].includes(session.employeeId);
      const refusal = own ? null : session.rights.refuseAction('CREATE_MASTERS');
      if (refusal) throw new AppError(403, 'forbidden', refusal.message, { reason: refusal.reason });
      if (!(await revokeDelegation(notifications, session.tenant, record.id, session.userId)))
        throw new AppError(409, 'bad_state', 'This delegation has ended already.');
      hub.changed(session.tenant, DELEGATION_TYPE, record.id, 'U', session.entityId);
      return { data: await engine.read(session, screen, record.id) };
    });
}
