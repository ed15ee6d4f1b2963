import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PageType, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Vault } from '../../db/vault.ts';
import { AppError, notFound } from '../../db/errors.ts';
import { allowedPlaceholders, eventOf, fill } from '../../services/notifications/events.ts';
import { accountById, keepMailTest, sendMail } from '../../services/mail/mail_accounts.ts';
import { recordTypeOf, sampleValues } from '../../platform/settings/sample_values.ts';
import type { Engine } from '../../engine/records/engine.ts';
import type { Audit } from '../../services/audit/audit.ts';
import { authorize } from '../../access/rights/authorize.ts';

export interface MailRouteDeps {
  engine: Engine;
  screens: () => ReadonlyMap<string, Screen>;
  addressOf: (tenant: Tenant) => string;
  audit: Audit;
  vault: Vault;
}

const EMAIL = /^[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;]+$/;

/** `?record=5`: the record for previewing a message. @throws AppError 400 */
export function chosenOf(query: unknown): number | null {
  const { record = '' } = query as { record?: string };
  if (record !== '' && !/^\d{1,15}$/.test(record))
    throw new AppError(400, 'bad_request', 'record is the number of a record.', { field: 'record' });
  return record === '' ? null : Number(record);
}

/** Tests of mail accounts and previews of mail texts. */
export async function mailRoutes(
  app: FastifyInstance,
  { engine, screens, addressOf, audit, vault }: MailRouteDeps,
): Promise<void> {
  async function recordOf(
    request: FastifyRequest,
    type: string,
    page: PageType,
  ): Promise<{ session: Session; record: Awaited<ReturnType<Engine['read']>> }> {
    const { session } = request;
    const screen = screens().get(type);
    const { id } = request.params as { id: string };
    if (!screen || session.tenant.schema === 'public') throw notFound();
    authorize(session, screen, page, page === 'edit_screen' ? screen.access.action : null);
    if (!/^\d{1,15}$/.test(id)) throw notFound();
    return { session, record: await engine.read(session, screen, Number(id)) };
  }

  for (const prefix of ['/tapi', '/api']) {
    app.post(
      `${prefix}/mail_config_setting/:id/test`,
      { schema: { body: { type: 'object', properties: { to: { type: 'string', maxLength: 320 } } } } },
      async (request) => {
        const { session, record } = await recordOf(request, 'mail_config_setting', 'edit_screen');
        const to = (request.body as { to?: string }).to?.trim() ?? '';
        if (!EMAIL.test(to))
          throw new AppError(422, 'invalid', 'Enter an e-mail address, such as asha@acme.in.', { field: 'to' });
        const account = await accountById(session.tenant, record.id, vault);
        if (!account) throw notFound();
        const error = await sendMail(account, {
          to,
          subject: 'Test mail',
          text: `This mail account of ${session.tenant.name} works.`,
        }).then(
          () => null,
          (caught: Error) => caught.message,
        );
        await keepMailTest(session.tenant, record.id, error ?? 'ok');
        await audit(session.tenant, {
          actor: session.userId,
          action: 'mail_test',
          target: `mail_config_setting:${record.id}`,
          summary: error ?? 'ok',
          sid: session.sid,
          ip: request.ip,
        });
        return { ok: error === null, error };
      },
    );

    app.get(`${prefix}/mail_template/:id/preview`, async (request) => {
      const { session, record } = await recordOf(request, 'mail_template', 'view_screen');
      const event = eventOf(String(record.event_code));
      const { values, record: of } = await sampleValues(
        engine,
        screens(),
        session,
        event.code,
        allowedPlaceholders(event),
        chosenOf(request.query),
      );
      // A real link of this kind would sign somebody in.
      values.link = `${addressOf(session.tenant)}/…`;
      return {
        data: {
          title: event.name,
          type: recordTypeOf(event.code),
          subject: fill(String(record.subject), values),
          text: fill(String(record.body), values),
          of,
          values,
        },
      };
    });
  }
}
