import { beforeEach, expect, it, vi } from 'vitest';
import { api } from '../../../../src/client/api/http.ts';
import type { WaitingAct } from '../../../../src/client/runtime/offline/device_store.ts';
import { removeAct, storedActs } from '../../../../src/client/runtime/offline/device_store.ts';
import { keepAct } from '../../../../src/client/runtime/offline/outbox.ts';
import {
  noteAnswers,
  noteInPacket,
  packetKey,
  packetShown,
} from '../../../../src/client/runtime/offline/packet_answers.ts';
import { keepPacket, keptPacket, removePackets } from '../../../../src/client/runtime/offline/packet_store.ts';
import { dropPacket } from '../../../../src/client/runtime/offline/take_packet.ts';
import { forgetSession, rememberSession } from '../../../../src/client/app/session.ts';
import type { ListPage } from '../../../../src/client/runtime/landing/list_calls.ts';
import type { Screen, WireRecord } from '../../../../src/descriptor/types.ts';

const screen = {
  name: 'visit',
  label: ['place'],
  sort: ['place'],
  fields: [
    { name: 'place', type: 'text', title: 'Place' },
    { name: 'found', type: 'text', title: 'Found' },
    { name: 'photos', type: 'rows', title: 'Photos', rows: [{ name: 'shows', type: 'text', title: 'Shows' }] },
  ],
  offline: { does: ['change', 'leave'] },
  workflow: { field: 'status', transitions: [{ name: 'leave', from: ['there'], to: 'left' }] },
} as unknown as Screen;
const record = (id: number, place: string) => ({ id, version: 1, active: true, place, found: null, status: 'there' });

const keep = (asOf: string) =>
  keepPacket({
    key: packetKey(),
    asOf,
    menu: { data: { tree: [], screens: [] } },
    screens: { visit: { screen, validator: '/screens/visit.js' } },
    types: [{ type: 'visit', more: false, records: [record(1, 'South'), record(2, 'North'), record(3, 'Mill')] }],
    sheets: { '/tapi/visit/1/answers/asked': { version: null } },
  });
const list = (query: object) => api.get<ListPage>('/tapi/visit', query as never, { quiet: true });
const places = ({ data }: ListPage) => data.map(({ place }) => place);

beforeEach(async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  for (const { seq } of await storedActs()) await removeAct(seq);
  await removePackets();
  packetShown.set(null);
  rememberSession({ token: 'a.b.c', user_id: 5, entity_id: 1 });
});

it('offline lists, records, counts, options and questionnaires come from the packet', async () => {
  const asOf = new Date().toISOString();
  await keep(asOf);
  expect(places(await list({ size: 2 }))).toEqual(['Mill', 'North']);
  const rest = await list({ size: 2, after: '2' });
  expect([places(rest), rest.cursor]).toEqual([['South'], null]);
  expect(places(await list({ filter: '["place","in",["North","South"]]', sort: '-place' }))).toEqual([
    'South',
    'North',
  ]);
  expect(places(await list({ q: 'ill' }))).toEqual(['Mill']);
  expect(await api.get('/tapi/visit/count', { q: 'o' })).toEqual({ count: 2, capped: false });
  expect(await api.get('/tapi/visit/options', { q: 'nor' })).toMatchObject({ data: [{ id: 2, label: 'North' }] });
  expect(await api.get('/tapi/visit/2')).toEqual({ data: record(2, 'North') });
  expect(await api.get('/tapi/visit/1/answers/asked')).toEqual({ data: { version: null } });
  expect(await api.get('/tapi/screens/visit')).toMatchObject({ data: { screen: { name: 'visit' } } });
  expect(packetShown.get()).toBe(asOf);
  for (const path of ['/tapi/visit/9', '/tapi/lift/1', '/tapi/visit/1/history'])
    await expect(api.get(path, undefined, { quiet: true })).rejects.toMatchObject({ status: 0 });
  await expect(list({ mine: '1' })).rejects.toMatchObject({ status: 0 });
});

it('a record that is chosen offline brings its values along, in the form and in its rows', async () => {
  await keep(new Date().toISOString());
  const packet = (await keptPacket(packetKey()))!;
  const copy = (via: string) => [
    { name: via, type: 'ref' },
    { name: 'where', type: 'text', fetch: { via, field: 'place', empty: true } },
    { name: 'gone', type: 'text', fetch: { via, field: 'no_longer' } },
  ];
  const form = { name: 'order', fields: [...copy('visit_id'), { name: 'lines', type: 'rows', rows: copy('stop_id') }] };
  await keepPacket({
    ...packet,
    screens: { ...packet.screens, order: { screen: form as unknown as Screen, validator: '' } },
  });
  const asked = async (field: string) =>
    (await api.get<{ data: unknown[] }>('/tapi/visit/options', { ids: '2', for: field })).data;
  const option = { id: 2, label: 'North', active: true };
  for (const field of ['order.visit_id', 'order.lines.stop_id'])
    expect(await asked(field)).toEqual([{ ...option, fetch: { where: 'North' } }]);
  expect(await asked('order.other_id')).toEqual([{ ...option, fetch: {} }]);
});

it('records are shown with the pending changes applied', async () => {
  await keep(new Date().toISOString());
  await keepAct({ type: 'visit', id: 2, title: 'North', do: 'change', input: { found: [null, 'rust'] } });
  const read = async () => (await api.get<{ data: WireRecord }>('/tapi/visit/2')).data;
  expect(await read()).toMatchObject({ found: 'rust', status: 'there' });
  await keepAct({ type: 'visit', id: 2, title: 'North', do: 'leave', input: {} });
  const photos = [{ shows: 'Rope' }];
  await keepAct({ type: 'visit', id: 2, title: 'North', do: 'rows:photos', input: { photos: [[], photos] } });
  expect(await read()).toMatchObject({ found: 'rust', photos, status: 'left', _can: [] });
});

it('what was sent is shown offline until the packet is loaded again: new records, and answers', async () => {
  await keep(new Date().toISOString());
  const address = '/tapi/visit/1/answers/asked';
  const packet = (await keptPacket(packetKey()))!;
  await keepPacket({ ...packet, sheets: { [address]: { version: null, answers: [{ code: 'oil', value: 'low' }] } } });
  const act = { type: 'visit', seq: 1, do: 'create', input: { place: 'East' } } as unknown as WaitingAct;
  await noteInPacket('visit', 4, act);
  await noteInPacket('visit', 5, { ...record(5, 'West') });
  await noteAnswers(address, [
    { code: 'oil', value: 'full' },
    { code: 'doors', value: 'clean' },
  ]);
  expect(places(await list({}))).toEqual(['East', 'Mill', 'North', 'South', 'West']);
  const { data } = await api.get<{ data: { answers: { value: unknown }[] } }>(address);
  expect(data.answers.map(({ value }) => value)).toEqual(['full', 'clean']);
});

it('shows nothing of another person or company, nothing outdated, and nothing after deletion', async () => {
  const isShown = () =>
    api.get('/tapi/visit/2', undefined, { quiet: true }).then(
      () => true,
      () => false,
    );
  await keep(new Date().toISOString());
  expect(await isShown()).toBe(true);
  rememberSession({ entity_id: 2 });
  expect(await isShown()).toBe(false);
  rememberSession({ entity_id: 1, user_id: 6 });
  expect(await isShown()).toBe(false);
  rememberSession({ user_id: 5 });
  await keep(new Date(Date.now() - 73 * 3_600_000).toISOString());
  expect(await isShown()).toBe(false);
  await keep(new Date().toISOString());
  await dropPacket();
  expect(await isShown()).toBe(false);
  forgetSession();
});
