import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Screen, WireRecord } from '../../descriptor/types.ts';
import type { NewClient, NewCompany, ProvisionDeps } from '../clients/provision.ts';
import { event, provision, setClientActive, stepsOf, subDomainState } from '../clients/provision.ts';
import type { Session, Tenant } from '../context.ts';
import { quoted } from '../db/names.ts';
import { findTenant } from '../db/tenants.ts';
import { AppError, notFound } from '../errors.ts';
import type { Engine } from '../records/engine.ts';
import type { AuditEntry } from '../sessions/audit.ts';
import { authorize } from '../sessions/authorize.ts';

export interface ClientRouteDeps extends ProvisionDeps {
  engine: Engine;
  audit: (tenant: Tenant, entry: AuditEntry) => void;
}

type State = 'provisioning' | 'active' | 'failed' | 'deactivated';

/** What platform administrators do to clients: make them, switch them off and on. */
export async function clientRoutes(app: FastifyInstance, deps: ClientRouteDeps): Promise<void> {
  const { directory, screens, engine, audit } = deps;

  async function clientOf(request: FastifyRequest, page: 'edit_screen' | 'view_screen'): Promise<{ session: Session; screen: Screen; client: WireRecord }> {
    const { session } = request;
    const screen = screens().get('client_account');
    if (!screen || session.tenant.schema !== 'public') throw notFound();
    authorize(session, screen, page);
    const { id } = request.params as { id: string };
    if (!/^\d{1,15}$/.test(id)) throw notFound();
    return { session, screen, client: await engine.read(session, screen, Number(id)) };
  }

  /** States follow from what was done, never from a form. */
  async function setState(session: Session, client: WireRecord, state: State, reason: string | null): Promise<WireRecord> {
    await directory.main.query(
      `with r as (update public.client_account set state = $2, state_reason = $3, version = version + 1, updated_at = now(), updated_by = $4 where id = $1 returning id, version)
       insert into public.history (record_type, record_id, version, op, by, what, change) select 'client_account', id, version, 'U', $4, 'action', $5 from r`,
      [client.id, state, reason?.slice(0, 250) ?? null, session.userId, JSON.stringify({ state: [client.state, state] })]);
    return { ...client, version: client.version + 1, state, state_reason: reason };
  }

  async function newClient(client: WireRecord): Promise<NewClient> {
    const products = await directory.main.query<{ code: string }>('select p.code from public.client_account__products x join public.product p on p.id = x.product_id where x.parent_id = $1 order by p.code', [client.id]);
    return {
      subDomain: String(client.sub_domain), name: String(client.name), code: String(client.code), products: products.map(({ code }) => code), licensedUsers: Number(client.licensed_users),
      timezone: String(client.timezone ?? 'Asia/Kolkata'), validFrom: client.valid_from as string, validTo: client.valid_to as string,
      companies: client.companies as NewCompany[],
      admin: { username: String(client.admin_username), name: String(client.admin_name), email: String(client.admin_email) },
    };
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
      if (client.state === 'active' || client.state === 'deactivated') throw new AppError(409, 'bad_state', 'This client has been made already.');
      const wanted = await newClient(client);
      const running = await setState(session, client, 'provisioning', null);
      try {
        await provision(deps, wanted);
      } catch (error) {
        const words = error instanceof AppError ? error.message : 'A step failed. Provision again: it goes on where it stopped.';
        await setState(session, running, 'failed', words);
        throw error;
      }
      const done = await setState(session, running, 'active', null);
      audit(session.tenant, { actor: session.userId, action: 'client.provision', target: `client_account:${client.id}`, summary: wanted.subDomain, sid: session.sid, ip: request.ip });
      return { data: { id: client.id, state: done.state, version: done.version }, steps: await stepsOf(directory, wanted.subDomain) };
    });

    for (const [name, active] of [['switch_off', false], ['switch_on', true]] as const) {
      app.post(`${prefix}/client_account/:id/${name}`, async (request) => {
        const { session, client } = await clientOf(request, 'edit_screen');
        const { reason } = (request.body ?? {}) as { reason?: string };
        await setClientActive(directory, String(client.sub_domain), active, session.userId, reason ?? null);
        const done = await setState(session, client, active ? 'active' : 'deactivated', reason ?? null);
        audit(session.tenant, { actor: session.userId, action: active ? 'client.reactivate' : 'client.deactivate', target: `client_account:${client.id}`, sid: session.sid, ip: request.ip });
        return { data: { id: client.id, state: done.state, version: done.version } };
      });
    }

    app.post(`${prefix}/client_account/:id/admin_reset`, async (request, reply) => {
      const { session, client } = await clientOf(request, 'edit_screen');
      const tenant = await findTenant(directory, String(client.sub_domain));
      if (!tenant) throw new AppError(409, 'bad_state', 'This client has not been made yet.');
      const [user] = await tenant.db.query<{ id: number; name: string; email: string; username: string }>(
        `select id, name, email, username from ${quoted(tenant.schema)}.users where username = $1 and active and status <> 'disabled'`, [client.admin_username]);
      if (!user) throw new AppError(404, 'not_found', `There is no user ${String(client.admin_username)} any more.`);
      await deps.invite(tenant, user);
      await event(directory, tenant, session.userId, 'admin_reset');
      audit(session.tenant, { actor: session.userId, action: 'client.admin_reset', target: `client_account:${client.id}`, sid: session.sid, ip: request.ip });
      return reply.code(202).send({ data: { id: client.id } });
    });
  }
}
