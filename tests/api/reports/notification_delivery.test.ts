import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReportAnswer } from '../../../src/domain/report.ts';
import notificationDelivery from '../../../src/server/modules/platform/notification_delivery_report.ts';
import type { TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';
import { askSource } from './ask_source.ts';

const ids: Record<string, number> = {};
let world: World;
let acme: TestTenant;
let zenith: TestTenant;

beforeAll(async () => {
  world = await startWorld({ types: [] });
  [acme, zenith] = await Promise.all([world.tenant({ companies: 2 }), world.tenant()]);
  ids.admin = await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  ids.second = await acme.user('second', { isAdmin: true, companies: [{ company: 2 }] });
  ids.both = await acme.user('both', { isAdmin: true, companies: [{ company: 1 }, { company: 2 }] });
  ids.stranger = await zenith.user('stranger', { isAdmin: true });
});
afterAll(() => world.close());

let key = 0;
/** A message written at a moment of November where the client is, and sent so many seconds later. */
const message = (
  to: string | null,
  event: string | null,
  state: string,
  at: string,
  delay: number | null,
  {
    channel = 'mail',
    tenant = acme,
    entry = null,
  }: { channel?: string; tenant?: TestTenant; entry?: number | null } = {},
) =>
  tenant.sql(
    `insert into {s}.outbox (channel, recipient, user_id, event_code, subject, body, state, dedupe_key, created_at, sent_at, notification_id)
     values ($1, 'x', $2, $3, 's', 'b', $4, $5, $6::timestamptz, case when $7::int is not null then $6::timestamptz + make_interval(secs => $7) end, $8)`,
    [channel, to === null ? null : ids[to], event, state, `key-${++key}`, `2026-11-${at}:00+05:30`, delay, entry],
  );
const entry = async (to: string, event: string, at: string, count: number, company: number | null) =>
  (
    await acme.sql<{ id: number }>(
      `insert into {s}.notification (user_id, event_code, title, count, created_at, entity_id) values ($1, $2, 't', $3, $4, $5) returning id`,
      [ids[to], event, count, `2026-11-${at}:00+05:30`, company === null ? null : acme.entityIds[company - 1]],
    )
  )[0]!.id;

beforeEach(async () => {
  for (const tenant of [acme, zenith])
    for (const table of ['outbox', 'notification']) await tenant.sql(`delete from {s}.${table}`);
  await message('admin', 'password.changed', 'sent', '02 10:00', 2);
  await message('admin', 'password.changed', 'sent', '02 10:01', 9);
  await message('both', 'password.changed', 'sent', '02 10:02', 5);
  await message('admin', 'password.changed', 'dead', '02 10:03', null);
  for (const state of ['queued', 'retry', 'sending'])
    await message('admin', 'password.changed', state, '02 10:04', null);
  await message('admin', 'comment', 'sent', '03 10:00', 61, { channel: 'push' });
  await message('admin', 'comment', 'suppressed', '03 10:00', null, { channel: 'push' });
  await message(null, null, 'sent', '04 10:00', 1);
  await message('second', 'comment', 'sent', '03 10:00', 1);
  await message('stranger', 'comment', 'sent', '03 10:00', 1, { tenant: zenith });
  await entry('admin', 'comment', '03 10:00', 3, 1);
});

const ask = (who: string, parameters: Record<string, unknown> = {}) =>
  askSource(world, acme, notificationDelivery, ids[who]!, {
    today: '2026-11-21',
    company: who === 'second' ? 2 : 1,
    parameters: { from: '2026-11-01', to: '2026-11-30', ...parameters },
  });
const told = async (who: string, parameters: Record<string, unknown> = {}) =>
  (await ask(who, parameters)).rows.map(
    (row) =>
      `${String(row.event)} ${String(row.channel)} ${String(row.queued)} ${String(row.sent)} ${String(row.dead)} ${String(row.suppressed)} ${String(row.median_delay)}`,
  );

describe('notification delivery', () => {
  it('counts waiting, sent, undeliverable and held messages by event and channel, with the median delay', async () => {
    expect(await told('admin')).toEqual([
      'Comment in_app 0 3 0 0 null',
      'Comment push 0 1 0 1 61',
      'Other mails mail 0 1 0 0 1',
      'Password changed mail 3 3 1 0 5',
    ]);
    // The median of all is not a sum of the rows': of 1, 2, 5, 9 and 61 seconds it is 5.
    expect((await ask('admin')).totals).toEqual({ median_delay: 5 });
  });

  it('is filtered by period, event and channel', async () => {
    expect(await told('admin', { event: 'comment' })).toEqual([
      'Comment in_app 0 3 0 0 null',
      'Comment push 0 1 0 1 61',
    ]);
    expect(await told('admin', { event: 'comment', channel: 'push' })).toEqual(['Comment push 0 1 0 1 61']);
    expect(await told('admin', { channel: 'mail', from: '2026-11-03' })).toEqual(['Other mails mail 0 1 0 0 1']);
    expect(await told('admin', { from: '2026-11-04', to: '2026-11-03' }).catch((error: Error) => error.message)).toBe(
      'The last day cannot be before the first.',
    );
    expect((await ask('admin', { from: '2026-10-01', to: '2026-10-31' })).totals).toEqual({ median_delay: null });
  });

  it('counts days in the client’s time zone', async () => {
    await message('admin', 'mention', 'sent', '05 00:15', 1);
    await message('admin', 'mention', 'sent', '05 23:59', 1);
    expect(await told('admin', { from: '2026-11-05', to: '2026-11-05' })).toEqual(['Mention mail 0 2 0 0 1']);
    expect(await told('admin', { from: '2026-11-06' })).toEqual([]);
  });

  it('covers messages to people of the reader’s companies and about these; never those of another client', async () => {
    expect(await told('second')).toEqual([
      'Comment mail 0 1 0 0 1',
      'Other mails mail 0 1 0 0 1',
      'Password changed mail 0 1 0 0 5',
    ]);
    const about = await entry('both', 'tis.unsafe', '06 10:00', 1, 2);
    await message('both', 'tis.unsafe', 'sent', '06 10:00', 4, { entry: about });
    expect(await told('admin', { event: 'tis.unsafe' })).toEqual([]);
    expect(await told('both', { event: 'tis.unsafe' })).toEqual([
      'Unsafe lift found in_app 0 1 0 0 null',
      'Unsafe lift found mail 0 1 0 0 4',
    ]);
  });
});

it('is for people who manage mail accounts only', async () => {
  const role = (actions: string[]) =>
    acme.role({ modules: ['SETTINGS'], screens: { SCN_MAIL_CONFIG: ['landing'] }, actions });
  await acme.user('keeper', { companies: [{ company: 1, roles: [await role(['MANAGE_INTEGRATIONS'])] }] });
  await acme.user('reader', { companies: [{ company: 1, roles: [await role([])] }] });
  const [keeper, reader] = await Promise.all([world.signIn(acme, 'keeper'), world.signIn(acme, 'reader')]);
  const at = '/tapi/report/notification_delivery/rows?from=2026-11-01&to=2026-11-30';
  expect((await reader.call('GET', at)).statusCode).toBe(403);
  const { rows, totals } = (await keeper.call('GET', at)).json<{ data: ReportAnswer }>().data;
  expect(rows.map(({ event }) => event)).toEqual(['Comment', 'Comment', 'Other mails', 'Password changed']);
  expect(totals).toEqual({ queued: 3, sent: 8, dead: 1, suppressed: 1, median_delay: 5 });
  const refused = await keeper.call('GET', '/tapi/report/notification_delivery/rows?event=nothing');
  expect([refused.statusCode, refused.json<{ error: { field: string } }>().error.field]).toEqual([422, 'event']);
});
