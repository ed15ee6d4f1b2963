import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Screen } from '../../../descriptor/types.ts';
import type { EnquiryForm } from '../../platform/blog/enquiry_page.ts';
import { ENQUIRY_POLICY, enquiryPage, formTicket, isFormTicket, thanksPage } from '../../platform/blog/enquiry_page.ts';
import { editorsOf, enquiriesOfLastHour } from '../../platform/blog/enquiries.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Directory } from '../../db/directory.ts';
import { ensureTables } from '../../db/tenants.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import type { Engine } from '../../engine/records/engine.ts';
import type { Brands } from '../../platform/brand/brand.ts';
import { hostHeader } from '../../access/sessions/guard.ts';
import { writingSession } from '../../platform/sync/job.ts';

export interface EnquiryRouteDeps {
  directory: Directory;
  screens: () => ReadonlyMap<string, Screen>;
  engine: Engine;
  notifications: Notifications;
  brands: Brands;
  platform: () => Promise<Tenant>;
  key: Buffer;
}

const TYPE = 'contact';
const SCREEN = 'COMMON_SCN_CONTACTS';
/** The maximum number per hour, from one address and in total. */
const MAX_OF_ONE = 10;
const MAX_AN_HOUR = 60;
const LENGTHS: Record<keyof EnquiryForm, number> = {
  name: 100,
  company: 120,
  email: 200,
  phone: 20,
  message: 4_000,
  from: 200,
};

/** The form may contain anything; values that are not text are ignored. */
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
/** The referring page of the site; any other address is ignored. */
const pageOf = (from: string): string => (/^\/articles(\/[a-z0-9-]+)?$/.test(from) ? from : '');

/** Enquiries of people who are not signed in: a form on the public site, which creates records of Contacts. */
export async function enquiryRoutes(
  app: FastifyInstance,
  { directory, screens, engine, notifications, brands, platform, key }: EnquiryRouteDeps,
): Promise<void> {
  const { main } = directory;
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 64 * 1024 },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );

  /** Clients' own hosts are not the maker's site. */
  async function siteOf(request: FastifyRequest): Promise<string> {
    const { kind } = request.tenantHost;
    if (kind !== 'admin' && kind !== 'none') throw notFound();
    return (await brands.of(hostHeader(request), request.tenantHost)).title;
  }
  const send = (reply: FastifyReply, html: string) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', ENQUIRY_POLICY)
      .header('cache-control', 'no-store')
      .header('x-robots-tag', 'noindex')
      .send(html);

  /** @returns the record's id */
  async function keep({ from, ...form }: EnquiryForm): Promise<number> {
    const tenant = await platform();
    await ensureTables(tenant, screens(), [TYPE]);
    if ((await enquiriesOfLastHour(main)) >= MAX_AN_HOUR)
      throw new AppError(429, 'too_many', 'Too many messages came in the last hour. Please try again later.');
    const empty = (value: string) => (value === '' ? null : value);
    const record = await engine.create(
      writingSession(tenant, 0, null, []),
      screens().get(TYPE)!,
      {
        name: form.name,
        company: empty(form.company),
        email: empty(form.email),
        phone: empty(form.phone.replace(/[\s()-]/g, '')),
        message: form.message,
        page: from || '/enquiry',
      },
      'public',
    );
    await notifications.notify(main, tenant, {
      event: 'contact.received',
      to: await editorsOf(main, SCREEN),
      values: {
        from: form.company === '' ? form.name : `${form.name}, ${form.company}`,
        text: form.message.slice(0, 500),
      },
      link: `/contacts/view/${record.id}`,
      record: { type: TYPE, id: record.id },
    });
    return record.id;
  }

  app.get<{ Querystring: { from?: string } }>('/enquiry', { config: { public: true } }, async (request, reply) => {
    const site = await siteOf(request);
    return send(
      reply,
      enquiryPage(
        site,
        { name: '', company: '', email: '', phone: '', message: '', from: pageOf(text(request.query.from)) },
        formTicket(key),
        null,
      ),
    );
  });

  app.post(
    '/enquiry',
    { config: { public: true, rateLimit: { max: MAX_OF_ONE, timeWindow: 3_600_000 } } },
    async (request, reply) => {
      const site = await siteOf(request);
      const given = (typeof request.body === 'object' && request.body !== null ? request.body : {}) as Record<
        string,
        unknown
      >;
      const form = Object.fromEntries(
        Object.entries(LENGTHS).map(([name, max]) => [name, text(given[name]).trim().slice(0, max)]),
      ) as unknown as EnquiryForm;
      form.from = pageOf(form.from);
      // A honeypot: programs fill in invisible fields; they get the normal response, and nothing is stored.
      if (text(given.website) !== '') return send(reply, thanksPage(site));
      const again = (problem: string) => send(reply.code(422), enquiryPage(site, form, formTicket(key), problem));
      if (!isFormTicket(text(given.ticket), key)) return again('Please check your message and send it again.');
      if (form.name === '' || form.message === '') return again('Please enter your name and your message.');
      try {
        await keep(form);
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error;
        return again(error.details?.[0]?.message ?? error.message);
      }
      return send(reply, thanksPage(site));
    },
  );
}
