import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { Jobs } from '../../services/jobs/jobs.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import { invite } from '../../access/people/invitations.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { demandNewPassword, readAccount, storePassword } from '../../access/people/accounts.ts';
import { attemptOf, forgetFailures } from '../../access/sessions/attempts.ts';
import { signInStates, uninvited } from '../../access/people/sign_in_states.ts';
import type { Audit } from '../../services/audit/audit.ts';
import { clientSettings } from '../../services/settings/client_settings.ts';
import { authorize } from '../../access/rights/authorize.ts';
import { accountBeyondOwnRights } from '../../access/rights/elevation.ts';
import { hashPassword } from '../../access/sessions/password.ts';
import { dropLinks, linkAddress, makeLink } from '../../access/sessions/password_links.ts';
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

const ACTIONS = ['invite', 'unlock', 'reset_link', 'force_change', 'sign_out', 'remove_factor'] as const;
type Action = (typeof ACTIONS)[number];

/** The validity of a temporary password until the first sign-in. */
const TEMPORARY_HOURS = 24;

/** Actions on an account from the list of users and the password portal. */
export async function userActionRoutes(app: FastifyInstance, deps: UserActionDeps): Promise<void> {
  const { services, engine, screens, notifications, addressOf, audit, jobs } = deps;

  jobs.define({
    name: 'user_invitations',
    title: 'Invite users who were added',
    after: 'users',
    retrySeconds: [60, 600],
    run: async ({ tenant }) => {
      if (!tenant) return undefined;
      const rows = await uninvited(tenant);
      for (const row of rows) await invite(deps, tenant, row);
      return `${rows.length} people invited.`;
    },
  });

  /** A person who was given a password is no longer invited. @returns the account then */
  async function accepted(session: Session, screen: Screen, id: number): Promise<WireRecord> {
    await engine.takeAuto(session, screen, id, 'accept', 'action');
    return engine.read(session, screen, id);
  }

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
        throw new AppError(403, 'elevation', 'This user has more rights than you. Ask an administrator.');
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
      case 'unlock': {
        const key = attemptOf('account', person.id, ip, services.secrets.identifiers).identifierHash;
        await forgetFailures(tenant, key);
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
        await demandNewPassword(tenant, user.id);
        await signOut('password');
        return changed;
      }
      case 'remove_factor': {
        // For a lost phone without recovery codes; signing in still requires the password.
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

  /** A password that an administrator passes on: generated here, valid for a day, and changed at the first sign-in. */
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
    const changed = user.status === 'invited' ? await accepted(session, screen, user.id) : user;
    await tenant.db.transaction(async (tx) => {
      await storePassword(tx, schema, user.id, phc, { mustChange: true, hours: TEMPORARY_HOURS });
      await dropLinks(tx, schema, user.id);
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
          text: `Give it to ${String(user.name)} yourself. It works for ${TEMPORARY_HOURS} hours, and a new one must be chosen at the first sign-in.`,
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

    // The sign-in state of every user, for the password portal.
    app.get(`${prefix}/password_portal`, async (request) => {
      const { session } = request;
      const screen = screens().get('users');
      if (!screen || session.tenant.schema === 'public') throw notFound();
      authorize(session, screen, 'landing', screen.access.action);
      const states = await signInStates(session.tenant, services.secrets.identifiers);
      return {
        temporary_passwords: (await clientSettings(session.tenant)).admin_temporary_password,
        data: states,
      };
    });
  }
}
