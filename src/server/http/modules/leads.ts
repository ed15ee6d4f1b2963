import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { webLeadSource } from '../../platform/blog/enquiries.ts';
import type { Directory } from '../../db/directory.ts';
import { ensureTables } from '../../db/tenants.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { AppError, notFound } from '../../db/errors.ts';
import { openedFields } from '../../../descriptor/opened_fields.ts';
import { authorize } from '../../access/rights/authorize.ts';

const MAX_NOTE = 500;

export interface LeadDeps {
  engine: Engine;
  directory: Directory;
  screens: () => ReadonlyMap<string, Screen>;
}

/** Enquiries become leads (platform_admin.md §4.9). */
export async function leadRoutes(app: FastifyInstance, deps: LeadDeps): Promise<void> {
  const { engine, directory, screens } = deps;
  const typeOf = (session: Session, type: string): Screen => {
    const screen = screens().get(type);
    if (!screen || session.tenant.schema !== 'public') throw notFound();
    return screen;
  };
  const ensure = () =>
    ensureTables({ db: directory.main, schema: 'public' }, screens(), [
      'admin_lead',
      'contact',
      'admin_lead_source',
      'product',
    ]);

  /** The record in the address, for people who may change it and add a lead. */
  async function becoming(
    request: FastifyRequest,
    type: string,
    into: string,
  ): Promise<{ session: Session; screen: Screen; target: Screen; record: WireRecord }> {
    const { session } = request;
    const [screen, target] = [typeOf(session, type), typeOf(session, into)];
    authorize(session, screen, 'edit_screen', screen.access.action);
    authorize(session, target, 'add_screen', target.access.action);
    const { id } = request.params as { id: string };
    if (!/^\d{1,15}$/.test(id)) throw notFound();
    await ensure();
    return { session, screen, target, record: await engine.read(session, screen, Number(id)) };
  }
  for (const prefix of ['/tapi', '/api']) {
    app.post(`${prefix}/contact/:id/make_lead`, async (request, reply) => {
      const { session, screen, target, record } = await becoming(request, 'contact', 'admin_lead');
      if (record.lead_id !== null || record.state === 'spam')
        throw new AppError(
          409,
          'bad_state',
          record.lead_id === null ? 'This enquiry is marked as spam.' : 'This enquiry is already a lead.',
        );
      const source = await webLeadSource(directory.main);
      if (source === null)
        throw new AppError(409, 'bad_state', 'Add a lead source of the channel Web first: enquiries come from there.');
      const lead = await engine.create(
        session,
        openedFields(target, ['contact_id']),
        {
          company: record.company ?? record.name,
          contact_name: record.name,
          email: record.email,
          phone: record.phone,
          lead_source_id: source,
          owner_id: session.userId,
          contact_id: record.id,
          activities: record.message
            ? [{ at: record.created_at, kind: 'mail', note: String(record.message).slice(0, MAX_NOTE) }]
            : [],
        },
        'action',
      );
      try {
        await engine.update(
          session,
          screen,
          record.id,
          { version: record.version, state: 'lead', lead_id: lead.id },
          'action',
        );
      } catch (error) {
        // Somebody else was faster: one enquiry becomes one lead.
        await engine.remove(session, target, lead.id);
        throw error;
      }
      return reply.code(201).send({ data: lead });
    });
  }
}
