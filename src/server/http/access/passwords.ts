import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Tenant } from '../../db/tenant.ts';
import { AppError } from '../../db/errors.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import { acceptInvitation, findAccount, readAccount, storePassword } from '../../access/people/accounts.ts';
import { claimLinkRequest } from '../../access/sessions/attempts.ts';
import type { Audit } from '../../services/audit/audit.ts';
import { clientSettings } from '../../services/settings/client_settings.ts';
import { deviceLabel } from '../../access/sessions/devices.ts';
import { messageTime } from '../../access/sessions/expiry.ts';
import { readPrefix } from '../../access/sessions/host.ts';
import { claimLink, linkAddress, linksOfLastHour, makeLink, useLink } from '../../access/sessions/password_links.ts';
import { checkNewPassword, hashPassword } from '../../access/sessions/password.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type { SessionServices } from '../../access/sessions/services.ts';
import { endSessions } from '../../access/sessions/sign_in.ts';
import { mount } from '../server/mount.ts';

export interface PasswordRouteDeps {
  services: SessionServices;
  screens: () => ReadonlyMap<string, Screen>;
  notifications: Notifications;
  addressOf: (tenant: Tenant) => string;
  audit: Audit;
}

const ACCOUNT_AN_HOUR = 3;

/** A forgotten password: the link by mail, and the new password. */
export async function passwordRoutes(
  app: FastifyInstance,
  { services, screens, notifications, addressOf, audit }: PasswordRouteDeps,
): Promise<void> {
  const { tenants, store } = services;

  async function tenantOf(request: FastifyRequest, prefix: string | null | undefined): Promise<Tenant | null> {
    const host = request.tenantHost;
    if (host.kind === 'unknown') throw new AppError(404, 'not_found', 'This address is not in use.');
    if (host.kind !== 'none') return tenants.bySubDomain(host.kind === 'admin' ? 'admin' : host.subDomain);
    const given = readPrefix(prefix ?? '');
    if (given === '')
      throw new AppError(400, 'bad_request', 'Enter the sub-domain of your company.', { field: 'prefix' });
    return given === null ? null : tenants.bySubDomain(given);
  }

  mount(app, {
    method: 'POST',
    url: '/password/forgot',
    config: { public: true },
    schema: {
      body: {
        type: 'object',
        required: ['email'],
        properties: {
          email: { type: 'string', maxLength: 320 },
          prefix: { type: 'string', maxLength: 60, nullable: true },
        },
      },
    },
    handler: async (request, reply) => {
      const body = request.body as { email: string; prefix?: string | null };
      const tenant = await tenantOf(request, body.prefix);
      // The response does not reveal who has an account, and is sent before anything is looked up.
      if (tenant !== null && body.email.trim() !== '') {
        const wait = await claimLinkRequest(tenant, request.ip);
        if (wait !== null)
          throw new AppError(429, 'too_many', 'Too many requests from here. Try again in an hour.', {
            extra: { retry_after_s: wait },
          });
        setImmediate(
          () =>
            void send(tenant, body.email.trim(), request.ip).catch((error: unknown) =>
              request.log.error({ err: error }, 'A reset link could not be created.'),
            ),
        );
      }
      return reply.code(202).send({ result: 'ok' });
    },
  });

  async function send(tenant: Tenant, identifier: string, ip: string): Promise<void> {
    const account = await findAccount(tenant, identifier);
    if (account === null || !account.usable || !tenant.active) return;
    const settings = await clientSettings(tenant);
    if ((await linksOfLastHour(tenant, account.id, settings)) >= ACCOUNT_AN_HOUR) return;
    await tenant.db.transaction(async (tx) => {
      const token = await makeLink(tx, tenant.schema, account.id, 'reset', ip, settings);
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
      await audit(tenant, { actor: account.id, action: 'password_forgot', target: `user:${account.id}`, ip }, tx);
    });
  }

  mount(app, {
    method: 'POST',
    url: '/password/reset',
    config: { public: true },
    schema: {
      body: {
        type: 'object',
        required: ['token', 'password'],
        properties: {
          token: { type: 'string', maxLength: 200 },
          password: { type: 'string', maxLength: 1000 },
          prefix: { type: 'string', maxLength: 60, nullable: true },
        },
      },
    },
    handler: async (request) => {
      const body = request.body as { token: string; password: string; prefix?: string | null };
      const tenant = await tenantOf(request, body.prefix);
      if (tenant === null || !tenant.active) return { result: 'expired' };
      const { schema } = tenant;
      const rules = await clientSettings(tenant);
      const done = await tenant.db.transaction(async (tx) => {
        const link = await claimLink(tx, schema, body.token);
        if (link === null) return null;
        const account = await readAccount(tenant, link.userId);
        if (account === null || (!account.usable && link.purpose !== 'invite')) return null;
        // A refused password leaves the link valid.
        await checkNewPassword(
          body.password,
          [account.name, account.username, account.email, tenant.name, tenant.subDomain, 'mainstay'],
          [...(account.phc === null ? [] : [account.phc]), ...account.previous],
          rules,
        );
        await storePassword(tx, schema, account.id, await hashPassword(body.password, undefined, rules.trim_password));
        await useLink(tx, schema, link.id);
        if (link.purpose === 'invite' || schema === 'public')
          await acceptInvitation(tx, schema, screens().get('users'), account.id);
        await endSessions(tx, schema, account.id, { except: null }, 'password');
        await notifications.notify(tx, tenant, {
          event: 'password.changed',
          to: [account.id],
          values: {
            time: messageTime(new Date(), tenant.timezone),
            device: deviceLabel(request.headers['user-agent']),
          },
        });
        await audit(
          tenant,
          {
            actor: account.id,
            action: 'password_reset',
            target: `user:${account.id}`,
            ip: request.ip,
            userAgent: request.headers['user-agent'] ?? null,
          },
          tx,
        );
        return { ...account, invited: link.purpose === 'invite' };
      });
      if (done === null) return { result: 'expired' };
      store.forget(schema);
      return { result: 'success', user_name: done.name, username: done.username, invited: done.invited };
    },
  });
}
