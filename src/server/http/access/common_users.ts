import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { Jobs } from '../../services/jobs/jobs.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { noteInvitation, readAccount } from '../../access/people/accounts.ts';
import type { Audit } from '../../services/audit/audit.ts';
import { isSuper } from '../../access/rights/common_rights.ts';
import { authorize } from '../../access/rights/authorize.ts';
import { clientSettings } from '../../services/settings/client_settings.ts';
import { messageTime } from '../../access/sessions/expiry.ts';
import { linkAddress, makeLink } from '../../access/sessions/password_links.ts';
import { removeFactor } from '../../access/sessions/second_factor.ts';
import type { SessionServices } from '../../access/sessions/services.ts';
import { endSessions } from '../../access/sessions/sign_in.ts';
import { invite } from '../../access/people/invitations.ts';

export interface CommonUserDeps {
  engine: Engine;
  screens: () => ReadonlyMap<string, Screen>;
  services: SessionServices;
  jobs: Jobs;
  notifications: Notifications;
  platform: () => Promise<Tenant>;
  addressOf: (tenant: Tenant) => string;
  audit: Audit;
}

const ACTIONS = ['invite', 'reset_link', 'sign_out', 'remove_factor'] as const;

/** Actions on platform users: they are invited like those of clients. */
export async function commonUserRoutes(
  app: FastifyInstance,
  { engine, screens, services, jobs, notifications, platform, addressOf, audit }: CommonUserDeps,
): Promise<void> {
  /** The mail with the link; the record shows until when it is valid. Earlier links become invalid. */
  async function inviteCommon(user: { id: number; name: string; email: string; username: string }): Promise<void> {
    const owner = await platform();
    await invite({ notifications, addressOf }, owner, user);
    const { invite_hours: hours } = await clientSettings(owner);
    await noteInvitation(owner.db, user.id, hours);
  }

  // Queued when a user is added (modules/admin/common_user.ts).
  jobs.define({
    name: 'common_user_invite',
    title: 'Invite a common user',
    scope: 'platform',
    retrySeconds: [60, 600],
    run: async ({ payload }) => {
      const account = await readAccount(await platform(), Number(payload.user));
      if (!account?.usable || account.phc !== null) return 'Nobody to invite.';
      await inviteCommon(account);
      return `Sent to ${account.email}.`;
    },
  });

  async function userOf(request: FastifyRequest): Promise<{ session: Session; user: WireRecord }> {
    const { session } = request;
    const screen = screens().get('common_user');
    if (!screen || session.tenant.schema !== 'public') throw notFound();
    authorize(session, screen, 'edit_screen', screen.access.action);
    const { id } = request.params as { id: string };
    if (!/^\d{1,15}$/.test(id)) throw notFound();
    const user = await engine.read(session, screen, Number(id));
    if ((await isSuper(session.tenant.db, Number(user.user_type_id))) && !session.rights.isAdmin)
      throw new AppError(
        403,
        'elevation',
        'Only a platform administrator with all rights can do this for such a user.',
      );
    return { session, user };
  }

  for (const prefix of ['/tapi', '/api'])
    for (const action of ACTIONS)
      app.post(`${prefix}/common_user/:id/${action}`, async (request) => {
        const { session, user } = await userOf(request);
        const { tenant } = session;
        const account = await readAccount(tenant, user.id);
        if (!account?.usable) throw new AppError(409, 'bad_state', 'This user is inactive. Activate the record first.');
        if (action === 'invite') {
          if (account.phc !== null)
            throw new AppError(409, 'bad_state', 'This user has a password already. Send a reset link instead.');
          await inviteCommon(account);
        } else if (action === 'reset_link') {
          if (account.phc === null)
            throw new AppError(409, 'bad_state', 'This user has no password yet. Send the invitation again instead.');
          const settings = await clientSettings(tenant);
          await tenant.db.transaction(async (tx) => {
            const token = await makeLink(tx, tenant.schema, account.id, 'admin_reset', request.ip, settings);
            await notifications.write(tx, tenant, {
              event: 'password.reset_requested',
              address: account.email,
              userId: account.id,
              dedupeKey: `reset/${token.slice(0, 12)}`,
              values: {
                name: account.name,
                minutes: String(settings.reset_link_minutes),
                link: linkAddress(addressOf(tenant), tenant.schema, token),
              },
            });
          });
        } else {
          // For a lost phone without recovery codes; signing in still requires the password.
          if (action === 'remove_factor' && !(await removeFactor(tenant, account.id)))
            throw new AppError(409, 'bad_state', 'This user has no second factor.');
          await endSessions(tenant.db, tenant.schema, account.id, { except: null }, 'admin');
          services.store.forget(tenant.schema);
          if (action === 'remove_factor')
            await notifications.notify(tenant.db, tenant, {
              event: 'mfa.changed',
              to: [account.id],
              values: { name: account.name, change: 'switched off', time: messageTime(new Date(), tenant.timezone) },
            });
        }
        await audit(tenant, {
          actor: session.userId,
          action: `common_user_${action}`,
          target: `common_user:${user.id}`,
          sid: session.sid,
          ip: request.ip,
        });
        return { data: { id: user.id, version: user.version } };
      });
}
