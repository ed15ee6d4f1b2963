import { AsyncLocalStorage } from 'node:async_hooks';
import type * as Argon2 from '@node-rs/argon2';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { TestTenant, World } from '../world.ts';
import { PASSWORD, startWorld } from '../world.ts';

/** How often a password was compared with a hash. */
const compared = vi.hoisted(() => ({ count: 0 }));
vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof Argon2>();
  return {
    ...real,
    verify: (...given: Parameters<typeof real.verify>) => {
      compared.count++;
      return real.verify(...given);
    },
  };
});

/** The statements of the call that is being made; what a timer begins, such as the work of the log, is of no call. */
const ofCall = new AsyncLocalStorage<string[]>();

let world: World;
let acme: TestTenant;

beforeAll(async () => {
  world = await startWorld();
  acme = await world.tenant();
  await acme.user('asha');
  await acme.user('gone', { status: 'disabled' });
});
afterAll(() => world.close());

const post = (url: string, payload: object, remoteAddress = '127.0.0.1') =>
  world.inject({ method: 'POST', url, headers: { host: acme.host }, payload, remoteAddress });

it('signing in takes the same work for an unknown name, a wrong password and a disabled account', async () => {
  const { db } = (await world.app.services.tenants.bySubDomain(acme.subDomain))!;
  const query = db.query;
  const wait = globalThis.setTimeout;
  const work = async (email: string, password: string) => {
    await acme.sql('delete from {s}.login_counter');
    compared.count = 0;
    const statements: string[] = [];
    globalThis.setTimeout = Object.assign(
      (then: (...given: unknown[]) => void, ...given: [number?, ...unknown[]]) =>
        wait((...values: unknown[]) => ofCall.exit(then, ...values), ...given),
      wait,
    );
    db.query = ((...given: Parameters<typeof query>) => {
      const [asked] = given;
      ofCall.getStore()?.push((typeof asked === 'string' ? asked : asked.text).replace(/\s+/g, ' ').slice(0, 60));
      return query.apply(db, given);
    }) as typeof query;
    const answer = await ofCall
      .run(statements, async () => await post('/api/sessions/login', { email, password }))
      .finally(() => {
        db.query = query;
        globalThis.setTimeout = wait;
      });
    // The client's settings are read anew every few seconds, whoever signs in.
    const ofName = statements.filter((text) => !/setting_over|to_regclass/.test(text));
    return { body: answer.body, compared: compared.count, statements: ofName.toSorted() };
  };
  // What is made once and remembered is made here.
  await work('nobody', PASSWORD);
  const known = await work('asha', 'a wrong password');
  expect(known.body).toContain('Invalid credentails');
  expect(known.compared).toBe(1);
  expect(known.statements.length).toBeGreaterThan(3);
  expect(await work('nobody', 'a wrong password')).toEqual(known);
  expect(await work('gone', 'a wrong password')).toEqual(known);
  expect(await work('gone', PASSWORD)).toEqual(known);
});

it('requests for links are limited alike whether the names have an account or not', async () => {
  const asked = async (address: string, email: string) => {
    const answers: number[] = [];
    for (let turn = 0; turn < 21; turn++)
      answers.push((await post('/api/password/forgot', { email }, address)).statusCode);
    return answers;
  };
  const limited = [...Array<number>(20).fill(202), 429];
  expect(await asked('203.0.113.7', 'nobody@nowhere.in')).toEqual(limited);
  expect(await asked('198.51.100.7', 'asha')).toEqual(limited);
});
