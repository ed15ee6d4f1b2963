import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { ProvisionDeps } from '../../platform/clients/provision.ts';
import type { Account } from '../../platform/clients/account.ts';
import { readAccount } from '../../platform/clients/account.ts';
import { planSwitchOff } from '../../platform/clients/transitions.ts';
import { domainsOf, verifyDomains } from '../../platform/clients/domains.ts';
import type { Lifecycle } from '../../platform/clients/lifecycle.ts';
import { STEPS, event, stepsOf, subDomainState } from '../../platform/clients/provision.ts';
import { eventsOf, provisionAccount, setClientActive, switchOn, usableAccount } from '../../platform/clients/acts.ts';
import { PLATFORM_ZONE } from '../../db/subscription.ts';
import { dayIn } from '../../services/clock/client_day.ts';
import type { SupportRequest } from '../../platform/clients/support_sign_in.ts';
import {
  askToSignIn,
  endSignIn,
  openSignIn,
  requestsOf,
  supportPersonOf,
} from '../../platform/clients/support_sign_in.ts';
import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import { ensureTables, findTenant } from '../../db/tenants.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { Engine } from '../../engine/records/engine.ts';
import type { Audit } from '../../services/audit/audit.ts';
import { fileLink } from '../../services/files/signed_link.ts';
import { authorize, authorizeAction } from '../../access/rights/authorize.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import type { CompiledRights } from '../../access/rights/rights.ts';
import type { SessionServices } from '../../access/sessions/services.ts';

/** A body that may be absent, with these properties. */
const body = (properties: Record<string, object>) => ({ body: { type: ['object', 'null'], properties } });
const TEXT = { type: 'string', maxLength: 4_000 };
const SWITCH_OFF = body({ reason: { ...TEXT, nullable: true }, from: { type: 'string', format: 'date' } });
const PURGE = body({ confirm: TEXT, second_user: { ...TEXT, nullable: true } });
const ACCESS = body({ reason: TEXT, minutes: { type: 'integer' } });

export interface ClientRouteDeps extends ProvisionDeps {
  engine: Engine;
  services: Pick<SessionServices, 'readToken' | 'store' | 'secrets'>;
  lifecycle: Lifecycle;
  notifications: Notifications;
  addressOf: (tenant: Tenant) => string;
  /** Notifies a client's contact and its partner. */
  notifyClient: (accountId: number, event: 'client.ready' | 'client.deactivated', reason: string) => Promise<void>;
  audit: Audit;
}

/** Requests of support, at each client. */
const SUPPORT = 'support_access';
const SUPPORT_MINUTES = 480;
/** How recent a sign-in must be to count as present. */
const FRESH_SIGN_IN_MS = 10 * 60_000;

/** Actions of platform administrators on clients: create, deactivate and reactivate them. */
export async function clientRoutes(app: FastifyInstance, deps: ClientRouteDeps): Promise<void> {
  const { directory, screens, engine, services, lifecycle, notifications, addressOf, notifyClient, audit } = deps;

  async function clientOf(
    request: FastifyRequest,
    page: 'edit_screen' | 'view_screen',
  ): Promise<{ session: Session; screen: Screen; client: WireRecord }> {
    const { session } = request;
    const screen = screens().get('client_account');
    if (!screen || session.tenant.schema !== 'public') throw notFound();
    authorize(session, screen, page);
    const { id } = request.params as { id: string };
    if (!/^\d{1,15}$/.test(id)) throw notFound();
    return { session, screen, client: await engine.read(session, screen, Number(id)) };
  }

  async function accountFor(
    request: FastifyRequest,
    page: 'edit_screen' | 'view_screen' = 'edit_screen',
  ): Promise<{ session: Session; account: Account }> {
    const { session, client } = await clientOf(request, page);
    return { session, account: (await readAccount(directory.main, client.id))! };
  }

  /** Irreversible actions are restricted to administrators with all rights. */
  function superOnly(session: Session): void {
    if (!session.rights.isAdmin)
      throw new AppError(403, 'forbidden', 'Only a platform administrator with all rights can do this.', {
        reason: 'action',
      });
  }

  function noted(
    session: Session,
    { id }: { id: number },
    act: string,
    request: FastifyRequest,
    summary?: string,
  ): Promise<void> {
    return audit(session.tenant, {
      actor: session.userId,
      action: `client.${act}`,
      target: `client_account:${id}`,
      sid: session.sid,
      ip: request.ip,
      ...(summary !== undefined && { summary }),
    });
  }

  async function supportOf(account: Account): Promise<SupportRequest[]> {
    const tenant = await findTenant(directory, account.sub_domain);
    if (!tenant) return [];
    await ensureTables(tenant, screens(), [SUPPORT]);
    return requestsOf(tenant);
  }

  /** The second administrator whose recent sign-in a call includes. */
  async function secondOf(session: Session, token: unknown): Promise<number | null> {
    if (typeof token !== 'string' || token === '') return null;
    const claims = await services.readToken(token);
    const other = claims?.aud === 'public' ? await services.store.resolve(session.tenant, claims, null) : null;
    if (
      !other?.rights.isAdmin ||
      other.userId === session.userId ||
      Date.now() - other.authAt.getTime() > FRESH_SIGN_IN_MS
    )
      throw new AppError(
        422,
        'invalid',
        'The second administrator must be another person with all rights who has signed in within the last 10 minutes.',
        { field: 'second_user' },
      );
    return other.userId;
  }

  for (const prefix of ['/tapi', '/api']) {
    app.get(`${prefix}/client_account/sub_domain`, async (request) => {
      const screen = screens().get('client_account');
      if (!screen || request.session.tenant.schema !== 'public') throw notFound();
      authorize(request.session, screen, 'add_screen');
      return subDomainState(directory, String((request.query as { name?: string }).name ?? ''));
    });

    app.get(`${prefix}/client_account/:id/steps`, async (request) => {
      const { client } = await clientOf(request, 'view_screen');
      return { state: client.state, steps: await stepsOf(directory, String(client.sub_domain)) };
    });

    app.post(`${prefix}/client_account/:id/provision`, async (request) => {
      const { session, client } = await clientOf(request, 'edit_screen');
      const version = await provisionAccount(deps, client, session.userId);
      await noted(session, client, 'provision', request, String(client.sub_domain));
      await notifyClient(client.id, 'client.ready', '');
      return {
        data: { id: client.id, state: 'active', version },
        steps: await stepsOf(directory, String(client.sub_domain)),
      };
    });

    app.post(`${prefix}/client_account/:id/switch_off`, { schema: SWITCH_OFF }, async (request) => {
      const { session, account } = await accountFor(request);
      const { reason, from } = (request.body ?? {}) as { reason?: string; from?: string };
      if (from !== undefined && from > dayIn(PLATFORM_ZONE)) {
        const version = await planSwitchOff(directory.main, screens, account, from);
        await noted(session, account, 'deactivate_planned', request, from);
        return { data: { id: account.id, state: account.state, version } };
      }
      const version = await setClientActive(deps, account.sub_domain, false, session.userId, reason ?? null);
      await noted(session, account, 'deactivate', request);
      await notifyClient(account.id, 'client.deactivated', reason ?? '');
      return { data: { id: account.id, state: 'deactivated', version } };
    });

    app.post(`${prefix}/client_account/:id/switch_on`, async (request) => {
      const { session, account } = await accountFor(request);
      const version = await switchOn(deps, account, session.userId);
      await noted(session, account, 'reactivate', request);
      return { data: { id: account.id, state: 'active', version } };
    });

    for (const act of ['archive', 'restore'] as const)
      app.post(`${prefix}/client_account/:id/${act}`, async (request, reply) => {
        const { session, account } = await accountFor(request);
        superOnly(session);
        const run = await lifecycle[act](account, session.userId);
        await noted(session, account, act, request);
        return reply.code(202).send({ run });
      });

    app.post(`${prefix}/client_account/:id/purge`, { schema: PURGE }, async (request, reply) => {
      const { session, account } = await accountFor(request);
      superOnly(session);
      const { confirm = '', second_user: second } = (request.body ?? {}) as { confirm?: string; second_user?: string };
      const run = await lifecycle.purge(account, session.userId, confirm, await secondOf(session, second));
      await noted(session, account, run === null ? 'purge_asked' : 'purge', request, account.sub_domain);
      return reply.code(202).send({ run, waiting: run === null });
    });

    app.post(`${prefix}/client_account/:id/discard`, async (request) => {
      const { session, account } = await accountFor(request);
      const version = await lifecycle.discard(account, session.userId);
      await noted(session, account, 'discard', request);
      return { data: { id: account.id, state: 'draft', version } };
    });

    app.post(`${prefix}/client_account/:id/export_data`, async (request, reply) => {
      const { session, account } = await accountFor(request);
      authorizeAction(session, 'EXPORT_DATA');
      const run = await lifecycle.export(account, session.userId);
      await noted(session, account, 'export', request);
      return reply.code(202).send({ run });
    });

    app.get<{ Params: { id: string; run: string } }>(
      `${prefix}/client_account/:id/exports/:run/link`,
      async (request) => {
        const { session, account } = await accountFor(request);
        authorizeAction(session, 'EXPORT_DATA');
        const file = (await lifecycle.runsOf(account)).find(
          ({ id, act }) => act === 'export' && String(id) === request.params.run,
        )?.file;
        if (!file) throw notFound();
        await noted(session, account, 'export_fetched', request);
        return { url: fileLink({ schema: session.tenant.schema, file, sid: session.sid }, services.secrets.files) };
      },
    );

    app.post(`${prefix}/client_account/:id/remove_demo`, async (request, reply) => {
      const { session, account } = await accountFor(request);
      const run = await lifecycle.removeDemo(account, session.userId);
      await noted(session, account, 'demo_removal', request);
      return reply.code(202).send({ run });
    });

    app.post(`${prefix}/client_account/:id/verify_domains`, async (request) => {
      const { session, account } = await accountFor(request);
      const found = await verifyDomains(directory.main, account.sub_domain);
      if (found.verified.length > 0)
        await noted(session, account, 'domain_verified', request, found.verified.join(', '));
      return { data: found };
    });

    for (const act of ['ask_access', 'open_access', 'end_access'] as const)
      app.post(`${prefix}/client_account/:id/${act}`, { schema: ACCESS }, async (request) => {
        const { session, account } = await accountFor(request, 'view_screen');
        if (!(session.rights as CompiledRights).holds(['COMMON_SCN_SUPPORT_ACCESS'], 'view_screen'))
          throw new AppError(403, 'forbidden', 'Your user type does not include support access.', {
            reason: 'page_type',
          });
        const tenant = await findTenant(directory, account.sub_domain);
        if (!tenant?.active) throw new AppError(409, 'bad_state', 'Nobody can sign in to this client at present.');
        await ensureTables(tenant, screens(), [SUPPORT]);
        const person = await supportPersonOf(directory.main, session.userId);
        const { reason = '', minutes = SUPPORT_MINUTES } = (request.body ?? {}) as {
          reason?: string;
          minutes?: number;
        };
        if (!Number.isInteger(minutes) || minutes < 15 || minutes > 10_080)
          throw new AppError(422, 'invalid', 'Ask for 15 minutes to 7 days.', { field: 'minutes' });
        const both = async (summary: string) => {
          await noted(session, account, act, request, summary);
          await audit(tenant, {
            actor: null,
            action: `support.${act}`,
            summary: `${person.name} of the platform: ${summary}`,
            ip: request.ip,
          });
        };
        if (act === 'ask_access') {
          const state = await askToSignIn(tenant, person, reason, minutes, notifications);
          await both(reason.trim());
          return { data: { state } };
        }
        if (act === 'end_access') {
          const ended = await endSignIn(tenant, screens(), person.id);
          if (ended === 0) throw new AppError(409, 'bad_state', 'You have no open access to this client.');
          await both('ended');
          return { data: { state: 'ended' } };
        }
        const { username, password, until } = await openSignIn(tenant, screens(), person);
        await both(`until ${until}`);
        return {
          data: { username, address: addressOf(tenant), until },
          once: {
            label: `Password of ${username}`,
            value: password,
            text: `Sign in at ${addressOf(tenant)} as ${username} within 10 minutes. The password works once.`,
          },
        };
      });

    // The history of actions on a client, for its page.
    app.get(`${prefix}/client_account/:id/life`, async (request) => {
      const { account } = await accountFor(request, 'view_screen');
      const { main } = directory;
      return {
        data: {
          client: account,
          steps: (await stepsOf(directory, account.sub_domain)).map((step) => ({
            ...step,
            title: STEPS.find(({ name }) => name === step.step)!.title,
          })),
          runs: await lifecycle.runsOf(account),
          domains: await domainsOf(main, account.sub_domain),
          support: await supportOf(account),
          events: await eventsOf(main, account.sub_domain),
        },
      };
    });

    app.post(`${prefix}/client_account/:id/admin_reset`, async (request, reply) => {
      const { session, client } = await clientOf(request, 'edit_screen');
      const tenant = await findTenant(directory, String(client.sub_domain));
      if (!tenant) throw new AppError(409, 'bad_state', 'This client has not been created yet.');
      const user = await usableAccount(tenant, client.admin_username);
      if (!user) throw new AppError(404, 'not_found', `The user ${String(client.admin_username)} no longer exists.`);
      // Sent to the responsible people known to the platform: the administrator's own mailbox may be what was lost.
      const to = { name: String(client.contact_name), email: String(client.contact_email) };
      await deps.invite(tenant, { ...user, ...to });
      await event(directory, tenant, session.userId, 'admin_reset', `To ${to.email}`);
      await audit(session.tenant, {
        actor: session.userId,
        action: 'client.admin_reset',
        target: `client_account:${client.id}`,
        sid: session.sid,
        ip: request.ip,
      });
      return reply.code(202).send({ data: { id: client.id } });
    });
  }
}
