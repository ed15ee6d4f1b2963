import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

const PAGES = ['landing', 'add_screen', 'edit_screen', 'view_screen'] as const;
let world: World;
let acme: TestTenant;
let admin: Caller;
/** Own segments alone, all departments of the first company, quick links. */
let clerk: Caller;
let base: string;
const open: AbortController[] = [];

beforeAll(async () => {
  world = await startWorld({ alone: true });
  acme = await world.tenant({ companies: 3 });
  const role = await acme.role({
    modules: ['MASTERS', 'COMMON'],
    screens: {
      SCN_SEGMENT: { module: 'MASTERS', pages: [...PAGES], scope: 'own' },
      SCN_DEPARTMENT: { module: 'MASTERS', pages: [...PAGES] },
      SCN_QUICK_LINKS: { module: 'COMMON', pages: [...PAGES] },
    },
    actions: ['CREATE_MASTERS'],
  });
  const other = await acme.role({ modules: ['MASTERS'], screens: { SCN_SEGMENT: ['landing'] } });
  await acme.user('admin', {
    isAdmin: true,
    companies: [
      { company: 1, roles: [] },
      { company: 2, roles: [] },
      { company: 3, roles: [] },
    ],
  });
  await acme.user('clerk', {
    companies: [
      { company: 1, roles: [role] },
      { company: 2, roles: [other] },
    ],
  });
  [admin, clerk] = await Promise.all([world.signIn(acme, 'admin'), world.signIn(acme, 'clerk')]);
  await world.app.server.listen({ port: 0, host: '127.0.0.1' });
  base = `http://127.0.0.1:${(world.app.server.server.address() as AddressInfo).port}`;
});
afterEach(() => {
  for (const stop of open.splice(0)) stop.abort();
});
afterAll(() => world.close());

const inCompany = (number: number) => ({ 'x-entity-id': String(acme.entityIds[number - 1]) });

/** Opens the stream and gathers the changes that it tells. */
async function listen(caller: Caller): Promise<() => { type: string; id: number; op: string }[]> {
  const stop = new AbortController();
  open.push(stop);
  const response = await fetch(`${base}/tapi/live`, {
    signal: stop.signal,
    headers: { authorization: `Bearer ${caller.token}`, ...inCompany(1) },
  });
  expect(response.status).toBe(200);
  let text = '';
  void (async () => {
    for await (const chunk of response.body!.pipeThrough(
      new TextDecoderStream() as never,
    ) as unknown as AsyncIterable<string>)
      text += chunk;
  })().catch(() => undefined);
  return () =>
    [...text.matchAll(/event: record\ndata: (.*)/g)].map(
      ([, data]) => JSON.parse(data!) as { type: string; id: number; op: string },
    );
}
let made = 0;
async function add(caller: Caller, type: string, record: object, company = 1): Promise<number> {
  const given = await caller.call('POST', `/tapi/${type}`, record, inCompany(company));
  expect(given.statusCode, given.body).toBe(201);
  return given.json<{ data: { id: number } }>().data.id;
}
const segment = (caller: Caller) =>
  add(caller, 'segment', { code: `S${++made}`, name: `Segment ${made}`, segment_type: 'market' });
const department = (company: number) =>
  add(admin, 'department', { code: `D${++made}`, name: `Department ${made}` }, company);
/** The last of a row of changes, which everybody hears: when it has come, all before it have. */
const last = () => department(1);

it('sends no ids of rows of others, of other companies, of private rows, or of types without right', async () => {
  const heard = await listen(clerk);
  const all = await listen(admin);
  const foreign = [
    await segment(admin),
    await department(2),
    await department(3),
    await add(admin, 'quick_link', { title: 'Pay', url: '/department', audience: 'me' }),
    await add(admin, 'function', { code: `F${++made}`, name: 'Sales' }),
  ];
  const own = await segment(clerk);
  const end = await last();
  await expect.poll(() => heard().some(({ type, id }) => type === 'department' && id === end)).toBe(true);
  await expect.poll(() => heard().some(({ type, id }) => type === 'segment' && id === own)).toBe(true);
  await expect.poll(() => all().some(({ type, id }) => type === 'department' && id === end)).toBe(true);
  expect(heard().map(({ type, id, op }) => [type, id, op])).toEqual(
    expect.arrayContaining([
      ['segment', own, 'I'],
      ['department', end, 'I'],
    ]),
  );
  expect(heard()).toHaveLength(2);
  // Who may see them hears of them.
  expect(all().map(({ id }) => id)).toEqual(expect.arrayContaining(foreign));
});

it('sends only the type of a change outside the reader’s sight, so that lists stay up to date', async () => {
  const [theirs, mine] = [await segment(admin), await segment(clerk)];
  const heard = await listen(clerk);
  expect((await admin.call('PUT', `/tapi/segment/${theirs}`, { version: 1, name: 'Renamed' })).statusCode).toBe(200);
  expect((await admin.call('DELETE', `/tapi/segment/${theirs}`)).statusCode).toBe(204);
  await expect.poll(() => heard().some(({ type, id, op }) => type === 'segment' && id === 0 && op === 'D')).toBe(true);
  await admin.call('PUT', `/tapi/segment/${mine}`, { version: 1, name: 'Renamed too' });
  await expect.poll(() => heard().some(({ id, op }) => id === mine && op === 'U')).toBe(true);
  expect(heard().map(({ id }) => id)).not.toContain(theirs);
});
