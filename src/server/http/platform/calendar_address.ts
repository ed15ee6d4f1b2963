import type { FastifyInstance } from 'fastify';
import { DateTime } from 'luxon';
import { placeOf } from '../../services/clock/client_day.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import { AppError, notFound } from '../../db/errors.ts';
import { calendarEvents } from '../../platform/calendar/calendar.ts';
import { calendarFile } from '../../platform/calendar/calendar_file.ts';
import { endAddress, makeAddress, openedBy, ownAddress } from '../../platform/calendar/private_address.ts';
import { CALENDAR_TYPES, restDays } from '../../access/people/working_calendar.ts';
import type { Audit } from '../../services/audit/audit.ts';
import type { LiveSession, SessionStore } from '../../access/sessions/session_store.ts';

export interface CalendarAddressDeps {
  store: SessionStore;
  screens: (session: Session) => Map<string, Screen>;
  /** The client's screens are loaded first. */
  prepare: (tenant: Tenant) => Promise<unknown>;
  ensure(tenant: Tenant, types: string[]): Promise<unknown>;
  tenantOf: (subDomain: string) => Promise<Tenant | null>;
  addressOf: (tenant: Tenant) => string;
  audit: Audit;
}

/** The period in the calendar file: from a month ago to a year ahead. */
const BEFORE_DAYS = 31;
const AHEAD_DAYS = 366;
const FILE = /^([\w-]{43})\.ics$/;

/**
 * The private address of a person's calendar, for calendar applications. Only its hash is stored: it is shown once,
 * allows only reading, and ends when the person creates another, switches it off or may no longer sign in.
 */
export async function calendarAddressRoutes(
  app: FastifyInstance,
  { store, screens, prepare, ensure, tenantOf, addressOf, audit }: CalendarAddressDeps,
): Promise<void> {
  for (const prefix of ['/tapi', '/api']) {
    const at = `${prefix}/calendar/address`;
    app.get(at, async ({ session }) => ({ data: await ownAddress(session) }));

    app.post(
      at,
      {
        schema: {
          body: {
            type: ['object', 'null'],
            additionalProperties: false,
            properties: { everything: { type: 'boolean' } },
          },
        },
      },
      async ({ session, body, ip }, reply) => {
        const { everything = false } = (body ?? {}) as { everything?: boolean };
        if (session.entityId === null)
          throw new AppError(400, 'bad_request', 'Choose a company first.', { field: 'entity_id' });
        const token = await makeAddress(session, everything);
        await audit(session.tenant, {
          actor: session.userId,
          action: 'calendar.address_made',
          sid: session.sid,
          ip,
          entityId: session.entityId,
        });
        return reply.code(201).send({ data: { address: `${addressOf(session.tenant)}/calendar/${token}.ics` } });
      },
    );

    app.delete(at, async ({ session, ip }, reply) => {
      if (await endAddress(session))
        await audit(session.tenant, { actor: session.userId, action: 'calendar.address_ended', sid: session.sid, ip });
      return reply.code(204).send();
    });
  }

  app.get<{ Params: { file: string } }>(
    '/calendar/:file',
    { config: { public: true } },
    async ({ params, tenantHost, ip }, reply) => {
      const [, token] = FILE.exec(params.file) ?? [];
      const tenant = token !== undefined && tenantHost.kind === 'tenant' ? await tenantOf(tenantHost.subDomain) : null;
      if (!tenant?.active) throw notFound();
      const row = await openedBy(tenant, token!);
      const session = row && (await sessionFor(tenant, row));
      // An account restricted to certain networks is read only from them.
      if (!row || !session?.usableFrom(ip)) throw notFound();
      await prepare(tenant);
      await ensure(tenant, CALENDAR_TYPES);
      const today = DateTime.now().setZone(placeOf(session).timezone);
      const [from, to] = [
        today.minus({ days: BEFORE_DAYS }).toISODate()!,
        today.plus({ days: AHEAD_DAYS }).toISODate()!,
      ];
      const place = { entityId: session.entityId, branchId: session.branchId, employeeId: session.employeeId };
      const [rest, { events }] = await Promise.all([
        restDays(tenant, place, from, to),
        calendarEvents(session, screens(session), { from, to, mine: !row.everything }),
      ]);
      const holidays = (rest?.holidays ?? []).map(({ name, date, to_date: until, holiday_type: type }) => ({
        name,
        date,
        to_date: until ?? null,
        optional: type === 'optional',
      }));
      return reply
        .type('text/calendar; charset=utf-8')
        .header('cache-control', 'private, max-age=900')
        .header('content-disposition', 'inline; filename="calendar.ics"')
        .send(calendarFile(`${tenant.name}: ${session.userName}`, addressOf(tenant), { holidays, events }));
    },
  );

  /** Null for a person who may not sign in, or no longer belongs to the company. */
  async function sessionFor(
    tenant: Tenant,
    { user_id: userId, entity_id: entityId }: { user_id: number; entity_id: number },
  ): Promise<LiveSession | null> {
    try {
      return await store.ofPerson(tenant, userId, `calendar/${userId}`, entityId);
    } catch (error) {
      if (error instanceof AppError && error.code === 'entity_forbidden') return null;
      throw error;
    }
  }
}
