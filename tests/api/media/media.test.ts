import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { upload } from '../multipart.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

interface Item {
  id: number;
  title: string;
  excerpt: string;
  cover: string | null;
  acknowledged: boolean;
}
interface Feed {
  sections: { title: string; layout: string; items: Item[] }[];
  to_read: Item[];
}

let world: World;
let acme: TestTenant;
let chief: Caller;
let clerk: Caller;
let writer: Caller;
let writers: number;

const day = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toLocaleDateString('en-CA', { timeZone: 'Asia/Kolkata' });
const in1 = () => ({ 'x-entity-id': String(acme.entityIds[0]) });
async function post(caller: Caller, item: object): Promise<{ id: number; state: string; version: number }> {
  const answer = await caller.call(
    'POST',
    '/tapi/media_item',
    { kind: 'article', publish_from: day(-1), state: 'published', ...item },
    in1(),
  );
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ data: { id: number; state: string; version: number } }>().data;
}
const feed = async (caller: Caller, headers = in1()) =>
  (await caller.call('GET', '/tapi/media_feed', undefined, headers)).json<{ data: Feed }>().data;
const titles = (data: Feed) => data.sections.flatMap(({ items }) => items.map(({ title }) => title));
const announced = async (caller: Caller) =>
  (await caller.call('GET', '/tapi/media_feed/announcements', undefined, in1()))
    .json<{ data: Item[] }>()
    .data.map(({ title }) => title);

beforeAll(async () => {
  world = await startWorld();
  acme = await world.tenant({ companies: 2 });
  writers = await acme.role({
    modules: ['COMMON'],
    screens: { SCN_MEDIA: ['landing', 'add_screen', 'edit_screen', 'view_screen'] },
    actions: ['MEDIA_POST'],
  });
  await acme.user('chief', { isAdmin: true, companies: [{ company: 1 }, { company: 2 }] });
  await acme.user('clerk', { companies: [{ company: 1 }] });
  await acme.user('writer', { companies: [{ company: 1, roles: [writers] }] });
  [chief, clerk, writer] = await Promise.all([
    world.signIn(acme, 'chief'),
    world.signIn(acme, 'clerk'),
    world.signIn(acme, 'writer'),
  ]);
});
afterAll(() => world.close());

test('everybody reads the current items meant for them, in the configured sections', async () => {
  const picture = sharp({ create: { width: 4, height: 4, channels: 3, background: '#336699' } });
  const { payload, headers } = upload('cover.png', await picture.png().toBuffer());
  const cover = (await chief.call('POST', '/tapi/files?for=media_item.cover', payload, { ...headers, ...in1() })).json<{
    data: { id: number };
  }>().data.id;
  await post(chief, { title: 'Orders grew', body: '<p>By <b>11 %</b>.</p>', tags: ['news'], cover });
  await post(chief, { title: 'Of tomorrow', tags: ['news'], publish_from: day(1) });
  await post(chief, { title: 'Over', tags: ['news'], publish_from: day(-9), publish_to: day(-1) });
  await post(chief, { title: 'Draft', tags: ['news'], state: 'draft' });
  await post(chief, { title: 'For writers', tags: ['news'], role_ids: [writers] });
  await post(chief, { title: 'Lock out, tag out', tags: ['Safety'] });
  expect(titles(await feed(clerk)).toSorted()).toEqual(['Lock out, tag out', 'Orders grew']);
  await chief.call(
    'PUT',
    '/tapi/media_page_config/single',
    {
      version: 0,
      sections: [
        { seq: 2, title: 'Safety first', layout: 'list', filter_tags: ['safety'] },
        { seq: 1, title: 'News', layout: 'carousel', filter_tags: ['news'], max_items: 1 },
      ],
    },
    in1(),
  );
  const data = await feed(clerk);
  expect(data.sections.map(({ title, layout, items }) => [title, layout, items.map((item) => item.title)])).toEqual([
    ['News', 'carousel', ['Orders grew']],
    ['Safety first', 'list', ['Lock out, tag out']],
  ]);
  expect(data.sections[0]!.items[0]).toMatchObject({ excerpt: 'By 11 % .' });
  // The picture opens for who may read the item, though not the list of media.
  expect((await clerk.call('GET', data.sections[0]!.items[0]!.cover!)).statusCode).toBe(200);
  expect((await clerk.call('GET', '/tapi/media_item', undefined, in1())).statusCode).toBe(403);
  expect(titles(await feed(writer))).toContain('For writers');
  expect(titles(await feed(chief, { 'x-entity-id': String(acme.entityIds[1]) }))).toEqual([]);
});

test('items that must be read stand first on Home until they are confirmed, and the readers are recorded', async () => {
  await post(chief, { title: 'Pinned', pinned_until: day(3), publish_from: day(-50) });
  await post(chief, { title: 'Old news', publish_from: day(-60) });
  const { id } = await post(chief, { title: 'Travel policy', must_acknowledge: true, publish_from: day(-90) });
  expect((await announced(clerk))[0]).toBe('Travel policy');
  expect(await announced(clerk)).toContain('Pinned');
  expect(await announced(clerk)).not.toContain('Old news');
  expect((await feed(clerk)).to_read.map(({ title }) => title)).toEqual(['Travel policy']);
  const confirm = () => clerk.call('POST', `/tapi/media_feed/${id}/acknowledge`, {}, in1());
  expect((await confirm()).statusCode).toBe(204);
  expect((await confirm()).statusCode).toBe(204);
  expect((await feed(clerk)).to_read).toEqual([]);
  expect(await announced(clerk)).not.toContain('Travel policy');
  expect((await chief.call('GET', '/tapi/media_ack', undefined, in1())).json()).toMatchObject({
    data: [{ media_item_id: id, user_id: clerk.userId }],
  });
  expect((await feed(chief)).to_read).toHaveLength(1);
  const secret = await post(chief, { title: 'Not for clerks', role_ids: [writers], must_acknowledge: true });
  expect((await clerk.call('GET', `/tapi/media_feed/${secret.id}`, undefined, in1())).statusCode).toBe(404);
  expect((await clerk.call('POST', `/tapi/media_feed/${secret.id}/acknowledge`, {}, in1())).statusCode).toBe(404);
});

test('posts wait for a moderator if configured, and only the named roles post', async () => {
  const config = async (set: object) => {
    const { version } = (await chief.call('GET', '/tapi/media_page_config/single', undefined, in1())).json<{
      data: { version: number };
    }>().data;
    const answer = await chief.call('PUT', '/tapi/media_page_config/single', { version, ...set }, in1());
    expect(answer.statusCode, answer.body).toBe(200);
  };
  expect((await post(writer, { title: 'At once' })).state).toBe('published');
  await config({ moderation: true, sections: [] });
  const waiting = await post(writer, { title: 'In a while' });
  expect(waiting.state).toBe('in_moderation');
  expect(titles(await feed(clerk))).not.toContain('In a while');
  const again = await writer.call(
    'PUT',
    `/tapi/media_item/${waiting.id}`,
    { version: waiting.version, state: 'published' },
    in1(),
  );
  expect(again.json()).toMatchObject({ data: { state: 'in_moderation' } });
  const { version } = again.json<{ data: { version: number } }>().data;
  expect(
    (await chief.call('PUT', `/tapi/media_item/${waiting.id}`, { version, state: 'published' }, in1())).json(),
  ).toMatchObject({ data: { state: 'published' } });
  expect(titles(await feed(clerk))).toContain('In a while');
  // Published words are not changed behind the moderator's back.
  expect(
    (
      await writer.call(
        'PUT',
        `/tapi/media_item/${waiting.id}`,
        { version: version + 1, title: 'Something else' },
        in1(),
      )
    ).json(),
  ).toMatchObject({ error: { details: [{ field: 'state' }] } });
  const others = await acme.role({ modules: ['COMMON'] });
  await config({ poster_roles: [others] });
  expect(
    (
      await writer.call('POST', '/tapi/media_item', { kind: 'article', title: 'No', publish_from: day(0) }, in1())
    ).json(),
  ).toMatchObject({
    error: { details: [{ field: 'title', message: expect.stringContaining('Your roles cannot post here') as string }] },
  });
});
