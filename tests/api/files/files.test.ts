import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileLink } from '../../../src/server/services/files/signed_link.ts';
import { upload } from '../multipart.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

let world: World;
let acme: TestTenant;
let admin: Caller;
let department: number;

beforeAll(async () => {
  world = await startWorld({ env: { UPLOAD_MAX_MB: '1' } });
  acme = await world.tenant({ companies: 2 });
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  admin = await world.signIn(acme, 'admin');
  const answer = await admin.call('POST', '/tapi/department', { code: 'SRV', name: 'Service' });
  department = answer.json<{ data: { id: number } }>().data.id;
});
afterAll(() => world.close());

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

function send(url: string, name: string, content: Buffer | string, caller = admin) {
  const { payload, headers } = upload(name, content);
  return world.inject({
    method: 'POST',
    url,
    payload,
    headers: { host: acme.host, authorization: `Bearer ${caller.token}`, ...headers },
  });
}

test('comments: people who may see the record add and read them; only the author deletes', async () => {
  const path = `/tapi/department/${department}/comments`;
  expect((await admin.call('POST', path, { text: '  ' })).statusCode).toBe(422);
  const made = (await admin.call('POST', path, { text: 'Moves to the second floor.' })).json<{ data: { id: number } }>()
    .data;
  await acme.user('second', { isAdmin: true, companies: [{ company: 1 }] });
  const second = await world.signIn(acme, 'second');
  const seen = (await second.call('GET', path)).json<{ data: { text: string; mine: boolean }[] }>().data;
  expect(seen).toMatchObject([{ text: 'Moves to the second floor.', mine: false }]);
  expect((await second.call('DELETE', `${path}/${made.id}`)).statusCode).toBe(404);
  expect((await admin.call('DELETE', `${path}/${made.id}`)).statusCode).toBe(204);
  expect((await admin.call('GET', path)).json()).toEqual({ data: [] });
});

test('attachments: stored by content, opened by an address that is valid for a minute, removed', async () => {
  const path = `/tapi/department/${department}/attachments`;
  const made = await send(path, '../../etc/plan.png', PNG);
  expect(made.statusCode).toBe(201);
  const file = made.json<{ data: { id: number; file_id: number; name: string; type: string } }>().data;
  expect(file).toMatchObject({ name: 'plan.png', type: 'image/png' });
  const { url } = (await admin.call('GET', `/tapi/files/${file.file_id}/link`)).json<{ url: string }>();
  const opened = await world.inject({ method: 'GET', url, headers: { host: acme.host } });
  expect(opened.statusCode).toBe(200);
  expect(opened.rawPayload.equals(PNG)).toBe(true);
  expect(opened.headers['content-security-policy']).toContain('sandbox');

  const [payload = '', signature = ''] = url.slice('/files/'.length).split('.');
  const other = Buffer.from(
    JSON.stringify({ ...(JSON.parse(Buffer.from(payload, 'base64url').toString()) as object), file: file.file_id + 1 }),
  ).toString('base64url');
  expect(
    (await world.inject({ method: 'GET', url: `/files/${other}.${signature}`, headers: { host: acme.host } }))
      .statusCode,
  ).toBe(404);
  const old = fileLink(
    { schema: acme.schema, file: file.file_id, sid: 'x' },
    world.app.services.secrets.files,
    Date.now() - 61_000,
  );
  expect((await world.inject({ method: 'GET', url: old, headers: { host: acme.host } })).statusCode).toBe(404);

  expect((await admin.call('DELETE', `${path}/${file.id}`)).statusCode).toBe(204);
  expect((await admin.call('GET', path)).json()).toEqual({ data: [] });
});

test('the real content decides: pages and scripts are never displayed, unknown content and large files are refused', async () => {
  const path = `/tapi/department/${department}/attachments`;
  const page = (await send(path, 'page.html', '<script>alert(1)</script>')).json<{
    data: { file_id: number; type: string };
  }>().data;
  expect(page.type).toBe('text/plain');
  const { url } = (await admin.call('GET', `/tapi/files/${page.file_id}/link`)).json<{ url: string }>();
  const opened = await world.inject({ method: 'GET', url, headers: { host: acme.host } });
  expect(opened.headers['content-type']).toBe('application/octet-stream');
  expect(opened.headers['content-disposition']).toContain('attachment');
  expect((await send(path, 'tool.exe', Buffer.from([0x4d, 0x5a, 0x90, 0x00, 0x03, 0x00]))).statusCode).toBe(415);
  expect((await send(path, 'big.txt', Buffer.alloc(1_200_000, 'a'))).statusCode).toBe(413);
  expect((await send('/tapi/files?for=employee.photo', 'not.png', 'words')).statusCode).toBe(415);
  expect((await send('/tapi/files?for=employee.name', 'a.png', PNG)).statusCode).toBe(400);
  expect((await send('/tapi/files?for=employee.photo', 'me.png', PNG)).statusCode).toBe(201);
});

test('a file of a record in another company is not there', async () => {
  const made = (await send(`/tapi/department/${department}/attachments`, 'plan.png', PNG)).json<{
    data: { file_id: number };
  }>().data;
  await acme.user('elsewhere', { isAdmin: true, companies: [{ company: 2 }] });
  const elsewhere = await world.signIn(acme, 'elsewhere');
  expect((await elsewhere.call('GET', `/tapi/files/${made.file_id}/link`)).statusCode).toBe(404);
  expect((await elsewhere.call('GET', `/tapi/department/${department}/attachments`)).statusCode).toBe(404);
  expect((await elsewhere.call('GET', `/tapi/department/${department}/comments`)).statusCode).toBe(404);
});

test('the interface is described in OpenAPI 3.1 for the session, with a page to read it', async () => {
  const document = (await admin.call('GET', '/tapi/openapi.json')).json<{
    openapi: string;
    paths: Record<string, unknown>;
    components: { schemas: Record<string, { properties: Record<string, object> }> };
  }>();
  expect(document.openapi).toBe('3.1.0');
  expect(Object.keys(document.paths)).toEqual(
    expect.arrayContaining(['/branch', '/branch/{id}', '/employee/{id}/history']),
  );
  expect(document.components.schemas.employee!.properties.bank_account).toMatchObject({ writeOnly: true });
  expect(JSON.stringify(document)).not.toContain('"x-');
  const role = await acme.role({ modules: ['MASTERS'], screens: { SCN_BRANCH: ['landing'] } });
  await acme.user('reader', { companies: [{ company: 1, roles: [role] }] });
  const reader = await world.signIn(acme, 'reader');
  // Delegation and leave are open to everyone, for their own; so is what readers say of manuals.
  const narrow = (await reader.call('GET', '/tapi/openapi.json')).json<{ components: { schemas: object } }>();
  expect(Object.keys(narrow.components.schemas).toSorted((a, b) => a.localeCompare(b))).toEqual([
    'approval_request',
    'branch',
    'delegation',
    'Error',
    'leave',
    'manual_feedback',
    'Pagination',
  ]);
  for (const path of ['/docs', '/docs/start.js', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js'])
    expect((await world.inject({ method: 'GET', url: path, headers: { host: acme.host } })).statusCode).toBe(200);
  for (const path of ['/docs/package.json', '/docs/constructor'])
    expect((await world.inject({ method: 'GET', url: path, headers: { host: acme.host } })).statusCode).toBe(404);
});

test('a large file is uploaded in parts, and resumes where it stopped', async () => {
  const begin = (size: number, name = 'call.wav', target = 'employee.photo', caller = admin) =>
    caller.call('POST', '/tapi/files/parts', { name, size, for: target });
  const put = (id: string, offset: number, part: Buffer, token = admin.token) =>
    world.inject({
      method: 'PUT',
      url: `/tapi/files/parts/${id}?offset=${offset}`,
      payload: part,
      headers: { host: acme.host, authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    });
  // Larger than other files may be: 1 MB here.
  const wav = Buffer.alloc(1_500_000);
  wav.write('RIFF', 0, 'latin1');
  wav.write('WAVEfmt ', 8, 'latin1');
  const target = 'employee.documents.file';
  const { upload_id: id } = (await begin(wav.length, '../call.wav', target)).json<{ data: { upload_id: string } }>()
    .data;
  expect((await put(id, 0, wav.subarray(0, 1_000_000))).json()).toMatchObject({ data: { offset: 1_000_000 } });
  const gap = await put(id, 0, wav.subarray(0, 500_000));
  expect(gap.statusCode).toBe(409);
  expect(gap.json()).toMatchObject({ error: { offset: 1_000_000 } });
  expect((await put(id, 1_000_000, Buffer.alloc(600_000))).statusCode).toBe(413);
  expect((await admin.call('GET', `/tapi/files/parts/${id}`)).json()).toMatchObject({
    data: { offset: 1_000_000, size: 1_500_000 },
  });
  await acme.user('other', { isAdmin: true, companies: [{ company: 1 }] });
  const other = await world.signIn(acme, 'other');
  expect((await put(id, 1_000_000, wav.subarray(1_000_000), other.token)).statusCode).toBe(404);
  const done = await put(id, 1_000_000, wav.subarray(1_000_000));
  expect(done.statusCode, done.body).toBe(201);
  const file = done.json<{ data: { id: number; name: string; type: string; size: number } }>().data;
  expect(file).toMatchObject({ name: 'call.wav', type: 'audio/wav', size: 1_500_000 });
  expect((await admin.call('GET', `/tapi/files/parts/${id}`)).statusCode).toBe(404);

  // A player asks for parts of it.
  const { url } = (await admin.call('GET', `/tapi/files/${file.id}/link`)).json<{ url: string }>();
  const range = (value: string) => world.inject({ method: 'GET', url, headers: { host: acme.host, range: value } });
  const part = await range('bytes=8-15');
  expect(part.statusCode).toBe(206);
  expect(part.rawPayload.toString('latin1')).toBe('WAVEfmt ');
  expect(part.headers['content-range']).toBe('bytes 8-15/1500000');
  expect((await range('bytes=1499998-')).rawPayload).toHaveLength(2);
  expect((await range('bytes=-3')).headers['content-range']).toBe('bytes 1499997-1499999/1500000');
  expect((await range('bytes=2000000-')).statusCode).toBe(416);

  const text = Buffer.alloc(1_200_000, 'a');
  const big = (await begin(text.length, 'big.txt', target)).json<{ data: { upload_id: string } }>().data.upload_id;
  expect((await put(big, 0, text)).json()).toMatchObject({ error: { code: 'too_large', message: 'At most 1 MB.' } });
  expect((await begin(600 * 1024 * 1024, 'day.wav', target)).statusCode).toBe(413);
  expect((await begin(10, 'a.wav', 'employee.name')).statusCode).toBe(400);
  for (let n = 0; n < 5; n++) expect((await begin(10, 'a.wav', target)).statusCode).toBe(201);
  expect((await begin(10, 'a.wav', target)).statusCode).toBe(429);
  expect(
    (
      await admin.call(
        'DELETE',
        `/tapi/files/parts/${(await other.call('POST', '/tapi/files/parts', { name: 'a', size: 5, for: target })).json<{ data: { upload_id: string } }>().data.upload_id}`,
      )
    ).statusCode,
  ).toBe(404);
});
