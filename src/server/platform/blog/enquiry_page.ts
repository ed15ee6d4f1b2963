import { createHmac, timingSafeEqual } from 'node:crypto';
import { escapedHtml } from '../../services/mail/mail_html.ts';
import { sitePage, sitePolicy } from './article_page.ts';

/** As the form sends it. */
export interface EnquiryForm {
  name: string;
  company: string;
  email: string;
  phone: string;
  message: string;
  /** Address of the referring page. */
  from: string;
}

/** The page has a form, which goes to this server alone. */
export const ENQUIRY_POLICY = sitePolicy(`'self'`);
/** The minimum time for reading and writing; a form older than a day must be loaded again. In ms. */
const FASTEST = 2_000;
const OLDEST = 86_400_000;

const sign = (time: string, key: Buffer): Buffer => createHmac('sha256', key).update(`enquiry ${time}`).digest();

/**
 * The signed time at which a form was shown: programs that submit forms without loading them have none, or an
 * implausible one.
 */
export function formTicket(key: Buffer, now = Date.now()): string {
  return `${now}.${sign(String(now), key).toString('base64url')}`;
}

/** Whether the form was shown here at a plausible time. */
export function isFormTicket(ticket: string, key: Buffer, now = Date.now()): boolean {
  const [time = '', mark = ''] = ticket.split('.');
  const expected = sign(time, key);
  const given = Buffer.from(mark, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
  return now - Number(time) >= FASTEST && now - Number(time) <= OLDEST;
}

function line(name: keyof EnquiryForm, label: string, value: string, rest: string): string {
  return `<label for="${name}">${label}</label><input id="${name}" name="${name}" value="${escapedHtml(value)}" ${rest}>`;
}

/** The contact form; with an error, if there was one. */
export function enquiryPage(site: string, form: EnquiryForm, ticket: string, problem: string | null): string {
  return sitePage(site, 'Write to us', {
    description: null,
    canonical: null,
    body: `<h1>Write to us</h1>
${problem === null ? '<p class="lead">We answer by e-mail or phone.</p>' : `<p class="note" role="alert">${escapedHtml(problem)}</p>`}
<form method="post" action="/enquiry">
${line('name', 'Your name', form.name, 'required maxlength="100" autocomplete="name"')}
${line('company', 'Company', form.company, 'maxlength="120" autocomplete="organization"')}
${line('email', 'E-mail', form.email, 'type="email" maxlength="200" autocomplete="email"')}
${line('phone', 'Phone', form.phone, 'type="tel" maxlength="20" autocomplete="tel"')}
<p class="by">E-mail or phone: one of the two, so that we can answer.</p>
<label for="message">Your message</label><textarea id="message" name="message" rows="6" required maxlength="4000">${escapedHtml(form.message)}</textarea>
<div class="away" aria-hidden="true"><label for="website">Leave this empty</label><input id="website" name="website" tabindex="-1" autocomplete="off"></div>
<input type="hidden" name="from" value="${escapedHtml(form.from)}"><input type="hidden" name="ticket" value="${escapedHtml(ticket)}">
<button type="submit">Send</button>
</form>
<footer><a href="/articles">All articles</a></footer>`,
  });
}

/** The confirmation page. */
export function thanksPage(site: string): string {
  return sitePage(site, 'Thank you', {
    description: null,
    canonical: null,
    body: '<h1>Thank you</h1>\n<p class="lead">Your message has come. We answer by e-mail or phone.</p>\n<footer><a href="/articles">All articles</a></footer>',
  });
}
