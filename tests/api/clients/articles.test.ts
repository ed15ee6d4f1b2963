import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeUserTypes } from '../../../src/server/platform/clients/user_types.ts';
import { ensureTables } from '../../../src/server/db/tenants.ts';
import { upload } from '../multipart.ts';
import { formTicket } from '../../../src/server/platform/blog/enquiry_page.ts';
import { previewTicket } from '../../../src/server/platform/blog/preview_ticket.ts';
import type { Caller, World } from '../world.ts';
import { startWorld } from '../world.ts';
import { ADMIN, platformPerson } from './platform_people.ts';

type Row = Record<string, unknown> & { id: number; version: number };

describe('articles', () => {
  let world: World;
  let editor: Caller;
  let section: number;
  const main = () => world.database.directory.main;

  async function ok<T = Row>(method: string, url: string, body?: unknown): Promise<T> {
    const answer = await editor.call(method, url, body);
    expect(answer.statusCode, answer.body).toBeLessThan(300);
    return answer.json<{ data: T }>().data;
  }
  const write = (title: string, more: object = {}) =>
    ok('POST', '/tapi/blog', { title, section_id: section, body: '<p>Text.</p>', author: 'Karthik Raman', ...more });
  const set = (one: Row, values: object) =>
    editor.call('PUT', `/tapi/blog/${one.id}`, { version: one.version, ...values });
  const changed = (one: Row, values: object) => ok('PUT', `/tapi/blog/${one.id}`, { version: one.version, ...values });
  const step = (one: Row, name: string, more: object = {}) =>
    editor.call('POST', `/tapi/blog/${one.id}/${name}`, { version: one.version, ...more });
  const taken = (one: Row, name: string, more: object = {}) =>
    ok('POST', `/tapi/blog/${one.id}/${name}`, { version: one.version, ...more });
  async function published(title: string, more: object = {}): Promise<Row> {
    return taken(await taken(await write(title, more), 'submit'), 'publish');
  }
  /** As somebody who is not signed in. */
  const visit = (url: string, headers: Record<string, string> = {}, host = ADMIN.host) =>
    world.inject({ method: 'GET', url, headers: { host, accept: 'text/html', ...headers } });

  beforeAll(async () => {
    world = await startWorld({ alone: true, types: [] });
    await writeUserTypes(main());
    await ensureTables({ db: main(), schema: 'public' }, world.app.store.screens(), [
      'blog',
      'blog_sect_categ',
      'image',
    ]);
    [section] = (
      await main().query<{ id: number }>(`insert into public.blog_sect_categ (name) values ('Service') returning id`)
    ).map(({ id }) => id) as [number];
    editor = await platformPerson(world, 'CONTENT');
  });
  afterAll(() => world.close());

  it('have sections and categories on two levels; pictures have a size', async () => {
    const category = await ok('POST', '/tapi/blog_sect_categ', { name: 'Lifts', parent_id: section });
    const third = await editor.call('POST', '/tapi/blog_sect_categ', { name: 'Doors', parent_id: category.id });
    expect(third.json()).toMatchObject({
      error: { field: 'parent_id', message: '"Lifts" is a category itself. Choose a section.' },
    });
    const other = await ok('POST', '/tapi/blog_sect_categ', { name: 'News' });
    const moved = await editor.call('PUT', `/tapi/blog_sect_categ/${section}`, { version: 1, parent_id: other.id });
    expect(moved.json()).toMatchObject({
      error: { field: 'parent_id', message: expect.stringContaining('has categories') },
    });
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGNQcGiAIAY4CwAyVAVBwNQB+AAAAABJRU5ErkJggg==',
      'base64',
    );
    const { payload, headers } = upload('lift.png', png);
    const stored = await world.inject({
      method: 'POST',
      url: '/tapi/files?for=image.file',
      payload,
      headers: { host: ADMIN.host, authorization: `Bearer ${editor.token}`, ...headers },
    });
    expect(stored.statusCode, stored.body).toBe(201);
    const picture = await ok('POST', '/tapi/image', {
      name: 'Lift',
      alt_text: 'A lift',
      file: stored.json<{ data: Row }>().data.id,
    });
    expect(picture).toMatchObject({ width: 3, height: 2 });
    expect(await ok('PUT', `/tapi/image/${picture.id}`, { version: picture.version, file: null })).toMatchObject({
      width: null,
      height: null,
    });
  });

  it('get a slug from the title, and a text without active content', async () => {
    const one = await write('Lifts & doors: 10 “facts”', {
      body: '<h2>Head</h2><p onclick="x()">Go <a href="javascript:alert(1)">there</a><script>alert(1)</script> <b>now</b></p><img src=x onerror=alert(1)>',
    });
    expect(one).toMatchObject({ slug: 'lifts-doors-10-facts', state: 'draft' });
    expect(one.body).toBe(
      '<h3>Head</h3><p>Go <a rel="noopener noreferrer" target="_blank">there</a> <strong>now</strong></p>',
    );
    expect((await write('Lifts & doors: 10 facts!')).slug).toBe('lifts-doors-10-facts-2');
    expect(
      (
        await editor.call('POST', '/tapi/blog', {
          title: 'X',
          slug: 'lifts-doors-10-facts',
          section_id: section,
          body: '<p>x</p>',
          author: 'K',
        })
      ).statusCode,
    ).toBeGreaterThanOrEqual(409);
  });

  it('are public only once published, and never on clients’ hosts', async () => {
    const draft = await write('Not for everybody');
    expect((await visit(`/articles/${String(draft.slug)}`)).statusCode).toBe(404);
    expect((await step(draft, 'publish')).json()).toMatchObject({
      error: {
        field: 'state',
        message: '"Publish now" can be done while the article is "In review" or "Scheduled". It is "Draft" now.',
      },
    });
    expect((await set(draft, { state: 'published' })).statusCode).toBe(422);
    const one = await published('Monsoon & lifts <check>', {
      summary: 'Water finds the pit "first".',
      seo_description: 'What to look at.',
    });
    expect(Date.parse(String(one.publish_at))).toBeLessThanOrEqual(Date.now());
    expect(one.first_published_at).toBe(one.publish_at);
    const page = await visit('/articles/monsoon-lifts-check');
    expect(page.statusCode).toBe(200);
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'public, max-age=300',
    });
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.headers['set-cookie']).toBeUndefined();
    expect(page.body).toContain('<h1>Monsoon &amp; lifts &lt;check&gt;</h1>');
    expect(page.body).toContain('Water finds the pit &quot;first&quot;.');
    expect(page.body).toContain('<meta name="description" content="What to look at.">');
    expect(
      (await visit('/articles/monsoon-lifts-check', { 'if-none-match': String(page.headers.etag) })).statusCode,
    ).toBe(304);
    const list = await visit('/articles');
    expect(list.body).toContain('href="/articles/monsoon-lifts-check"');
    expect(list.body).not.toContain('Not for everybody');
    expect((await visit(`/articles?section=${section}`)).body).toContain('Monsoon');
    expect((await visit('/articles?section=999999')).statusCode).toBe(404);
    const acme = await world.tenant({ suffix: 'blog' });
    expect((await visit('/articles', {}, acme.host)).statusCode).toBe(404);
    // What stands in the database by another way is cleaned once more.
    await main().query(`update public.blog set body = '<p>a</p><script>alert(1)</script>' where id = $1`, [one.id]);
    expect((await visit('/articles/monsoon-lifts-check')).body).not.toContain('alert(1)');
    // Half past one at night on the fifteenth in India, where the platform is.
    await main().query(`update public.blog set publish_at = '2026-03-14T20:00:00Z' where id = $1`, [one.id]);
    for (const path of ['/articles/monsoon-lifts-check', `/articles?section=${section}`])
      expect((await visit(path)).body).toContain('<time datetime="2026-03-14T20:00:00.000Z">15 Mar 2026</time>');
    await taken(one, 'withdraw');
    expect((await visit('/articles/monsoon-lifts-check')).statusCode).toBe(404);
  });

  it('redirect the old address after a change, and nobody else can take it', async () => {
    const one = await published('Ten questions');
    const moved = await changed(await changed(one, { slug: 'ten-questions-renewal' }), { slug: 'before-you-renew' });
    expect(moved.old_slugs).toEqual(['ten-questions', 'ten-questions-renewal']);
    for (const old of ['ten-questions', 'ten-questions-renewal']) {
      const answer = await visit(`/articles/${old}`);
      expect([answer.statusCode, answer.headers.location]).toEqual([301, '/articles/before-you-renew']);
    }
    expect((await visit('/articles/before-you-renew')).statusCode).toBe(200);
    expect((await write('Ten questions')).slug).toBe('ten-questions-2');
    expect((await set(await write('Another'), { slug: 'ten-questions' })).json()).toMatchObject({
      error: {
        details: [{ field: 'slug', message: 'Another article is, or was, at "ten-questions". Choose another word.' }],
      },
    });
    // Back to the first: it leads nowhere else any more.
    expect((await changed(moved, { slug: 'ten-questions' })).old_slugs).toEqual([
      'ten-questions-renewal',
      'before-you-renew',
    ]);
    expect((await visit('/articles/ten-questions')).statusCode).toBe(200);
    const never = await changed(await write('Never public'), { slug: 'still-never' });
    expect(never.old_slugs ?? []).toEqual([]);
  });

  it('lead to a contact form for everybody; bots get thanks and are ignored', async () => {
    const one = await published('Write us');
    expect((await visit(`/articles/${one.slug}`)).body).toContain(
      `href="/enquiry?from=%2Farticles%2F${String(one.slug)}"`,
    );
    const shown = await visit(`/enquiry?from=/articles/${String(one.slug)}`);
    expect(shown.headers['content-security-policy']).toContain(`form-action 'self'`);
    expect(shown.body).toContain(`name="from" value="/articles/${String(one.slug)}"`);
    expect((await visit('/enquiry?from="><script>')).body).not.toContain('<script>');
    const client = await world.tenant({ suffix: 'enq' });
    expect((await visit('/enquiry', {}, client.host)).statusCode).toBe(404);
    const ticket = formTicket(world.app.services.secrets.files, Date.now() - 60_000);
    const write = (fields: Record<string, string>) =>
      world.inject({
        method: 'POST',
        url: '/enquiry',
        headers: { host: ADMIN.host, 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({
          name: 'Ramesh <Iyer>',
          company: 'Sundaram Elevators',
          email: 'ramesh@sundaram.example',
          phone: '',
          message: 'We have 40 lifts.',
          from: `/articles/${String(one.slug)}`,
          ticket,
          ...fields,
        }).toString(),
      });
    const kept = () =>
      main().query<Record<string, unknown>>(
        'select number, name, company, email, phone, message, page, state from public.contact order by id',
      );
    expect((await write({ website: 'http://spam.example' })).body).toContain('Thank you');
    expect((await write({ ticket: '1.x' })).statusCode).toBe(422);
    expect((await write({ ticket: ticket.replace(/\w$/, 'é') })).statusCode).toBe(422);
    expect(
      (
        await world.inject({
          method: 'POST',
          url: '/enquiry',
          headers: { host: ADMIN.host },
          payload: { name: { toString: 1 }, ticket },
        })
      ).statusCode,
    ).toBe(422);
    expect((await write({ ticket: formTicket(world.app.services.secrets.files) })).statusCode).toBe(422);
    const nobody = await write({ email: '' });
    expect([
      nobody.statusCode,
      nobody.body.includes('Enter the e-mail address or the phone number.'),
      nobody.body.includes('value="Ramesh &lt;Iyer&gt;"'),
    ]).toEqual([422, true, true]);
    expect(await kept().catch(() => [])).toEqual([]);
    const good = await write({});
    expect([good.statusCode, good.body.includes('Your message has come')]).toEqual([200, true]);
    expect(await kept()).toEqual([
      {
        number: expect.stringMatching(/^ENQ\//),
        name: 'Ramesh <Iyer>',
        company: 'Sundaram Elevators',
        email: 'ramesh@sundaram.example',
        phone: null,
        message: 'We have 40 lifts.',
        page: `/articles/${String(one.slug)}`,
        state: 'new',
      },
    ]);
    const sales = await platformPerson(world, 'SALES');
    expect((await write({ email: '', phone: '+91 98400-55100', from: 'https://elsewhere.example/' })).statusCode).toBe(
      200,
    );
    expect((await sales.call('GET', '/tapi/notifications')).json<{ data: object[] }>().data[0]).toMatchObject({
      title: 'Enquiry from Ramesh <Iyer>, Sundaram Elevators',
      link: expect.stringMatching(/^\/contacts\/view\/\d+$/),
    });
    expect((await kept())[1]).toMatchObject({ phone: '+919840055100', page: '/enquiry' });
    await main().query(
      `insert into public.contact (number, name, phone, state, page, created_by) select 'X' || n, 'x', '1', 'spam', '/enquiry', 0 from generate_series(1, 60) n`,
    );
    expect((await write({})).body).toContain('Please try again later');
  });

  it('are published at their time by the job queue', async () => {
    const one = await taken(await write('Next week'), 'submit');
    expect((await step(one, 'schedule')).json()).toMatchObject({ error: { field: 'publish_at' } });
    const past = new Date(Date.now() - 60_000).toISOString();
    expect((await step(one, 'schedule', { publish_at: past })).json()).toMatchObject({
      error: { field: 'publish_at', message: 'Choose a time in the future.' },
    });
    const later = new Date(Date.now() + 86_400_000).toISOString();
    const scheduled = await taken(one, 'schedule', { publish_at: later });
    expect((await set(scheduled, { publish_at: past })).statusCode).toBe(409);
    const waiting = async () => {
      await world.app.deliveries.sweep();
      return (
        await main().query<{ run_at: string }>(
          `select run_at from public.job where name = 'blog_publish' and state = 'queued' order by run_at`,
        )
      ).map(({ run_at }) => new Date(run_at).toISOString());
    };
    expect(await waiting()).toEqual([later]);
    const sooner = new Date(Date.now() + 43_200_000).toISOString();
    await taken(scheduled, 'schedule', { publish_at: sooner });
    expect(await waiting()).toEqual([sooner, later]);
    await world.app.jobs.drain();
    expect((await visit('/articles/next-week')).statusCode).toBe(404);
    await main().query(`update public.blog set publish_at = now() - interval '1 minute' where id = $1`, [one.id]);
    await main().query(`update public.job set run_at = now() where name = 'blog_publish' and state = 'queued'`);
    await world.app.jobs.drain();
    expect((await visit('/articles/next-week')).statusCode).toBe(200);
    const shown = await ok('GET', `/tapi/blog/${one.id}`);
    expect(Date.parse(String(shown.publish_at))).toBeLessThan(Date.now() - 50_000);
    expect(((await ok('GET', `/tapi/blog/${one.id}/history`)) as unknown as { what: string }[])[0]).toMatchObject({
      what: 'job',
      change: { state: ['scheduled', 'published'] },
    });
  });

  it('have a preview through a signed address for an hour, and are published in one step', async () => {
    const one = await taken(await write('Board papers'), 'submit');
    const { once } = (await editor.call('POST', `/tapi/blog/${one.id}/preview`)).json<{ once: { value: string } }>();
    const path = new URL(once.value).pathname;
    const seen = await visit(path);
    expect(seen.statusCode).toBe(200);
    expect(seen.body).toContain('Preview: not published');
    expect(seen.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
    expect((await visit(`${path.slice(0, -3)}aaa`)).statusCode).toBe(404);
    expect((await visit(path.replace(`/${one.id}-`, `/${one.id + 1}-`))).statusCode).toBe(404);
    const key = world.app.services.secrets.files;
    expect((await visit(`/articles/preview/${previewTicket(one.id, key, Date.now() - 3_700_000)}`)).statusCode).toBe(
      404,
    );
    const done = await ok('POST', `/tapi/blog/${one.id}/publish`, { version: one.version });
    expect(done.state).toBe('published');
    expect((await step(one, 'publish')).statusCode).toBe(409);
  });
});
