import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PageType } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { EscalationDeps } from '../../platform/escalation/sweep.ts';
import { dueOf, rulesOf, RULE_TYPE } from '../../platform/escalation/sweep.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { authorize } from '../../access/rights/authorize.ts';
import { chosenOf } from './mail.ts';

export interface EscalationRouteDeps extends EscalationDeps {
  engine: Engine;
  now?: () => Date;
}

/** Previews a rule of Mail configuration: its text, and what it would send today. Nothing is sent. */
export async function escalationRoutes(app: FastifyInstance, deps: EscalationRouteDeps): Promise<void> {
  const { engine, screens, now = () => new Date() } = deps;

  async function ruleOf(
    request: FastifyRequest,
    page: PageType,
  ): Promise<{ session: Session; entry: Awaited<ReturnType<typeof rulesOf>>[number] }> {
    const { session } = request;
    const screen = screens().get(RULE_TYPE);
    const { id } = request.params as { id: string };
    if (!screen || session.tenant.schema === 'public') throw notFound();
    authorize(session, screen, page);
    if (!/^\d{1,15}$/.test(id)) throw notFound();
    await engine.read(session, screen, Number(id));
    const [entry] = await rulesOf(session.tenant, screens(), Number(id));
    if (!entry)
      throw new AppError(409, 'bad_state', 'Nothing of this kind falls due by a date: it is sent when it happens.');
    // A rule's records are shown only to people who may see such records.
    authorize(session, entry.source.screen, 'landing');
    return { session, entry };
  }

  for (const prefix of ['/tapi', '/api']) {
    app.get(`${prefix}/esclation/:id/preview`, async (request) => {
      const { session, entry } = await ruleOf(request, 'view_screen');
      const recordId = chosenOf(request.query);
      const { screen: about } = entry.source;
      if (recordId !== null) await engine.read(session, about, recordId);
      const [due] = await dueOf(deps, session.tenant, entry, now(), {
        entityIds: session.entityIds,
        any: true,
        recordId,
      });
      const { subject, body } = entry.rule;
      return {
        data: {
          title: entry.rule.name,
          type: about.name,
          of: due?.record.label ?? null,
          subject: due?.subject ?? subject,
          text: due?.body ?? body,
          to: due?.to.map(({ name }) => name) ?? [],
        },
      };
    });

    app.post(`${prefix}/esclation/:id/dry_run`, async (request) => {
      const { session, entry } = await ruleOf(request, 'edit_screen');
      const dues = await dueOf(deps, session.tenant, entry, now(), { entityIds: session.entityIds });
      return {
        data: dues.map(({ record, due, date, subject, link, to }) => ({
          type: record.type,
          id: record.id,
          record: record.label,
          due_on: due,
          date,
          subject,
          link,
          channels: entry.rule.channels,
          to: to.map(({ name, email }) => ({ name, email })),
        })),
      };
    });
  }
}
