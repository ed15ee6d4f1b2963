import { afterAll, beforeAll, expect, test } from 'vitest';
import { upload } from '../multipart.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

let world: World;
let acme: TestTenant;
let admin: Caller;
let reader: Caller;
let technician: Caller;
let technicianRole: number;

beforeAll(async () => {
  world = await startWorld();
  acme = await world.tenant({ products: ['FMS'] });
  await acme.user('admin', { isAdmin: true });
  technicianRole = await acme.role({ modules: ['COMMON'] });
  await acme.user('reader');
  await acme.user('technician', { companies: [{ company: 1, roles: [technicianRole] }] });
  [admin, reader, technician] = await Promise.all([
    world.signIn(acme, 'admin'),
    world.signIn(acme, 'reader'),
    world.signIn(acme, 'technician'),
  ]);
});
afterAll(() => world.close());

type Row = Record<string, unknown> & { id: number; version: number };
const data = <T = Row>(answer: { json(): unknown }) => (answer.json() as { data: T }).data;
async function made(type: string, record: object): Promise<Row> {
  const answer = await admin.call('POST', `/tapi/${type}`, record);
  expect(answer.statusCode, answer.body).toBe(201);
  return data(answer);
}
/** Takes a step of a manual as it is now. */
async function change(manual: Row | number, word: string, caller = admin) {
  const id = typeof manual === 'number' ? manual : manual.id;
  const { version } = data(await admin.call('GET', `/tapi/user_manual/${id}`));
  return caller.call('POST', `/tapi/user_manual/${id}/${word}`, { version });
}
const view = (batch: string, caller = reader) => caller.call('GET', `/tapi/manual/view/${batch}`);

test('a manual is written, reviewed, published, read, and changed in a new draft while the old one stays readable', async () => {
  const manual = await made('user_manual', { manual_no: 12, version_no: 1, title: 'Branches', language: 'en' });
  expect(manual).toMatchObject({ batch_value: 'M12-v1', state: 'draft', published_on: null });
  expect((await change(manual, 'publish')).json()).toMatchObject({
    error: { message: 'Write a chapter first: there is nothing to read yet.' },
  });
  const chapter = await made('user_manual_chapter', {
    manual_id: manual.id,
    sequence_no: 1,
    heading: 'A branch',
    screen_code: 'SCN_BRANCH',
    body: 'Give it its **GSTIN**.',
  });
  expect((await view('M12-v1')).statusCode).toBe(404);
  expect((await view('M12-v1', admin)).statusCode).toBe(200);
  expect(data(await change(manual, 'send_for_review'))).toMatchObject({ state: 'review' });
  expect((await change(manual, 'send_for_review')).statusCode).toBe(409);
  const published = await change(manual, 'publish');
  expect(published.statusCode, published.body).toBe(200);
  expect(data(published)).toMatchObject({
    state: 'published',
    published_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  });
  expect(data<{ chapters: object[] }>(await view('m12-V1')).chapters).toMatchObject([
    { heading: 'A branch', body: 'Give it its **GSTIN**.', useful: null },
  ]);
  expect((await reader.call('GET', '/tapi/notifications')).json()).toMatchObject({
    data: [{ title: 'User manual: Branches v1', link: '/usermanual_view/M12-v1' }],
  });

  // Its text stays as it was read, by whatever way one tries.
  const refused = await admin.call('PUT', `/tapi/user_manual_chapter/${chapter.id}`, {
    version: chapter.version,
    body: 'Changed.',
  });
  expect(refused.statusCode).toBe(422);
  expect(refused.json()).toMatchObject({ error: { details: [{ field: 'manual_id' }] } });
  expect((await admin.call('DELETE', `/tapi/user_manual_chapter/${chapter.id}`)).statusCode).toBe(422);
  const { version } = data<Row>(await admin.call('GET', `/tapi/user_manual/${manual.id}`));
  for (const [status, forged] of [
    [422, { state: 'draft', summary: 'x' }],
    [409, { version_no: 7 }],
    [409, { audience: [technicianRole] }],
  ] as const) {
    const put = await admin.call('PUT', `/tapi/user_manual/${manual.id}`, { version, ...forged });
    expect(put.statusCode, put.body).toBe(status);
    const bulk = await admin.call('PUT', '/tapi/user_manual/bulk', { ids: [manual.id], set: forged });
    expect(bulk.json()).toMatchObject({ data: { changed: [], errors: [{ id: manual.id }] } });
  }
  expect((await admin.call('DELETE', `/tapi/user_manual/${manual.id}`)).body).toContain('cannot be deleted');
  expect((await change(manual, 'supersede')).statusCode).toBe(404);

  const edit = data<{ chapter_id: number; batch_value: string }>(
    await admin.call('POST', `/tapi/manual/chapters/${chapter.id}/edit`),
  );
  expect(edit.batch_value).toBe('M12-v2');
  expect(edit.chapter_id).not.toBe(chapter.id);
  expect(data(await admin.call('POST', `/tapi/manual/chapters/${chapter.id}/edit`))).toEqual(edit);
  expect((await reader.call('POST', `/tapi/manual/chapters/${chapter.id}/edit`)).statusCode).toBe(403);
  expect(
    (
      await admin.call('PUT', `/tapi/user_manual_chapter/${edit.chapter_id}`, {
        version: 1,
        body: 'Give it its GSTIN and hours.',
      })
    ).statusCode,
  ).toBe(200);
  expect(data<{ chapters: object[] }>(await view('M12-v1')).chapters).toMatchObject([
    { body: 'Give it its **GSTIN**.' },
  ]);
  expect((await view('M12-v2')).statusCode).toBe(404);
  const second = data<{ manual: Row }>(await view('M12-v2', admin)).manual;
  expect((await change(second.id, 'publish')).statusCode).toBe(200);
  expect(data<{ newer: string; manual: object }>(await view('M12-v1'))).toMatchObject({
    newer: 'M12-v2',
    manual: { state: 'superseded' },
  });
  expect((await reader.call('GET', '/tapi/manual/for?screen=SCN_BRANCH')).json()).toEqual({
    batch_value: 'M12-v2',
    chapter_id: edit.chapter_id,
  });

  // Nobody takes a manual out of use that people read.
  expect((await admin.call('POST', `/tapi/user_manual/${second.id}/deactivate`, { version: 2 })).statusCode).toBe(409);
  expect((await change(second.id, 'withdraw', reader)).statusCode).toBe(403);
  expect((await change(second.id, 'withdraw')).statusCode).toBe(200);
  expect((await view('M12-v2')).statusCode).toBe(404);
  expect((await reader.call('GET', '/tapi/manual/for?screen=SCN_BRANCH')).statusCode).toBe(204);
  // What was withdrawn is the model of the next version, once.
  for (let again = 0; again < 2; again++) expect((await change(second.id, 'new_version')).statusCode).toBe(200);
  expect(data<{ versions: object[] }>(await view('M12-v2', admin)).versions).toMatchObject([
    { batch_value: 'M12-v3', state: 'draft' },
    { batch_value: 'M12-v2', state: 'withdrawn' },
    { batch_value: 'M12-v1', state: 'superseded' },
  ]);
  const history = (await admin.call('GET', `/tapi/user_manual/${second.id}/history`)).json<{
    data: { op: string; change: object }[];
  }>().data;
  expect(history[0]).toMatchObject({ op: 'U', change: { state: ['published', 'withdrawn'] } });
});

test('"?" opens the chapter of the current page, in one’s language first, and only for one’s role', async () => {
  const english = await made('user_manual', { manual_no: 20, version_no: 1, title: 'Departments', language: 'en' });
  await made('user_manual_chapter', {
    manual_id: english.id,
    sequence_no: 1,
    heading: 'A department',
    screen_code: 'SCN_DEPARTMENT',
    body: 'Tree of departments.',
  });
  const tamil = await made('user_manual', { manual_no: 21, version_no: 1, title: 'Thuraigal', language: 'ta' });
  const own = await made('user_manual_chapter', {
    manual_id: tamil.id,
    sequence_no: 1,
    heading: 'Thurai',
    screen_code: 'SCN_DEPARTMENT',
    body: 'Thurai maram.',
  });
  const hidden = await made('user_manual', {
    manual_no: 22,
    version_no: 1,
    title: 'For technicians',
    language: 'en',
    audience: [technicianRole],
  });
  await made('user_manual_chapter', {
    manual_id: hidden.id,
    sequence_no: 1,
    heading: 'Role',
    screen_code: 'SCN_ROLE',
    body: 'Secret ladder.',
  });
  for (const manual of [english, tamil, hidden]) expect((await change(manual, 'publish')).statusCode).toBe(200);
  for (const path of ['/department', '/department/add', '/department/edit/7'])
    expect((await reader.call('GET', `/tapi/manual/for?path=${path}`)).json()).toMatchObject({ batch_value: 'M20-v1' });
  await acme.sql(`update {s}.users set language = 'ta' where username = 'reader'`);
  expect((await reader.call('GET', '/tapi/manual/for?screen=SCN_DEPARTMENT')).json()).toEqual({
    batch_value: 'M21-v1',
    chapter_id: own.id,
  });
  expect((await technician.call('GET', '/tapi/manual/for?path=/screen_rights/3')).json()).toMatchObject({
    batch_value: 'M22-v1',
  });
  expect((await reader.call('GET', '/tapi/manual/for?path=/screen_rights/3')).statusCode).toBe(204);
  expect((await reader.call('GET', '/tapi/manual/for?path=/nowhere')).statusCode).toBe(204);
  expect((await reader.call('GET', '/tapi/manual/for')).statusCode).toBe(400);
  expect((await view('M22-v1')).statusCode).toBe(404);
  expect(data<{ found: object[] }>(await reader.call('GET', '/tapi/manual/read?q=ladder')).found).toEqual([]);
  expect(
    data<{ found: object[] }>(await technician.call('GET', '/tapi/manual/read?q=secret%20LADDER')).found,
  ).toMatchObject([{ heading: 'Role', batch_value: 'M22-v1', excerpt: 'Secret ladder.' }]);
  const titles = data<{ manuals: { title: string }[] }>(await reader.call('GET', '/tapi/manual/read')).manuals.map(
    ({ title }) => title,
  );
  expect(titles).toContain('Departments');
  expect(titles).not.toContain('For technicians');
});

test('a reader’s answer belongs to the signed-in person, is changed by a second one, and is counted in the report', async () => {
  const [chapter] = data<{ chapters: Row[] }>(await view('M20-v1')).chapters;
  const answer = (caller: Caller, body: object) =>
    caller.call('PUT', `/tapi/manual/chapters/${chapter!.id}/feedback`, body);
  expect((await answer(reader, { useful: true })).statusCode).toBe(200);
  const second = await answer(reader, { useful: false, remark: 'Add a picture.' });
  expect(second.statusCode, second.body).toBe(200);
  expect((await answer(technician, { useful: false })).statusCode).toBe(200);
  expect((await answer(reader, {})).statusCode).toBe(400);
  const [hidden] = data<{ chapters: Row[] }>(await view('M22-v1', technician)).chapters;
  expect((await reader.call('PUT', `/tapi/manual/chapters/${hidden!.id}/feedback`, { useful: false })).statusCode).toBe(
    404,
  );
  expect(
    (
      await reader.call('POST', '/tapi/manual_feedback', {
        chapter_id: chapter!.id,
        user_id: admin.userId,
        useful: false,
      })
    ).statusCode,
  ).toBe(422);
  expect(await acme.sql('select user_id, useful, remark from {s}.manual_feedback order by user_id')).toEqual([
    { user_id: reader.userId, useful: false, remark: 'Add a picture.' },
    { user_id: technician.userId, useful: false, remark: null },
  ]);
  for (const caller of [reader, technician])
    expect((await caller.call('PUT', `/tapi/manual/chapters/${chapter!.id}/read`)).statusCode).toBe(204);
  expect((await reader.call('PUT', `/tapi/manual/chapters/${hidden!.id}/read`)).statusCode).toBe(404);
  expect((await reader.call('GET', '/tapi/manual/report')).statusCode).toBe(403);
  const report = data<{ without: { type: string }[]; not_useful: object[]; read: object[] }>(
    await admin.call('GET', '/tapi/manual/report'),
  );
  expect(report.not_useful).toMatchObject([
    { heading: 'A department', batch_value: 'M20-v1', useful: 0, not_useful: 2, remarks: ['Add a picture.'] },
  ]);
  expect(report.read[0]).toMatchObject({
    chapter_id: chapter!.id,
    heading: 'A department',
    batch_value: 'M20-v1',
    reads: 2,
  });
  const without = report.without.map(({ type }) => type);
  expect(without).toContain('designation');
  expect(without).not.toContain('department');
});

test('a picture in a chapter is for readers of the chapter, and no other file is', async () => {
  const manual = await made('user_manual', { manual_no: 30, version_no: 1, title: 'Pictures', language: 'en' });
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkM9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const store = async (name: string, content: Buffer | string) => {
    const { payload, headers } = upload(name, content);
    return world.inject({
      method: 'POST',
      url: '/tapi/files?for=user_manual_chapter.body',
      payload,
      headers: { host: acme.host, authorization: `Bearer ${admin.token}`, ...headers },
    });
  };
  expect((await store('not.png', 'words')).statusCode).toBe(415);
  const shown = data(await store('form.png', png)).id;
  const other = data(await store('other.png', png)).id;
  const chapter = await made('user_manual_chapter', {
    manual_id: manual.id,
    sequence_no: 1,
    heading: 'Form',
    body: `![Form](file:${shown})`,
  });
  expect((await reader.call('GET', `/tapi/manual/chapters/${chapter.id}/files/${shown}/link`)).statusCode).toBe(404);
  await change(manual, 'publish');
  const link = (await reader.call('GET', `/tapi/manual/chapters/${chapter.id}/files/${shown}/link`)).json<{
    url: string;
  }>();
  expect(
    (await world.inject({ method: 'GET', url: link.url, headers: { host: acme.host } })).headers['content-type'],
  ).toBe('image/png');
  expect((await reader.call('GET', `/tapi/manual/chapters/${chapter.id}/files/${other}/link`)).statusCode).toBe(404);
  expect((await reader.call('GET', `/tapi/files/${shown}/link`)).statusCode).toBe(404);
  // Another author sees it in the record itself.
  await acme.user('author', { isAdmin: true });
  const author = await world.signIn(acme, 'author');
  expect((await author.call('GET', `/tapi/files/${shown}/link`)).statusCode).toBe(200);
  expect((await author.call('GET', `/tapi/files/${other}/link`)).statusCode).toBe(404);
});
