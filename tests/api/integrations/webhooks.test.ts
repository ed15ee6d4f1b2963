import { createHmac } from 'node:crypto';
import { queueWebhooks } from '../../../src/server/services/live/webhook_events.ts';
import { upload } from '../multipart.ts';
import type { IncomingHttpHeaders, Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { RETRY_SECONDS } from '../../../src/server/platform/integrations/webhooks.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

type Row = Record<string, unknown>;
type Heard = { path: string; headers: IncomingHttpHeaders; body: string };

let world: World;
let acme: TestTenant;
let admin: Caller;
let clerk: Caller;
let receiver: Server;
let base: string;
const heard: Heard[] = [];
/** What the receiver answers; null = nothing at all. */
let answer: { status: number; body?: string; headers?: Record<string, string> } | null = { status: 200 };
let made = 0;

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      heard.push({ path: request.url ?? '', headers: request.headers, body });
      if (answer) response.writeHead(answer.status, answer.headers).end(answer.body ?? '');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  world = await startWorld({ alone: true, env: { INSIDE_HOSTS: '127.0.0.1' }, types: [] });
  acme = await world.tenant();
  const role = await acme.role({
    modules: ['MASTERS'],
    screens: {
      SCN_SEGMENT: ['landing', 'view_screen'],
      SCN_API_CONFIG: ['landing', 'add_screen', 'edit_screen', 'view_screen'],
    },
    actions: ['MANAGE_INTEGRATIONS'],
  });
  await acme.user('admin', { isAdmin: true });
  await acme.user('clerk', { companies: [{ company: 1, roles: [role] }] });
  [admin, clerk] = await Promise.all([world.signIn(acme, 'admin'), world.signIn(acme, 'clerk')]);
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await world.close();
});
afterEach(async () => {
  await acme.sql(`update {s}.api_config set active = false`);
  heard.length = 0;
  answer = { status: 200 };
});

const webhook = (more: Row = {}) => ({
  name: `Webhook ${++made}`,
  direction: 'outgoing',
  url: `${base}/hook`,
  events: ['segment.*'],
  timeout_s: 1,
  ...more,
});
async function add(more: Row = {}): Promise<{ id: number; version: number; secret: string }> {
  const given = await admin.call('POST', '/tapi/api_config', webhook(more));
  expect(given.statusCode, given.body).toBe(201);
  const { data, secret } = given.json<{ data: { id: number; version: number }; secret: string }>();
  return { ...data, secret };
}
let segments = 0;
async function segment(): Promise<{ id: number; version: number }> {
  const given = await admin.call('POST', '/tapi/segment', {
    code: `S${++segments}`,
    name: `Segment ${segments}`,
    segment_type: 'market',
  });
  expect(given.statusCode, given.body).toBe(201);
  return given.json<{ data: { id: number; version: number } }>().data;
}
/** What is due goes out, as the queue would have it. */
async function send(): Promise<void> {
  await vi.waitFor(
    async () =>
      expect(
        await world.database.directory.main.query(
          `select 1 from public.job where schema_name = $1 and name = 'webhook_deliver' and state = 'queued' and run_at <= now()`,
          [acme.schema],
        ),
      ).not.toEqual([]),
    { timeout: 60_000 },
  );
  await world.app.jobs.drain();
}
const deliveries = (id: number) =>
  acme.sql<{
    id: number;
    event: string;
    state: string;
    attempt: number;
    status_code: number | null;
    response_excerpt: string | null;
    seconds: number | null;
  }>(
    'select id, event, state, attempt, status_code, response_excerpt, round(extract(epoch from next_at - updated_at))::int as seconds from {s}.api_delivery where api_config_id = $1 order by id',
    [id],
  );
const stateOf = async (id: number) =>
  (
    await acme.sql<{ state: string; disabled_reason: string | null }>(
      'select state, disabled_reason from {s}.api_config where id = $1',
      [id],
    )
  )[0]!;
const due = (id: number) =>
  acme
    .sql(
      `update {s}.api_delivery set next_at = now() - interval '1 second' where api_config_id = $1 and state in ('queued', 'retry')`,
      [id],
    )
    .then(() => world.app.jobs.enqueue(acme.schema, 'webhook_deliver', {}, { key: 'now' }));
const details = (given: { json<T>(): T }) =>
  given.json<{ error: { details: { field: string; message: string }[] } }>().error.details;
const sign = (secret: string, { headers, body }: Heard) =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`)
    .digest('base64')}`;

describe('a webhook message', () => {
  it('has additional headers, but none of Mainstay’s own and no value with a line break', async () => {
    const wrong = [
      { name: 'Host', value: 'inside' },
      { name: 'Webhook-Signature', value: 'v1,x' },
      { name: 'Content-Length', value: '0' },
      { name: 'X A', value: 'x' },
      { name: 'X-A', value: 'a\r\nX-B: c' },
    ];
    for (const header of wrong) {
      const given = await admin.call('POST', '/tapi/api_config', webhook({ headers: [header] }));
      const field = `headers.0.${header.name === 'X-A' ? 'value' : 'name'}`;
      expect(given.json(), header.name).toMatchObject({ error: { details: [{ field }] } });
    }
  });

  it('is signed, with the number of the record, for every event of it', async () => {
    const { id, secret } = await add({ headers: [{ name: 'X-Customer', value: 'acme-7' }] });
    expect(secret).toMatch(/^whsec_/);
    const { id: record, version } = await segment();
    await send();
    expect(heard).toHaveLength(1);
    const [first] = heard as [Heard];
    expect(first.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'x-customer': 'acme-7' });
    expect(String(first.headers['webhook-id'])).toMatch(/^msg_[0-9a-f]{32}$/);
    expect(Math.abs(Number(first.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(30);
    expect(first.headers['webhook-signature']).toBe(sign(secret, first));
    expect(JSON.parse(first.body)).toEqual({
      type: 'segment.created',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string,
      entity_id: null,
      data: { type: 'segment', id: record, version },
    });
    await admin.call('PUT', `/tapi/segment/${record}`, { version, description: 'Lifts of hospitals' });
    await admin.call('POST', `/tapi/segment/${record}/deactivate`, { version: version + 1 });
    await admin.call('POST', `/tapi/segment/${record}/activate`, { version: version + 2 });
    await admin.call('DELETE', `/tapi/segment/${record}`);
    await send();
    expect(new Set(heard.map(({ body }) => (JSON.parse(body) as Row).type))).toEqual(
      new Set(['created', 'updated', 'deactivated', 'activated', 'deleted'].map((word) => `segment.${word}`)),
    );
    expect(heard).toHaveLength(5);
    expect(
      (await deliveries(id)).every(
        ({ state, attempt, status_code: status }) => state === 'delivered' && attempt === 1 && status === 200,
      ),
    ).toBe(true);
    expect((await admin.call('GET', `/tapi/api_config/${id}/deliveries`)).json<{ data: Row[] }>().data).toHaveLength(5);
  });

  it('is sent for a new state, and only for the chosen events', async () => {
    await add({ events: ['users.disabled'] });
    const user = await acme.user(`leaver${made}`);
    const { version } = (await admin.call('GET', `/tapi/users/${user}`)).json<{ data: { version: number } }>().data;
    await admin.call('PUT', `/tapi/users/${user}`, { version, name: 'Another name' });
    await admin.call('POST', `/tapi/users/${user}/disable`, { version: version + 1 });
    await segment();
    await send();
    expect(heard.map(({ body }) => JSON.parse(body) as Row)).toMatchObject([
      { type: 'users.disabled', data: { id: user } },
    ]);
  });

  it('contains the whole record or some of its fields, never secrets', async () => {
    const { id } = await add({ payload: 'full', fields: ['name'] });
    await segment();
    await send();
    expect((JSON.parse(heard[0]!.body) as { data: Row }).data.record).toEqual({
      id: expect.any(Number) as number,
      version: 1,
      name: `Segment ${segments}`,
    });
    const { version } = (await admin.call('GET', `/tapi/api_config/${id}`)).json<{ data: { version: number } }>().data;
    const changed = await admin.call('PUT', `/tapi/api_config/${id}`, {
      version,
      fields: [],
      events: ['mail_config_setting.created'],
    });
    expect(changed.statusCode, changed.body).toBe(200);
    await admin.call('POST', '/tapi/mail_config_setting', {
      name: 'Office',
      purpose: 'default',
      host: 'smtp.example.in',
      port: 587,
      security: 'starttls',
      username: 'u',
      password: 'secret-word',
      from_name: 'A',
      from_email: 'a@example.in',
    });
    await send();
    expect(heard).toHaveLength(2);
    expect((JSON.parse(heard[1]!.body) as { data: { record: Row } }).data.record).toMatchObject({ name: 'Office' });
    expect(heard[1]!.body).not.toContain('secret-word');
  });

  it('is not sent after a rollback, nor while the webhook is inactive', async () => {
    const { id, version } = await add();
    await acme.db
      .transaction(async (tx) => {
        await tx.query(
          `insert into "${acme.schema}".history (record_type, record_id, version, op) values ('segment', 1, 1, 'U')`,
        );
        await queueWebhooks(tx, acme.schema, [['segment', 1]]);
        expect(
          await tx.query(`select 1 from "${acme.schema}".api_delivery where api_config_id = $1`, [id]),
        ).toHaveLength(1);
        throw new Error('undone');
      })
      .catch((error: Error) => expect(error.message).toBe('undone'));
    expect(await deliveries(id)).toEqual([]);
    await admin.call('POST', `/tapi/api_config/${id}/deactivate`, { version });
    await segment();
    expect(await deliveries(id)).toEqual([]);
  });
});

describe('any author of the change', () => {
  const told = async (id: number) => (await deliveries(id)).map(({ event }) => event);

  it('an import that adds and changes, and its reversal', async () => {
    const { id } = await add();
    const one = await segment();
    const sheet = `Code,Name,Segment type\nS${segments},Renamed,Market\nSHEET1,From a sheet,Market\nSHEET2,Another,Market\n`;
    const { payload, headers } = upload('segments.csv', Buffer.from(sheet));
    const run = (await admin.call('POST', '/tapi/segment/import', payload, headers)).json<{ data: { id: number } }>()
      .data.id;
    const state = async () =>
      (await admin.call('GET', `/tapi/import/${run}`)).json<{ data: { state: string; errors: unknown } }>().data;
    await expect.poll(async () => (await state()).state).toBe('checked');
    await admin.call('POST', `/tapi/import/${run}/commit`);
    await expect.poll(async () => (await state()).state).toBe('imported');
    expect((await told(id)).sort()).toEqual([
      'segment.created',
      'segment.created',
      'segment.created',
      'segment.updated',
    ]);
    expect((await admin.call('POST', `/tapi/import/${run}/undo`)).statusCode).toBe(200);
    expect((await told(id)).slice(4).sort()).toEqual(['segment.deleted', 'segment.deleted', 'segment.updated']);
    await admin.call('DELETE', `/tapi/segment/${one.id}`);
  });

  it('a bulk change, and rights of a role outside its form', async () => {
    const { id } = await add({ events: ['segment.updated', 'role.updated'] });
    const ids = [(await segment()).id, (await segment()).id];
    const bulk = await admin.call('PUT', '/tapi/segment/bulk', { ids, set: { description: 'Together' } });
    expect(bulk.statusCode, bulk.body).toBe(200);
    const role = await acme.role({ modules: ['MASTERS'] });
    const { version } = (await admin.call('GET', `/tapi/screen_rights/${role}`)).json<{
      data: { role: { version: number } };
    }>().data.role;
    const saved = await admin.call('PUT', `/tapi/screen_rights/${role}`, { version, actions: ['EXPORT_DATA'] });
    expect(saved.statusCode, saved.body).toBe(200);
    expect(await told(id)).toEqual(['segment.updated', 'segment.updated', 'role.updated']);
  });
});

describe('a failing receiver', () => {
  it('is retried at growing intervals, then the message is dropped; it can be resent under its number', async () => {
    const { id } = await add();
    answer = { status: 503, body: 'Busy' };
    await segment();
    await send();
    expect(await deliveries(id)).toMatchObject([
      {
        state: 'retry',
        attempt: 1,
        status_code: 503,
        response_excerpt: 'The receiver answered 503. It must answer 200 to 299.',
        seconds: RETRY_SECONDS[0],
      },
    ]);
    expect((await stateOf(id)).state).toBe('failing');
    for (let attempt = 2; attempt <= 8; attempt++) {
      await due(id);
      await world.app.jobs.drain();
      expect(await deliveries(id)).toMatchObject([
        { state: attempt < 8 ? 'retry' : 'dead', attempt, seconds: RETRY_SECONDS[attempt - 1] ?? null },
      ]);
    }
    expect(new Set(heard.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    answer = { status: 204 };
    const [{ id: message } = { id: 0 }] = await deliveries(id);
    expect((await admin.call('POST', `/tapi/api_delivery/${message}/resend`)).statusCode).toBe(202);
    await send();
    expect(await deliveries(id)).toMatchObject([{ state: 'delivered', attempt: 1, status_code: 204 }]);
    expect((await stateOf(id)).state).toBe('active');
    expect(new Set(heard.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('is waited for as long as configured, and redirects are not followed', async () => {
    const { id } = await add();
    answer = null;
    await segment();
    await send();
    answer = { status: 302, headers: { location: `${base}/elsewhere` } };
    await segment();
    await send();
    expect(await deliveries(id)).toMatchObject([
      { state: 'retry', status_code: null, response_excerpt: 'No answer within 1 s.' },
      { state: 'retry', status_code: 302 },
    ]);
    expect(heard.map(({ path }) => path)).toEqual(['/hook', '/hook']);
  });

  it('that is permanently gone is not called any more; the administrator is notified; a successful test switches it on', async () => {
    const { id, version } = await add();
    answer = { status: 410 };
    await segment();
    await send();
    expect(await stateOf(id)).toEqual({ state: 'disabled', disabled_reason: expect.stringContaining('410') as string });
    expect(
      await acme.sql(`select user_id from {s}.notification where event_code = 'api.disabled' and record_id = $1`, [id]),
    ).toEqual([{ user_id: admin.userId }]);
    await segment();
    expect(await deliveries(id)).toMatchObject([{ state: 'dead', attempt: 1 }]);
    expect((await admin.call('POST', `/tapi/api_config/${id}/test`, { version })).statusCode).toBe(422);
    answer = { status: 200 };
    expect((await admin.call('POST', `/tapi/api_config/${id}/test`)).statusCode).toBe(200);
    expect(await stateOf(id)).toEqual({ state: 'active', disabled_reason: null });
    expect((JSON.parse(heard.at(-1)!.body) as Row).type).toBe('mainstay.test');
  });

  it('is switched off after five dropped messages in a row', async () => {
    const { id } = await add();
    answer = { status: 500 };
    for (let count = 0; count < 5; count++) await segment();
    await acme.sql(`update {s}.api_delivery set attempt = 7 where api_config_id = $1`, [id]);
    await send();
    expect((await deliveries(id)).map(({ state }) => state)).toEqual(Array(5).fill('dead'));
    expect(await stateOf(id)).toEqual({
      state: 'disabled',
      disabled_reason: expect.stringContaining('5 messages') as string,
    });
  });
});

describe('the address of a webhook', () => {
  it('is outside the network, when it is saved and when it is called', async () => {
    for (const url of [
      'https://127.0.0.2/x',
      'https://localhost/x',
      'https://10.0.0.5/x',
      'https://169.254.169.254/latest',
      'https://[::1]/x',
      'http://hooks.example.com/x',
    ])
      expect(
        details(await admin.call('POST', '/tapi/api_config', webhook({ url }))).map(({ field }) => field),
        url,
      ).toEqual(['url']);
    const { id } = await add();
    const [, port] = /:(\d+)$/.exec(base) ?? [];
    // As if the name had led outside when it was saved.
    await acme.sql(`update {s}.api_config set url = $2 where id = $1`, [id, `https://localhost:${port}/hook`]);
    await segment();
    await send();
    expect(await deliveries(id)).toMatchObject([
      { state: 'retry', status_code: null, response_excerpt: expect.stringContaining('internal address') as string },
    ]);
    expect(heard).toEqual([]);
  });
});

it('a new secret signs beside the previous one for a day', async () => {
  const { id, secret } = await add();
  const { secret: next } = (await admin.call('POST', `/tapi/api_config/${id}/rotate`)).json<{ secret: string }>();
  await segment();
  await send();
  expect(heard[0]!.headers['webhook-signature']).toBe(`${sign(next, heard[0]!)} ${sign(secret, heard[0]!)}`);
  await acme.sql(`update {s}.api_config set old_secret_until = now() where id = $1`, [id]);
  await segment();
  await send();
  expect(heard[1]!.headers['webhook-signature']).toBe(sign(next, heard[1]!));
});

it('the author of a webhook receives only visible records, and events of existing types', async () => {
  expect((await clerk.call('POST', '/tapi/api_config', webhook())).statusCode).toBe(201);
  for (const event of ['branch.created', 'segment.approved', 'segment', 'nothing.created', 'api_delivery.created'])
    expect(
      details(await clerk.call('POST', '/tapi/api_config', webhook({ events: [event] }))).map(({ field }) => field),
      event,
    ).toEqual(['events']);
  expect(
    details(
      await admin.call('POST', '/tapi/api_config', webhook({ headers: [{ name: 'Webhook-Signature', value: 'x' }] })),
    ).map(({ field }) => field),
  ).toEqual(['headers.0.name']);
});
