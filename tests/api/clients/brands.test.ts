import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeUserTypes } from '../../../src/server/platform/clients/user_types.ts';
import { storePassword } from '../../../src/server/access/people/accounts.ts';
import { emblem, png } from '../../../src/server/platform/demo/emblem.ts';
import { hashPassword } from '../../../src/server/access/sessions/password.ts';
import { upload } from '../multipart.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { PASSWORD, startWorld } from '../world.ts';

interface Shown {
  title: string;
  logo: string | null;
  favicon: string | null;
  primary: string | null;
  login_variant: string;
}

const PNG = emblem(64, '#0b6a4f', 0);

describe('brands', () => {
  let world: World;
  let acme: TestTenant;
  let root: Caller;
  let chief: Caller;
  const admin = { host: 'admin.localhost:3000' } as TestTenant;

  const shown = async (host: string) =>
    (await world.inject({ method: 'GET', url: '/api/host', headers: { host } })).json<{ data: { brand: Shown } }>().data
      .brand;
  const get = (host: string, url: string, accept = '*/*') =>
    world.inject({ method: 'GET', url, headers: { host, accept } });
  async function picture(caller: Caller, type: string, field: string, name: string, content: Buffer): Promise<number> {
    const { payload, headers } = upload(name, content);
    const answer = await caller.call('POST', `/tapi/files?for=${type}.${field}`, payload, headers);
    expect(answer.statusCode, answer.body).toBe(201);
    return answer.json<{ data: { id: number } }>().data.id;
  }

  beforeAll(async () => {
    world = await startWorld({ alone: true, types: [] });
    const { main } = world.database.directory;
    await writeUserTypes(main);
    const username = `root-${randomBytes(4).toString('hex')}`;
    const [made] = await main.query<{ id: number }>(
      `insert into public.common_user (username, name, email, user_type_id) select $1, $1, $2, id from public.user_type where code = 'SUPER' returning id`,
      [username, `${username}@mainstay.example`],
    );
    await storePassword(main, 'public', made!.id, await hashPassword(PASSWORD));
    root = await world.signIn(admin, username);
    acme = await world.tenant({ suffix: 'acme', everyTable: true });
    await acme.user('chief', { isAdmin: true, companies: [{ company: 1 }] });
    chief = await world.signIn(acme, 'chief');
  });
  afterAll(() => world.close());

  it('are set per host: title, colour, pictures and sign-in variant apply at the next load', async () => {
    expect(await shown(acme.host)).toMatchObject({
      title: 'Mainstay',
      primary: null,
      logo: null,
      login_variant: 'classic',
    });
    const icon = await picture(root, 'brand', 'icon', 'icon.png', PNG);
    const made = await root.call('POST', '/api/brand', {
      host_pattern: `${acme.subDomain}.*`,
      title: 'Acme & Sons',
      primary_color: '#0B6A4F',
      icon,
      login_variant: 'board',
      menu_variant: 'board',
      links: [{ name: 'Shop', url: 'https://acme.in' }],
    });
    expect(made.statusCode, made.body).toBe(201);
    const brand = await shown(acme.host);
    expect(brand).toMatchObject({
      title: 'Acme & Sons',
      primary: '#0b6a4f',
      logo: null,
      login_variant: 'board',
      menu_variant: 'board',
      links: [{ name: 'Shop', url: 'https://acme.in' }],
    });
    const fetched = await get(acme.host, brand.favicon!);
    expect(fetched.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': expect.stringContaining('immutable') as string,
    });
    expect(fetched.rawPayload.equals(PNG)).toBe(true);
    // Another host does not show it.
    expect((await get('localhost:3000', brand.favicon!)).statusCode).toBe(404);
    expect((await get(acme.host, '/manifest.webmanifest')).json()).toMatchObject({
      name: 'Acme & Sons',
      theme_color: '#0b6a4f',
      icons: [{ src: brand.favicon }],
    });
    const page = await get(acme.host, '/login', 'text/html');
    if (page.statusCode !== 503) {
      expect(page.body).toContain('<title>Acme &amp; Sons</title>');
      expect(page.body).toContain(`<link rel="icon" href="${brand.favicon}" type="image/png" />`);
    }
    const { id, version } = made.json<{ data: { id: number; version: number } }>().data;
    await root.call('PUT', `/api/brand/${id}`, { title: 'Acme Works', version });
    expect((await shown(acme.host)).title).toBe('Acme Works');
  });

  it('refuse a colour on which white text is unreadable, with the ratio', async () => {
    const answer = await root.call('POST', '/api/brand', {
      host_pattern: 'pale.*',
      title: 'Pale',
      primary_color: '#ffd200',
    });
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({
      error: {
        details: [
          {
            field: 'primary_color',
            message: 'White text on #ffd200 has a contrast of 1.45 : 1; it needs 4.5 : 1. Choose a darker colour.',
          },
        ],
      },
    });
    expect(
      (await chief.call('PUT', '/tapi/brand_setting/single', { version: 0, primary_color: '#787878' })).body,
    ).toContain('4.41 : 1');
  });

  it('accept only pictures of the right kind and size', async () => {
    const large = await picture(root, 'brand', 'logo', 'logo.png', Buffer.concat([PNG, Buffer.alloc(210 * 1024)]));
    const jpeg = await picture(
      root,
      'brand',
      'icon',
      'icon.jpg',
      Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(50)]),
    );
    const answer = await root.call('POST', '/api/brand', {
      host_pattern: 'big.*',
      title: 'Big',
      logo: large,
      icon: jpeg,
    });
    expect(answer.statusCode).toBe(422);
    expect(answer.json<{ error: { details: { field: string; message: string }[] } }>().error.details).toEqual([
      {
        field: 'logo',
        message: 'A logo is a PNG, JPEG or WebP picture of at most 200 kB; this one is image/png of 211 kB.',
      },
      { field: 'icon', message: 'An icon is a PNG picture of at most 100 kB; this one is image/jpeg of 1 kB.' },
    ]);
    const { payload, headers } = upload('logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
    expect((await root.call('POST', '/tapi/files?for=brand.logo', payload, headers)).statusCode).toBe(415);
  });

  it('accept only square icons and readable pictures', async () => {
    const white = () => [255, 255, 255, 255] as [number, number, number, number];
    const wide = await picture(root, 'brand', 'icon', 'wide.png', png(64, 40, white));
    const small = await picture(root, 'brand', 'icon', 'small.png', png(16, 16, white));
    const line = await picture(root, 'brand', 'logo', 'line.png', png(900, 100, white));
    const broken = await picture(
      root,
      'brand',
      'logo',
      'broken.png',
      // Its head says that it has no width and no height.
      png(64, 64, white).fill(0, 16, 24),
    );
    const refused = async (set: object) =>
      (await root.call('POST', '/api/brand', { host_pattern: 'shape.*', title: 'Shape', ...set })).json<{
        error: { details: { field: string; message: string }[] };
      }>().error.details;
    expect(await refused({ icon: wide, logo: line })).toEqual([
      { field: 'logo', message: 'A logo is at most 8 times as wide as high; this one has 900 × 100 pixels.' },
      { field: 'icon', message: 'An icon is square; this one has 64 × 40 pixels. Crop it to a square.' },
    ]);
    expect(await refused({ icon: small, logo: broken })).toEqual([
      { field: 'logo', message: 'This file cannot be read as a picture. Choose another one.' },
      { field: 'icon', message: 'An icon is 32 to 1024 pixels wide; this one has 16 × 16.' },
    ]);
  });

  it('may be set by a client for itself, within limits and unless the platform forbids it', async () => {
    const logo = await picture(chief, 'brand_setting', 'logo', 'logo.png', PNG);
    const set = await chief.call('PUT', '/tapi/brand_setting/single', {
      version: 0,
      title: 'Acme at work',
      primary_color: '#8a1538',
      logo,
      login_variant: 'themed',
    });
    expect(set.statusCode).toBe(422);
    const own = await chief.call('PUT', '/tapi/brand_setting/single', {
      version: 0,
      title: 'Acme at work',
      primary_color: '#8a1538',
      logo,
    });
    expect(own.statusCode, own.body).toBe(200);
    const brand = await shown(acme.host);
    expect(brand).toMatchObject({ title: 'Acme at work', primary: '#8a1538', login_variant: 'board' });
    expect((await get(acme.host, brand.logo!)).statusCode).toBe(200);
    const [row] = (await root.call('GET', `/api/brand?q=${acme.subDomain}&columns=*`)).json<{
      data: { id: number; version: number }[];
    }>().data;
    expect(
      (await root.call('PUT', `/api/brand/${row!.id}`, { client_may_change: false, version: row!.version })).statusCode,
    ).toBe(200);
    expect(await shown(acme.host)).toMatchObject({ title: 'Acme Works', logo: null });
    expect((await get(acme.host, brand.logo!)).statusCode).toBe(404);
    await root.call('PUT', `/api/brand/${row!.id}`, { client_may_change: true, version: row!.version + 1 });
  });

  it('appear in the head of the client’s mails', async () => {
    await world.app.notifications.write(acme.db, acme, {
      event: 'user.invited',
      address: 'new@acme.in',
      values: { name: 'Ravi', link: 'https://x.in/a', minutes: '30', hours: '72' },
      dedupeKey: 'brand-test',
    });
    const [mail] = await acme.sql<{ html: string }>(`select html from {s}.outbox where dedupe_key = 'brand-test'`);
    expect(mail!.html).toContain('>Acme at work</p>');
    expect(mail!.html).toContain('background:#8a1538');
    expect(mail!.html).toMatch(/<img src="http[^"]+\/brand_picture\/logo-\w+"/);
  });

  it('are for platform administrators only', async () => {
    expect((await chief.call('GET', '/api/brand')).statusCode).toBe(404);
    await acme.user('clerk', { companies: [{ company: 1 }] });
    const clerk = await world.signIn(acme, 'clerk');
    expect((await clerk.call('PUT', '/tapi/brand_setting/single', { version: 1, title: 'Mine' })).statusCode).toBe(403);
  });
});

it('mails that show a new brand are sent even when all connections are busy', async () => {
  const world = await startWorld({ types: [] });
  const acme = await world.tenant();
  try {
    const count = 8;
    let begun = 0;
    let all = () => {};
    const together = new Promise<void>((resolve) => (all = resolve));
    const writing = Array.from({ length: count }, (_, at) =>
      acme.db.transaction(async (tx) => {
        if (++begun === count) all();
        await together;
        await world.app.notifications.write(tx, acme, {
          event: 'password.reset_requested',
          address: 'asha@acme.example',
          values: { name: 'Asha', minutes: '60', link: 'https://acme.example/' },
          dedupeKey: `first/${at}`,
        });
      }),
    );
    const settled = await Promise.allSettled(writing);
    expect(settled.map(({ status }) => status)).toEqual(Array(count).fill('fulfilled'));
  } finally {
    await world.close();
  }
});
