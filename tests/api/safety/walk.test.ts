import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isPublicRoute, routeName } from '../../../src/server/access/sessions/public_routes.ts';
import { signToken } from '../../../src/server/access/sessions/token.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

/** Served to anybody. Whoever makes another route public adds it here, and says why it may be. */
const PUBLIC = [
  'POST /sessions/login',
  // Goes on with a sign-in whose password was right.
  'POST /sessions/otp',
  // Answer everybody alike; the link behind them is a secret of its own.
  'POST /password/forgot',
  'POST /password/reset',
  'GET /host',
  'GET /global_country_service',
  'GET /config.json',
  'GET /version.json',
  // What a page looks like before anybody signs in: pictures and name of the host's brand.
  'GET /brand_picture/:name',
  'GET /manifest.webmanifest',
  // The blog: published articles, and drafts by a signed address.
  'GET /articles',
  'GET /articles/:slug',
  'GET /articles/:slug/cover',
  'GET /articles/preview/:ticket',
  'GET /articles/preview/:ticket/cover',
  // Its form, by which anybody writes to the makers.
  'GET /enquiry',
  'POST /enquiry',
  // Pages for people without an account: the token is the secret, and opens one record's page.
  'GET /papi/:token',
  'GET /papi/:token/print/:file',
  'POST /papi/:token',
  'PATCH /papi/:token',
  'POST /papi/:token/files',
  'GET /papi/:token/files/:id',
  // What a person's calendar program fetches: the address is the secret, and gives what the person may see.
  'GET /calendar/:file',
  'GET /healthz',
  'GET /readyz',
  'GET /metrics',
  'GET /screens/:file',
  'GET /files/:address',
  'GET /docs',
  'GET /docs/start.js',
  'GET /docs/:file',
  'GET /*',
];

/** For everybody who is signed in: about the person alone, or filtered by the session's rights. */
const OWN = [
  'POST /sessions/logout',
  'GET /sessions',
  'DELETE /sessions',
  'DELETE /sessions/:sid',
  'PUT /session/entity',
  'POST /password/change',
  'GET /mfa',
  'POST /mfa/enrol',
  'POST /mfa/confirm',
  'POST /mfa/recovery',
  'DELETE /mfa',
  'GET /offline/refused',
  // Only what the person may list and open.
  'GET /offline/packet',
  'GET /get_features_by_role/:user_id',
  'PUT /update_user_logged_data/:user_id/:schema',
  'POST /update_refresh_token/:token',
  'GET /get_users_device/:user_id',
  'PUT /update_users_device/:device_id',
  'POST /notification_token',
  'PUT /update_users_device_logout/:user_id',
  'POST /analytics_token_update',
  'GET /get_email_by_entity',
  'GET /menu',
  'GET /dashboards',
  // Which reports one may open: of somebody without rights, none.
  'GET /report',
  'GET /live',
  'GET /notifications',
  // About oneself; about others with VIEW_AUDIT.
  'GET /rights/explain',
  'GET /rights/effective',
  'PUT /notifications/read',
  'GET /notification_preferences',
  'GET /calendar/address',
  'POST /calendar/address',
  'DELETE /calendar/address',
  'GET /push',
  'PUT /notification_preferences',
  'GET /my_team',
  'GET /my_profile',
  'PUT /my_profile',
  'GET /my_zone',
  'GET /home',
  // Dates are reckoned by them everywhere; a branch of another company is not found.
  'GET /working_days',
  // The same days, and of what falls due only what the person may list.
  'GET /calendar',
  // What is published for the person.
  'GET /media_feed',
  'GET /media_feed/announcements',
  'GET /media_feed/:id',
  'POST /media_feed/:id/acknowledge',
  'GET /manual/read',
  'GET /quick_links',
  // Where maps have their pictures from.
  'GET /map_tiles',
  'POST /quick_links',
  'DELETE /quick_links/:id',
  'GET /search',
  'GET /openapi.json',
];

/** Says the same to everybody without the right; which of the two depends on what is named. */
const REFUSED = new Set([403, 404]);

let world: World;
let acme: TestTenant;
let zenith: TestTenant;
let admin: Caller;
let nobody: Caller;
let stranger: Caller;

beforeAll(async () => {
  world = await startWorld();
  acme = await world.tenant({ companies: 2, everyTable: true });
  zenith = await world.tenant();
  await acme.user('admin', { isAdmin: true });
  await acme.user('nobody');
  await zenith.user('stranger', { isAdmin: true });
  [admin, nobody, stranger] = await Promise.all([
    world.signIn(acme, 'admin'),
    world.signIn(acme, 'nobody'),
    world.signIn(zenith, 'stranger'),
  ]);
});
afterAll(() => world.close());

const VALUES: Record<string, string> = {
  type: 'branch',
  name: 'branch',
  id: '1',
  user_id: '1',
  device_id: '1',
  schema: 'cmp_x',
  token: '~',
  sid: '5f0c2c9e-8a1b-4c1e-9d57-2f6a1c3e4b01',
};

const address = (url: string) => url.replace(/:(\w+)/g, (_, name: string) => VALUES[name] ?? '1').replace('*', 'x');

const guarded = () =>
  world.app.routes.filter(
    ({ method, url }) => method !== 'HEAD' && method !== 'OPTIONS' && !isPublicRoute(method, url),
  );

async function ask(
  method: string,
  url: string,
  headers: Record<string, string>,
  host = acme.host,
): Promise<{ status: number; code: string; body: string }> {
  const answer = await world.inject({
    method: method as 'GET',
    url: address(url),
    headers: {
      host,
      ...headers,
      ...(method === 'GET' || method === 'DELETE' ? {} : { 'content-type': 'application/json' }),
    },
    ...(method !== 'GET' && method !== 'DELETE' && { payload: '{}' }),
  });
  let code = '';
  try {
    code = answer.json<{ error?: { code?: string } }>().error?.code ?? '';
  } catch {
    code = '';
  }
  return { status: answer.statusCode, code, body: answer.body };
}

/** Asks every guarded route; returns those that answered otherwise than wanted. */
async function walk(
  headers: () => Record<string, string>,
  wanted: (answer: { status: number; code: string }) => boolean,
  routes = guarded(),
  host = acme.host,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const { method, url } of routes) {
    const answer = await ask(method, url, headers(), host);
    if (!wanted(answer)) wrong.push(`${method} ${url} → ${answer.status} ${answer.code}`);
  }
  return wrong;
}

const unauthenticated = ({ status, code }: { status: number; code: string }) =>
  status === 401 && code === 'unauthenticated';
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const parts = () => {
  const [header = '', payload = '', signature = ''] = admin.token.split('.');
  return {
    header,
    payload,
    signature,
    claims: JSON.parse(Buffer.from(payload, 'base64url').toString()) as Parameters<typeof signToken>[0],
  };
};
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

test('the public routes are exactly those of the list', () => {
  const names = new Set(
    world.app.routes
      .filter(({ method }) => method !== 'HEAD' && method !== 'OPTIONS')
      .map(({ method, url }) => routeName(method, url)),
  );
  const open = [...names].filter((name) => isPublicRoute(name.split(' ')[0]!, name.split(' ')[1]!));
  expect(open.filter((name) => !PUBLIC.includes(name))).toEqual([]);
  const marked = world.app.routes
    .filter((route) => route.public)
    .map(({ method, url }) => routeName(method === 'HEAD' ? 'GET' : method, url));
  expect(marked.filter((name) => !PUBLIC.includes(name))).toEqual([]);
  expect(guarded().length).toBeGreaterThan(50);
});

describe('every call is refused', () => {
  test('without a token', async () => {
    expect(await walk(() => ({}), unauthenticated)).toEqual([]);
    expect(await walk(() => ({ authorization: 'Basic YTpi' }), unauthenticated)).toEqual([]);
    expect(
      await walk(() => ({ cookie: `session=${admin.token}; __Host-session=${admin.token}` }), unauthenticated),
    ).toEqual([]);
  });

  test('with an expired token', async () => {
    const { claims } = parts();
    const token = await signToken(
      { ...claims, exp: Math.floor(Date.now() / 1000) - 1 },
      world.app.services.secrets.token,
    );
    expect(await walk(() => bearer(token), unauthenticated)).toEqual([]);
  });

  test('with a forged signature, no algorithm, or another person’s name in it', async () => {
    const { header, payload, signature, claims } = parts();
    const input = `${header}.${payload}`;
    const forged = `${input}.${createHmac('sha256', 'guess').update(input).digest('base64url')}`;
    const none = `${encode({ alg: 'none', typ: 'ms+session', kid: 'k1' })}.${payload}.`;
    const renamed = `${header}.${encode({ ...claims, sub: String(admin.userId + 1) })}.${signature}`;
    for (const token of [forged, none, renamed]) expect(await walk(() => bearer(token), unauthenticated)).toEqual([]);
  });

  test('with an unknown session, or one of another user', async () => {
    const { claims } = parts();
    const keys = world.app.services.secrets.token;
    for (const change of [
      { sid: '00000000-0000-4000-8000-000000000000' },
      { sub: String(nobody.userId) },
      { aud: zenith.schema },
      { aud: 'cmp_nobody_here' },
      { aud: 'public' },
    ]) {
      const token = await signToken({ ...claims, ...change }, keys);
      expect(
        await walk(
          () => bearer(token),
          ({ status }) => status === 401,
        ),
      ).toEqual([]);
    }
  });

  test('with the token of another tenant', async () => {
    expect(
      await walk(
        () => bearer(stranger.token),
        ({ status, code }) => status === 401 && code === 'wrong_tenant',
      ),
    ).toEqual([]);
  });

  test('on an unknown host', async () => {
    expect(
      await walk(
        () => bearer(admin.token),
        ({ status, code }) => status === 401 && code === 'wrong_tenant',
        guarded(),
        'nobody-here.localhost',
      ),
    ).toEqual([]);
  });

  test('for a company without the user', async () => {
    const wanted = ({ status, code }: { status: number; code: string }) =>
      status === 403 && code === 'entity_forbidden';
    expect(await walk(() => ({ ...bearer(admin.token), 'x-entity-id': String(acme.entityIds[1]) }), wanted)).toEqual(
      [],
    );
    expect(
      await walk(
        () => ({ ...bearer(admin.token), 'x-entity-id': '1 or 1=1' }),
        ({ status }) => status === 400,
      ),
    ).toEqual([]);
  });

  test('without any right', async () => {
    const routes = guarded().filter(({ method, url }) => !OWN.includes(routeName(method, url)));
    expect(routes.length).toBeGreaterThan(2);
    expect(
      await walk(
        () => bearer(nobody.token),
        ({ status }) => REFUSED.has(status) || status === 400,
        routes,
      ),
    ).toEqual([]);
  });

  test('after signing out', async () => {
    await acme.user('leaver', { isAdmin: true });
    const leaver = await world.signIn(acme, 'leaver');
    await leaver.call('POST', '/api/sessions/logout');
    expect(await walk(() => bearer(leaver.token), unauthenticated)).toEqual([]);
  });

  test('while a password change is due', async () => {
    await acme.user('fresh', { isAdmin: true, mustChange: true });
    const fresh = await world.signIn(acme, 'fresh');
    const routes = guarded().filter(({ limited }) => !limited);
    expect(
      await walk(
        () => bearer(fresh.token),
        ({ status, code }) => status === 403 && code === 'password_change',
        routes,
      ),
    ).toEqual([]);
  });
});

describe('claims of a caller', () => {
  test('have no effect: another user, another schema, another e-mail are refused', async () => {
    const other = nobody.userId;
    const own = admin.userId;
    const calls: [string, string, unknown?][] = [
      ['GET', `/tapi/get_features_by_role/${other}`],
      ['PUT', `/update_user_logged_data/${other}/${acme.schema}`, { user_dataset: {} }],
      ['PUT', `/update_user_logged_data/${own}/${zenith.schema}`, { user_dataset: {} }],
      ['PUT', `/update_user_logged_data/${own}/public`, { user_dataset: {} }],
      ['GET', `/get_users_device/${other}`],
      ['PUT', `/update_users_device_logout/${other}?device_token=x`],
      ['POST', '/notification_token', { notification_token: { user_id: other, device_token: 'x' } }],
      ['POST', '/analytics_token_update', { email: 'nobody@example.in' }],
      ['GET', `/tapi/get_email_by_entity?email=nobody@example.in&entity_id=${acme.entityIds[0]}&user_id=${own}`],
      ['GET', `/tapi/get_email_by_entity?email=admin@example.in&entity_id=${acme.entityIds[1]}&user_id=${own}`],
      ['GET', `/api/get_screen_and_user_data_by_role/?user_id=${own}`],
      ['PUT', '/tapi/session/entity', { entity_id: acme.entityIds[0], from_user: other }],
    ];
    for (const [method, url, body] of calls)
      expect([method, url, (await admin.call(method, url, body)).statusCode]).toEqual([method, url, 403]);
    expect(
      (await admin.call('PUT', '/tapi/session/entity', { entity_id: acme.entityIds[0], from_user: own })).statusCode,
    ).toBe(200);
  });

  test('a host forwarded by a stranger is ignored', async () => {
    const answer = await world.inject({
      url: '/api/host',
      headers: { host: acme.host, 'x-forwarded-host': zenith.host },
    });
    expect(answer.json()).toMatchObject({ data: { sub_domain: acme.subDomain } });
  });
});

describe('answers', () => {
  test('have security headers', async () => {
    const data = await admin.call('GET', '/tapi/menu');
    expect(data.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'x-frame-options': 'DENY',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    });
    expect(data.headers['strict-transport-security']).toBeUndefined();
    expect(data.headers['access-control-allow-origin']).toBeUndefined();
    expect(data.headers['x-powered-by']).toBeUndefined();
    const page = await world.inject({ url: '/login', headers: { host: acme.host, accept: 'text/html' } });
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toMatch(/script-src 'self';/);
    expect(policy).toMatch(/style-src 'self' 'nonce-[\w+/=]{24}'/);
    expect(policy).not.toContain('unsafe');
  });

  test('never reveal the server’s software', async () => {
    const answers = await Promise.all([
      ask('GET', '/tapi/branch/9999999999999999999', bearer(admin.token)),
      ask('GET', '/tapi/%00', bearer(admin.token)),
      ask('GET', '/tapi/../../etc/passwd', bearer(admin.token)),
      ask('GET', '/assets/..%2f..%2fpackage.json', {}),
      ask('GET', '/index.html', {}),
      ask('GET', '/.env', {}),
      ask('POST', '/sessions/login', {}),
      ask('GET', `/screens/${'0'.repeat(32)}.json`, {}),
    ]);
    for (const { status, body } of answers) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(body).not.toMatch(/node_modules|\/work\/|\.ts:|at async|select |syntax error/i);
    }
  });

  test('a body larger than allowed is refused before it is read', async () => {
    const answer = await world.inject({
      method: 'POST',
      url: '/api/sessions/login',
      headers: { host: acme.host, 'content-type': 'application/json' },
      payload: `{"email":"${'x'.repeat(5 * 1024 * 1024)}"}`,
    });
    expect([answer.statusCode, answer.json<{ error: { code: string } }>().error.code]).toEqual([413, 'too_large']);
  });
});

test('a record of a company requires the company before functions fill it in', async () => {
  await acme.user('undecided', { isAdmin: true, companies: [{ company: 1 }, { company: 2 }] });
  const { call } = await world.signIn(acme, 'undecided');
  const lines = [{ service_id: 1, description: 'Repair', qty: '1', rate: '1' }];
  const refused = await call('POST', '/tapi/billing', {
    bill_kind: 'tax_invoice',
    customer_id: 1,
    branch_id: 1,
    lines,
  });
  expect([refused.statusCode, refused.body]).toEqual([400, expect.stringContaining('Choose a company first.')]);
});
