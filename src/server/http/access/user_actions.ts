import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import { quoted } from '../../db/names.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { Jobs } from '../../services/jobs/jobs.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import { tellManagers } from '../../access/people/disabled_account.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { readAccount, storePassword } from '../../access/people/accounts.ts';
import { attemptOf } from '../../access/sessions/attempts.ts';
import type { Audit } from '../../services/audit/audit.ts';
import { clientSettings } from '../../services/settings/client_settings.ts';
import { authorize } from '../../access/rights/authorize.ts';
import { accountBeyondOwnRights } from '../../access/rights/elevation.ts';
import { hashPassword } from '../../access/sessions/password.ts';
import { linkAddress, makeLink } from '../../access/sessions/password_links.ts';
import { readableSecret } from '../../access/sessions/readable_secret.ts';
import type { SessionServices } from '../../access/sessions/services.ts';
import { messageTime } from '../../access/sessions/expiry.ts';
import { removeFactor } from '../../access/sessions/second_factor.ts';
import { endSessions } from '../../access/sessions/sign_in.ts';

export interface UserActionDeps {
  services: SessionServices;
  engine: Engine;
  screens: () => ReadonlyMap<string, Screen>;
  notifications: Notifications;
  addressOf: (tenant: Tenant) => string;
  audit: Audit;
  jobs: Jobs;
}

const ACTIONS = [
  'invite',
  'disable',
  'enable',
  'unlock',
  'reset_link',
  'force_change',
  'sign_out',
  'remove_factor',
] as const;
type Action = (typeof ACTIONS)[number];

/** How long a temporary password may wait for the first sign-in. */
const TEMPORARY_HOURS = 24;

/** Sends a user the link by which they choose their first password. Links sent before stop working. */
export async function invite(
  deps: Pick<UserActionDeps, 'notifications' | 'addressOf'>,
  tenant: Tenant,
  user: { id: number; name: string; email: string; username: string },
): Promise<void> {
  const settings = await clientSettings(tenant);
  await tenant.db.transaction(async (tx) => {
    const token = await makeLink(tx, tenant.schema, user.id, 'invite', null, settings);
    await deps.notifications.write(tx, tenant, {
      event: 'user.invited',
      address: user.email,
      userId: user.id,
      dedupeKey: `invite/${token.slice(0, 12)}`,
      values: {
        name: user.name,
        username: user.username,
        hours: String(settings.invite_hours),
        link: linkAddress(deps.addressOf(tenant), tenant.schema, token),
      },
    });
  });
}

/** What is done to an account from the list of users and the password portal. */
export async function userActionRoutes(app: FastifyInstance, deps: UserActionDeps): Promise<void> {
  const { services, engine, screens, notifications, addressOf, audit, jobs } = deps;

  jobs.define({
    name: 'user_invitations',
    title: 'Invite users who were added',
    after: 'users',
    retrySeconds: [60, 600],
    run: async ({ tenant }) => {
      if (!tenant) return undefined;
      const s = quoted(tenant.schema);
      const rows = await tenant.db.query<{ id: number; name: string; email: string; username: string }>(
        `select u.id, u.name, u.email, u.username from ${s}.users u
         where u.active and u.status = 'invited' and not coalesce(u.is_service, false) and u.created_at > now() - interval '1 day'
           and not exists (select 1 from ${s}.password_token t where t.user_id = u.id) order by u.id`,
      );
      for (const row of rows) await invite(deps, tenant, row);
      return `${rows.length} people invited.`;
    },
  });

  async function userOf(
    request: FastifyRequest,
    page: 'edit_screen' | 'landing',
  ): Promise<{ session: Session; screen: Screen; user: WireRecord }> {
    const { session } = request;
    const screen = screens().get('users');
    if (!screen || session.tenant.schema === 'public') throw notFound();
    authorize(session, screen, page, screen.access.action);
    const { id } = request.params as { id: string };
    if (!/^\d{1,15}$/.test(id)) throw notFound();
    const user = await engine.read(session, screen, Number(id));
    if (!session.rights.isAdmin) {
      if (user.is_admin) throw new AppError(403, 'elevation', 'Only an administrator may change an administrator.');
      if ((await accountBeyondOwnRights(session, user.id, screens())) !== null)
        throw new AppError(403, 'elevation', 'This user holds more rights than you do. Ask an administrator.');
    }
    return { session, screen, user };
  }

  async function perform(
    action: Action,
    { session, screen, user }: Awaited<ReturnType<typeof userOf>>,
    ip: string,
  ): Promise<WireRecord> {
    const { tenant } = session;
    const { schema, db } = tenant;
    const s = quoted(schema);
    const person = { id: user.id, name: String(user.name), email: String(user.email), username: String(user.username) };
    const signOut = async (reason: 'admin' | 'password') => {
      await endSessions(db, schema, user.id, { except: null }, reason);
      services.store.forget(schema);
    };
    switch (action) {
      case 'invite': {
        if (user.is_service)
          throw new AppError(422, 'invalid', 'A service account never signs in.', { field: 'is_service' });
        if (user.status !== 'invited')
          throw new AppError(
            409,
            'bad_state',
            'This user has accepted the invitation, or is disabled. Send a reset link instead.',
          );
        await invite({ notifications, addressOf }, tenant, person);
        return user;
      }
      case 'reset_link': {
        const account = await readAccount(tenant, user.id);
        if (!account?.usable) throw new AppError(409, 'bad_state', 'This account cannot be used at present.');
        const settings = await clientSettings(tenant);
        await db.transaction(async (tx) => {
          const token = await makeLink(tx, schema, user.id, 'admin_reset', ip, settings);
          await notifications.write(tx, tenant, {
            event: 'password.reset_requested',
            address: person.email,
            userId: user.id,
            dedupeKey: `reset/${token.slice(0, 12)}`,
            values: {
              name: person.name,
              minutes: String(settings.reset_link_minutes),
              link: linkAddress(addressOf(tenant), schema, token),
            },
          });
        });
        return user;
      }
      case 'disable': {
        if (user.id === session.userId) throw new AppError(422, 'invalid', 'You cannot disable yourself.');
        const changed = await engine.update(
          session,
          screen,
          user.id,
          { version: user.version, status: 'disabled' },
          'action',
        );
        // Signing out follows from the state, however it came about (modules/platform/users.ts).
        services.store.forget(schema);
        await tellManagers(notifications, tenant, [user.id], `by ${session.userName}`);
        return changed;
      }
      case 'enable': {
        if (user.status === 'active') throw new AppError(409, 'bad_state', 'This user is active.');
        const account = await readAccount(tenant, user.id);
        // Whoever comes back chooses a new password; who never had one is invited again.
        const changed = await engine.update(
          session,
          screen,
          user.id,
          {
            version: user.version,
            status: account?.phc ? 'active' : 'invited',
            must_change_password: account?.phc !== null,
          },
          'action',
        );
        if (!account?.phc) await invite({ notifications, addressOf }, tenant, person);
        return changed;
      }
      case 'unlock': {
        const key = attemptOf('account', person.id, ip, services.secrets.identifiers).identifierHash;
        await db.query(`delete from ${s}.login_counter where key = $1 or split_part(key, ' ', 2) = $2`, [
          `i ${key}`,
          key,
        ]);
        return user;
      }
      case 'force_change': {
        const changed = await engine.update(
          session,
          screen,
          user.id,
          { version: user.version, must_change_password: true },
          'action',
        );
        await db.query(`update ${s}.credential set must_change = true where user_id = $1`, [user.id]);
        await signOut('password');
        return changed;
      }
      case 'remove_factor': {
        // For a lost phone without recovery codes; who signs in as the person has to know the password still.
        if (!(await removeFactor(tenant, user.id)))
          throw new AppError(409, 'bad_state', 'This user has no second factor.');
        await signOut('admin');
        const time = messageTime(new Date(), tenant.timezone);
        await db.transaction((tx) =>
          notifications.notify(tx, tenant, {
            event: 'mfa.changed',
            to: [user.id],
            values: { name: person.name, change: 'switched off', time },
          }),
        );
        return user;
      }
      case 'sign_out':
        await signOut('admin');
        return user;
    }
  }

  /** A password that an administrator passes on: made here, good for a day, and changed at the first sign-in. */
  async function givePassword(
    { session, screen, user }: Awaited<ReturnType<typeof userOf>>,
    ip: string,
  ): Promise<{ user: WireRecord; password: string }> {
    const { tenant } = session;
    const { schema } = tenant;
    const settings = await clientSettings(tenant);
    if (!settings.admin_temporary_password)
      throw new AppError(
        403,
        'forbidden',
        'Temporary passwords are switched off. Send a reset link, or allow them in Configuration, Passwords.',
        { reason: 'action' },
      );
    if (user.is_service)
      throw new AppError(422, 'invalid', 'A service account never signs in.', { field: 'is_service' });
    if (user.id === session.userId)
      throw new AppError(422, 'invalid', 'Change your own password in Account and security.');
    if (user.status === 'disabled')
      throw new AppError(409, 'bad_state', 'This user is disabled. Enable the account first.');
    const password = readableSecret(4);
    const phc = await hashPassword(password, undefined, settings.trim_password);
    const changed =
      user.status === 'invited'
        ? await engine.update(session, screen, user.id, { version: user.version, status: 'active' }, 'action')
        : user;
    await tenant.db.transaction(async (tx) => {
      await storePassword(tx, schema, user.id, phc, { mustChange: true, hours: TEMPORARY_HOURS });
      await tx.query(
        `update ${quoted(schema)}.password_token set used_at = now() where user_id = $1 and used_at is null`,
        [user.id],
      );
      await endSessions(tx, schema, user.id, { except: null }, 'password');
      await notifications.notify(tx, tenant, {
        event: 'password.changed',
        to: [user.id],
        values: { time: messageTime(new Date(), tenant.timezone), device: 'an administrator' },
      });
      await audit(
        tenant,
        { actor: session.userId, action: 'user_temporary_password', target: `users:${user.id}`, sid: session.sid, ip },
        tx,
      );
    });
    services.store.forget(schema);
    return { user: changed, password };
  }

  for (const prefix of ['/tapi', '/api']) {
    app.post(`${prefix}/users/:id/temporary_password`, async (request) => {
      const asked = await userOf(request, 'edit_screen');
      const { user, password } = await givePassword(asked, request.ip);
      return {
        data: { id: user.id, status: user.status, version: user.version },
        once: {
          label: 'Temporary password',
          value: password,
          text: `Tell it to ${String(user.name)} yourself. It works for ${TEMPORARY_HOURS} hours, and a new one must be chosen at the first sign-in.`,
        },
      };
    });

    for (const action of ACTIONS) {
      app.post(`${prefix}/users/:id/${action}`, async (request) => {
        const asked = await userOf(request, 'edit_screen');
        const user = await perform(action, asked, request.ip);
        await audit(asked.session.tenant, {
          actor: asked.session.userId,
          action: `user_${action}`,
          target: `users:${user.id}`,
          sid: asked.session.sid,
          ip: request.ip,
        });
        return { data: { id: user.id, status: user.status, version: user.version } };
      });
    }

    // State of sign-in of every user, for the password portal.
    app.get(`${prefix}/password_portal`, async (request) => {
      const { session } = request;
      const screen = screens().get('users');
      if (!screen || session.tenant.schema === 'public') throw notFound();
      authorize(session, screen, 'landing', screen.access.action);
      const s = quoted(session.tenant.schema);
      const rows = await session.tenant.db.query<{ id: number; username: string; email: string }>(
        `select u.id, u.username, u.name, u.email, u.status, coalesce(u.is_admin, false) as is_admin, u.last_login_at, c.changed_at as password_changed_at,
           coalesce(c.must_change, false) or coalesce(u.must_change_password, false) as must_change,
           (select count(*)::int from ${s}.session x where x.user_id = u.id and x.revoked_at is null and x.expires_at > now()) as sessions,
           exists (select 1 from ${s}.user_totp f where f.user_id = u.id and f.confirmed_at is not null) as mfa
         from ${s}.users u left join ${s}.credential c on c.user_id = u.id where u.active and not coalesce(u.is_service, false) order by u.name, u.id limit 5000`,
      );
      const counters = await session.tenant.db.query<{ key: string; failures: number; locked_until: string | null }>(
        `select key, failures, case when locked_until > now() then locked_until end as locked_until from ${s}.login_counter where key like 'i%' and failures > 0`,
      );
      const byHash = new Map<string, { failures: number; locked_until: string | null }>();
      for (const row of counters) {
        const hash = row.key.split(' ')[1] ?? '';
        const known = byHash.get(hash) ?? { failures: 0, locked_until: null };
        byHash.set(hash, {
          failures: Math.max(known.failures, row.failures),
          locked_until: row.locked_until ?? known.locked_until,
        });
      }
      return {
        temporary_passwords: (await clientSettings(session.tenant)).admin_temporary_password,
        data: rows.map((row) => {
          const { identifierHash } = attemptOf('account', row.id, '127.0.0.1', services.secrets.identifiers);
          const found = byHash.get(identifierHash);
          return {
            ...row,
            failures: found?.failures ?? 0,
            locked_until: found?.locked_until ?? null,
          };
        }),
      };
    });
  }
}
