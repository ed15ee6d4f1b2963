import type { Tenant } from '../../db/tenant.ts';
import { quoted } from '../../db/names.ts';
import type { Notifications } from '../notifications/notify.ts';
import type { JobFailure } from './jobs.ts';

/** A failure outside of jobs: a consequence of an event that failed at every attempt. */
export const PARKED = 'event_delivery';

async function notify(
  notifications: Notifications,
  tenant: Tenant,
  { definition, error }: JobFailure,
  where: string,
): Promise<void> {
  const { schema, db } = tenant;
  const admins =
    schema === 'public'
      ? 'select u.id from public.common_user u join public.user_type t on t.id = u.user_type_id where u.active and t.is_super order by u.id'
      : `select id from ${quoted(schema)}.users where is_admin and active and status = 'active' order by id`;
  await db.transaction(async (tx) => {
    const to = (await tx.query<{ id: number }>(admins)).map(({ id }) => id);
    await notifications.notify(tx, tenant, {
      event: 'job.failed',
      to,
      values: { job: definition.title + where, error },
      groupKey: `job ${definition.name}`,
      ...(schema !== 'public' && { link: definition.name === PARKED ? '/jobs?tab=parked' : '/jobs' }),
    });
  });
}

/**
 * Notifies administrators of a failed job: those of the client it ran for, and those of the platform if it concerns
 * them.
 */
export async function notifyFailure(
  notifications: Notifications,
  failure: JobFailure,
  platform: () => Promise<Tenant>,
  tenantOf: (schema: string) => Promise<Tenant | null>,
): Promise<void> {
  const tenant = failure.schema === null ? null : await tenantOf(failure.schema);
  if (tenant) await notify(notifications, tenant, failure, '');
  if (failure.schema === null || failure.definition.concernsPlatform)
    await notify(notifications, await platform(), failure, tenant ? ` (${tenant.name})` : '');
}
