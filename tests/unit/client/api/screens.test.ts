import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openLive } from '../../../../src/client/api/live.ts';
import { forgetScreens, loadScreen, menu, refetchMenu } from '../../../../src/client/api/screens.ts';
import { forgetSession, rememberSession } from '../../../../src/client/app/session.ts';
import { fakeFetch } from '../app/fetch_fake.ts';

let close = () => {};

beforeEach(() => {
  forgetScreens();
  rememberSession({ token: 'tok', user_id: 7, entity_id: 2, entity_name: 'Acme' });
});
afterEach(() => {
  close();
  forgetScreens();
  forgetSession();
});

/** A server whose menu says `states` one after another and whose stream begins with `now`. */
function server(states: string[], now: string) {
  let answered = 0;
  let open = () => {};
  const stream = new Promise<void>((resolve) => (open = resolve));
  const calls = fakeFetch({
    'GET /tapi/menu': () => {
      const state = states[Math.min(answered++, states.length - 1)];
      return { body: { data: { tree: [], screens: [], problems: state === 'new' ? 1 : 0, state } } };
    },
    'GET /tapi/screens/branch': () => ({
      body: { data: { screen: { name: 'branch', hash: String(answered) }, validator: '/v' } },
    }),
    'GET /tapi/live': async () => {
      await stream;
      return { text: `event: state\ndata: {"state":"${now}"}\n\n`, headers: { 'content-type': 'text/event-stream' } };
    },
  });
  return { open, of: (path: string) => calls.filter((call) => call.path === path).length };
}

it('reloads the menu and the open screens if they changed before the stream was open', async () => {
  const { open, of } = server(['old', 'new'], 'new');
  close = openLive();
  await refetchMenu();
  await loadScreen('branch');
  expect(menu.get().problems).toBe(0);
  open();
  await vi.waitFor(() => expect(menu.get().problems).toBe(1));
  await vi.waitFor(() => expect(of('/tapi/screens/branch')).toBe(2));
  expect(of('/tapi/menu')).toBe(2);
});

it('does so too if the stream opens before the menu has loaded, and only once', async () => {
  const { open, of } = server(['old', 'older still'], 'new');
  open();
  close = openLive();
  await vi.waitFor(() => expect(of('/tapi/live')).toBe(1));
  await refetchMenu();
  await vi.waitFor(() => expect(of('/tapi/menu')).toBe(2));
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(of('/tapi/menu')).toBe(2);
});

it('reloads nothing if both have the same state', async () => {
  const { open, of } = server(['same'], 'same');
  close = openLive();
  await refetchMenu();
  await loadScreen('branch');
  open();
  await vi.waitFor(() => expect(of('/tapi/live')).toBe(1));
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect([of('/tapi/menu'), of('/tapi/screens/branch')]).toEqual([1, 1]);
});

it('keeps a problem that was announced while the menu was loading', async () => {
  let answer = () => {};
  const first = new Promise<void>((resolve) => (answer = resolve));
  let menus = 0;
  fakeFetch({
    'GET /tapi/menu': async () => {
      if (menus++ === 0) {
        await first;
        return { body: { data: { tree: [], screens: [], problems: 0, state: 'same' } } };
      }
      return { body: { data: { tree: [], screens: [], problems: 1, state: 'same' } } };
    },
    'GET /tapi/live': () => ({
      text: `event: state\ndata: {"state":"same"}\n\nevent: problems\ndata: {"count":1}\n\n`,
      headers: { 'content-type': 'text/event-stream' },
    }),
  });
  const loaded = refetchMenu();
  close = openLive();
  await vi.waitFor(() => expect(menu.get().problems).toBe(1));
  answer();
  await loaded;
  expect([menu.get().problems, menus]).toEqual([1, 2]);
});

it('does not keep an answer that comes after somebody else has signed in', async () => {
  const screen = (hash: string) => ({ body: { data: { screen: { name: 'branch', hash }, validator: `/${hash}` } } });
  let arrive!: () => void;
  const late = new Promise<void>((resolve) => (arrive = resolve));
  const answers = [() => late.then(() => screen('before')), () => screen('after')];
  fakeFetch({ 'GET /tapi/screens/branch': () => answers.shift()!() });
  const first = loadScreen('branch');
  forgetScreens();
  expect((await loadScreen('branch')).validatorUrl).toBe('/after');
  arrive();
  await first;
  expect((await loadScreen('branch')).validatorUrl).toBe('/after');
});
