import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { backupTenant } from '../../../src/server/db/backup.ts';
import { createVault } from '../../../src/server/db/vault.ts';
import { encryptStored } from '../../../src/server/engine/records/encrypted.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

type Row = Record<string, unknown> & { id: number; version: number };

let world: World;
let acme: TestTenant;
let admin: Caller;

beforeAll(async () => {
  // Alone, for it goes through the clients of an installation.
  world = await startWorld({ alone: true, types: [] });
  acme = await world.tenant({ products: ['ANALYTICS'] });
  await acme.user('admin', { isAdmin: true });
  admin = await world.signIn(acme, 'admin');
});
afterAll(() => world.close());

const WEBHOOK = {
  name: 'ERP',
  direction: 'outgoing',
  url: 'https://erp.acme.in/hook',
  events: ['segment.*'],
  headers: [{ name: 'X-Key', value: 'header-of-monsoon' }],
};
const MAIL = {
  name: 'Office',
  purpose: 'default',
  host: 'smtp.acme.in',
  port: 587,
  security: 'starttls',
  username: 'office',
  password: 'mail-of-monsoon',
  from_name: 'Acme',
  from_email: 'office@acme.in',
};
const SOURCE = {
  name: 'Stock',
  kind: 'postgres',
  host: 'db.acme.in',
  port: 5432,
  database_name: 'stock',
  username: 'reader',
  password: 'stock-of-monsoon',
  ssl: 'require',
};
const SECRETS = ['header-of-monsoon', 'mail-of-monsoon', 'stock-of-monsoon', 'engine-of-monsoon'];
const made: Record<string, Row> = {};
let signing = '';

async function send(method: string, url: string, body?: object): Promise<Row & { secret?: string }> {
  const answer = await admin.call(method, url, body);
  expect([200, 201], answer.body).toContain(answer.statusCode);
  const { data, secret } = answer.json<{ data: Row; secret?: string }>();
  return { ...data, ...(secret !== undefined && { secret }) };
}
/** Every table of the client, as its rows would be printed. */
async function everything(): Promise<string> {
  const tables = await acme.sql<{ name: string }>('select tablename as name from pg_tables where schemaname = $1', [
    acme.schema,
  ]);
  return (
    await Promise.all(tables.map(({ name }) => acme.sql<{ row: string }>(`select t::text as row from {s}."${name}" t`)))
  )
    .flat()
    .map(({ row }) => row)
    .join('\n');
}
const stored = async (table: string, column: string) =>
  (await acme.sql<{ value: string | null }>(`select ${column} as value from {s}.${table} order by 1 limit 1`))[0]
    ?.value ?? null;

it('webhooks, sources, mail accounts and the speech engine keep their secrets encrypted, also in history and backups', async () => {
  const hook = await send('POST', '/tapi/api_config', WEBHOOK);
  signing = hook.secret!;
  made.hook = hook;
  made.mail = await send('POST', '/tapi/mail_config_setting', MAIL);
  made.source = await send('POST', '/tapi/sync_source', SOURCE);
  await send('PUT', '/tapi/transcription_setting/single', {
    version: 0,
    url: 'https://speech.acme.in/v1',
    api_key: SECRETS[3],
  });
  const rows = await everything();
  const backup = await text(
    Readable.from(backupTenant(world.database.directory, acme.subDomain, world.database.dataDir)),
  );
  for (const found of [rows, backup]) {
    expect(found).toContain('smtp.acme.in');
    for (const secret of [...SECRETS, signing]) expect(found).not.toContain(secret);
  }
  expect(await stored('mail_config_setting', 'password')).toMatch(/^aes:/);
  expect(made.mail).toMatchObject({ password__set: true });
});

it('can be used: the entered value is decrypted until it is changed', async () => {
  const { vault } = world.app.services;
  expect(vault.open(await stored('mail_config_setting', 'password'), 'mail_config_setting.password')).toBe(
    MAIL.password,
  );
  // A secret is of its own field alone.
  expect(vault.open(await stored('mail_config_setting', 'password'), 'sync_source.password')).toBeNull();
  const before = await stored('mail_config_setting', 'password');
  const renamed = await send('PUT', `/tapi/mail_config_setting/${made.mail!.id}`, {
    version: made.mail!.version,
    name: 'Head office',
  });
  expect(await stored('mail_config_setting', 'password')).toBe(before);
  const same = await send('PUT', `/tapi/mail_config_setting/${made.mail!.id}`, {
    version: renamed.version,
    password: MAIL.password,
  });
  expect(same.version).toBe(renamed.version);
  const changed = await send('PUT', `/tapi/mail_config_setting/${made.mail!.id}`, {
    version: renamed.version,
    password: 'another',
  });
  expect(changed.version).toBe(renamed.version + 1);
  expect(vault.open(await stored('mail_config_setting', 'password'), 'mail_config_setting.password')).toBe('another');
  const headers = (made.hook!.headers as Row[]).map(({ id, name }) => ({ id, name }));
  await send('PUT', `/tapi/api_config/${made.hook!.id}`, {
    version: made.hook!.version,
    headers: [...headers, { name: 'X-More', value: 'more' }],
  });
  const values = await acme.sql<{ value: string }>('select value from {s}.api_config__headers order by "position"');
  expect(values.map(({ value }) => vault.open(value, 'api_config.headers.value'))).toEqual([
    'header-of-monsoon',
    'more',
  ]);
});

it('stored unencrypted by an earlier release are encrypted at the start, and readable meanwhile', async () => {
  const { vault } = world.app.services;
  await acme.sql('update {s}.mail_config_setting set password = $1', [MAIL.password]);
  await acme.sql(`update {s}.api_config__headers set value = 'old clear header'`);
  expect(vault.open(MAIL.password, 'mail_config_setting.password')).toBe(MAIL.password);
  const count = await encryptStored(world.database.directory, world.screens, vault);
  expect(count).toBeGreaterThanOrEqual(3);
  const rows = await everything();
  expect(rows).not.toContain(MAIL.password);
  expect(rows).not.toContain('old clear header');
  expect(vault.open(await stored('mail_config_setting', 'password'), 'mail_config_setting.password')).toBe(
    MAIL.password,
  );
  const again = await stored('mail_config_setting', 'password');
  await encryptStored(world.database.directory, world.screens, vault);
  expect(await stored('mail_config_setting', 'password')).toBe(again);
});

it('of another installation must be entered again; other fields can be changed', async () => {
  await acme.sql('update {s}.mail_config_setting set password = $1', [
    createVault(Buffer.alloc(32, 1)).seal('theirs', 'mail_config_setting.password'),
  ]);
  const { vault } = world.app.services;
  expect(vault.open(await stored('mail_config_setting', 'password'), 'mail_config_setting.password')).toBeNull();
  const { version } = await send('GET', `/tapi/mail_config_setting/${made.mail!.id}`);
  const renamed = await send('PUT', `/tapi/mail_config_setting/${made.mail!.id}`, { version, name: 'Office' });
  await send('PUT', `/tapi/mail_config_setting/${made.mail!.id}`, { version: renamed.version, password: 'ours' });
  expect(vault.open(await stored('mail_config_setting', 'password'), 'mail_config_setting.password')).toBe('ours');
});
