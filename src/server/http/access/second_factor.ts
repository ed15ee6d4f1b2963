import type { FastifyInstance, FastifyRequest } from 'fastify';
import { liftScope } from '../../access/sessions/session_changes.ts';
import { renderSVG } from 'uqr';
import { AppError } from '../../db/errors.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import { readAccount } from '../../access/people/accounts.ts';
import { attemptOf, claimAttempt, succeeded } from '../../access/sessions/attempts.ts';
import type { Audit } from '../../services/audit/audit.ts';
import { messageTime } from '../../access/sessions/expiry.ts';
import { lockedMessage } from '../../access/sessions/lockout.ts';
import { isPassword } from '../../access/sessions/password.ts';
import {
  beginFactor,
  confirmFactor,
  factorState,
  newRecoveryCodes,
  removeFactor,
} from '../../access/sessions/second_factor.ts';
import type { SessionServices } from '../../access/sessions/services.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { mount } from '../server/mount.ts';

export interface SecondFactorDeps {
  services: SessionServices;
  notifications: Notifications;
  audit: Audit;
}

const withPassword = {
  body: { type: 'object', required: ['password'], properties: { password: { type: 'string', maxLength: 1000 } } },
} as const;

/** One's own second factor: set up, confirm, new recovery codes, remove. Each requires the password again. */
export async function secondFactorRoutes(
  app: FastifyInstance,
  { services, notifications, audit }: SecondFactorDeps,
): Promise<void> {
  const { secrets, store } = services;

  /** The session of a person who has just entered their password. */
  async function proven(request: FastifyRequest): Promise<LiveSession> {
    const session = request.session as LiveSession;
    const { tenant, userId } = session;
    if (!tenant.active) throw new AppError(403, 'client_deactivated', 'Client is Deactivated');
    // A password could be guessed here as at sign-in, so the same limits apply.
    const attempt = attemptOf('change', userId, request.ip, secrets.identifiers);
    const permission = await claimAttempt(tenant, attempt, true);
    if (permission.kind !== 'go')
      throw new AppError(429, 'too_many', lockedMessage(permission.seconds), {
        extra: { retry_after_s: permission.seconds },
      });
    const account = await readAccount(tenant, userId);
    const { password } = request.body as { password: string };
    if (account === null || !(await isPassword(password, account.phc)))
      throw new AppError(403, 'forbidden', 'The password is incorrect.', {
        field: 'password',
        details: [{ field: 'password', message: 'The password is incorrect.' }],
      });
    await succeeded(tenant, attempt);
    return session;
  }

  async function notifyPerson(
    { tenant, userId, userName, sid }: LiveSession,
    change: 'switched on' | 'switched off',
    ip: string,
  ): Promise<void> {
    await audit(tenant, {
      actor: userId,
      action: change === 'switched on' ? 'mfa_on' : 'mfa_off',
      target: `user:${userId}`,
      sid,
      ip,
    });
    const time = messageTime(new Date(), tenant.timezone);
    await tenant.db.transaction((tx) =>
      notifications.notify(tx, tenant, {
        event: 'mfa.changed',
        to: [userId],
        values: { name: userName, change, time },
        link: '/core_account?tab=factor',
      }),
    );
  }

  mount(app, {
    method: 'GET',
    url: '/mfa',
    config: { limited: true },
    handler: async ({ session }) => {
      const { on, since, recoveryLeft, allowed, required } = await factorState(session.tenant, session.userId);
      return { data: { on, since: on ? since : null, recovery_left: on ? recoveryLeft : 0, allowed, required } };
    },
  });

  mount(app, {
    method: 'POST',
    url: '/mfa/enrol',
    config: { limited: true },
    schema: withPassword,
    handler: async (request) => {
      const session = await proven(request);
      const { tenant, userId, email } = session;
      if (!(await factorState(tenant, userId)).allowed)
        throw new AppError(403, 'forbidden', '2-step verification is switched off here. Ask your administrator.', {
          reason: 'action',
        });
      const begun = await beginFactor(tenant, { id: userId, email }, secrets.factors);
      if (!begun)
        throw new AppError(
          409,
          'bad_state',
          '2-step verification is on already. Switch it off first to use another phone.',
        );
      return { data: { secret: begun.secret, uri: begun.uri, qr: renderSVG(begun.uri, { border: 2 }) } };
    },
  });

  mount(app, {
    method: 'POST',
    url: '/mfa/confirm',
    config: { limited: true },
    schema: { body: { type: 'object', required: ['code'], properties: { code: { type: 'string', maxLength: 40 } } } },
    handler: async (request) => {
      const session = request.session as LiveSession;
      const { tenant, userId, sid } = session;
      const attempt = attemptOf('code', userId, request.ip, secrets.identifiers);
      const permission = await claimAttempt(tenant, attempt, true);
      if (permission.kind !== 'go')
        throw new AppError(429, 'too_many', lockedMessage(permission.seconds), {
          extra: { retry_after_s: permission.seconds },
        });
      const codes = await confirmFactor(tenant, userId, (request.body as { code: string }).code, secrets.factors);
      if (codes === null)
        throw new AppError(
          422,
          'invalid',
          'This code is incorrect. Check the time of your phone, and enter the code it shows now.',
          { field: 'code' },
        );
      await succeeded(tenant, attempt);
      // Continues a sign-in waiting for this; a password that must be changed still must be.
      const account = await readAccount(tenant, userId);
      await liftScope(tenant.db, tenant.schema, sid, 'otp', account?.mustChange ? 'password_change' : 'full');
      store.forget(tenant.schema, sid);
      await notifyPerson(session, 'switched on', request.ip);
      return { data: { recovery_codes: codes } };
    },
  });

  mount(app, {
    method: 'POST',
    url: '/mfa/recovery',
    schema: withPassword,
    handler: async (request) => {
      const session = await proven(request);
      if (!(await factorState(session.tenant, session.userId)).on)
        throw new AppError(409, 'bad_state', '2-step verification is not on.');
      await audit(session.tenant, {
        actor: session.userId,
        action: 'mfa_recovery_new',
        target: `user:${session.userId}`,
        sid: session.sid,
        ip: request.ip,
      });
      return { data: { recovery_codes: await newRecoveryCodes(session.tenant, session.userId) } };
    },
  });

  mount(app, {
    method: 'DELETE',
    url: '/mfa',
    schema: withPassword,
    handler: async (request, reply) => {
      const session = await proven(request);
      if ((await factorState(session.tenant, session.userId)).required)
        throw new AppError(403, 'forbidden', 'Your company requires 2-step verification: it cannot be switched off.', {
          reason: 'action',
        });
      if (await removeFactor(session.tenant, session.userId)) await notifyPerson(session, 'switched off', request.ip);
      return reply.code(204).send();
    },
  });
}
