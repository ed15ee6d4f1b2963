import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestTenant, World } from '../world.ts';
import { PASSWORD, startWorld } from '../world.ts';

// “Environments … select different hosts”: an installation’s environment is its settings, and its hosts are the clients’.

let world: World;
let acme: TestTenant;
beforeAll(async () => {
  world = await startWorld({ alone: true, env: { ENVIRONMENT: 'lan_secure', BASE_DOMAINS: 'lan.acme.in' }, types: [] });
  acme = await world.tenant();
  await acme.user('asha');
});
afterAll(() => world.close());

const signIn = (host: string) =>
  world.inject({
    method: 'POST',
    url: '/api/sessions/login',
    headers: { host },
    payload: { email: 'asha', password: PASSWORD, prefix: '' },
  });

test('the client learns which environment it is in, with its base domains and the paths of its calls', async () => {
  expect((await world.inject({ url: '/config.json', headers: { host: 'acme.lan.acme.in' } })).json()).toMatchObject({
    env: 'lan_secure',
    base_domains: ['lan.acme.in'],
    api: '',
    analytics_api: '/api',
  });
});

test('hosts below the environment’s own domains name a client, those of another environment none', async () => {
  expect((await signIn(`${acme.subDomain}.lan.acme.in`)).json()).toMatchObject({ result: 'success' });
  expect((await signIn(`${acme.subDomain}.mainstay.example`)).json()).not.toMatchObject({ result: 'success' });
});
