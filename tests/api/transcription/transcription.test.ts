import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { upload } from '../multipart.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';
import type { SpeechEngine } from './speech_engine.ts';
import { startSpeechEngine } from './speech_engine.ts';

let engine: SpeechEngine;
let world: World;
let acme: TestTenant;
let admin: Caller;
let asha: Caller;

beforeAll(async () => {
  engine = await startSpeechEngine();
  world = await startWorld({ env: { INSIDE_HOSTS: '127.0.0.1' }, types: [] });
  acme = await world.tenant();
  const role = await acme.role({
    modules: ['COMMON'],
    screens: { SCN_AI_TRANSCRIPTION: ['landing', 'add_screen', 'edit_screen', 'view_screen'] },
  });
  await acme.user('admin', { isAdmin: true });
  await acme.user('asha', { companies: [{ company: 1, roles: [role] }] });
  [admin, asha] = await Promise.all([world.signIn(acme, 'admin'), world.signIn(acme, 'asha')]);
});
afterAll(async () => {
  await world.close();
  await engine.close();
});
beforeEach(() => {
  engine.asked.length = 0;
});

type Row = Record<string, unknown> & { id: number; version: number };
const data = <T = Row>(answer: { json(): unknown }) => (answer.json() as { data: T }).data;
const WAV = Buffer.concat([Buffer.from('RIFF\x24\x08\0\0WAVEfmt ', 'latin1'), Buffer.alloc(2_000, 7)]);
const SRT =
  '1\n00:00:00,000 --> 00:00:02,000\nAsha Rao: Lift 4 is down.\n\n2\n00:00:02,500 --> 00:00:04,000\nRavi: I go there now.\n';

/** What a save asks for is queued after it, and then done. */
async function drain(): Promise<number> {
  await world.app.deliveries.deliver(acme);
  return world.app.jobs.drain();
}

async function stored(name: string, content: Buffer | string, caller = asha): Promise<number> {
  const { payload, headers } = upload(name, content);
  const answer = await world.inject({
    method: 'POST',
    url: '/tapi/files?for=transcription.file',
    payload,
    headers: { host: acme.host, authorization: `Bearer ${caller.token}`, ...headers },
  });
  expect(answer.statusCode, answer.body).toBe(201);
  return data(answer).id;
}
async function add(name: string, content: Buffer | string, more: object = {}): Promise<Row> {
  const answer = await asha.call('POST', '/tapi/transcription', {
    title: 'Morning round',
    file: await stored(name, content),
    language: 'en',
    consent: true,
    visibility: 'private',
    ...more,
  });
  expect(answer.statusCode, answer.body).toBe(201);
  return read(data(answer).id);
}
const read = async (id: number, caller = asha) =>
  data<Row & { segments: Row[]; speakers: Row[] }>(await caller.call('GET', `/tapi/transcription/${id}`));
/** Takes a step of a recording as it is now. */
async function act(id: number, word: string, caller = asha) {
  const { version } = await read(id, caller);
  return caller.call('POST', `/tapi/transcription/${id}/${word}`, { version });
}
async function configure(set: object): Promise<void> {
  const { version } = data(await admin.call('GET', '/tapi/transcription_setting/single'));
  const answer = await admin.call('PUT', '/tapi/transcription_setting/single', { version, ...set });
  expect(answer.statusCode, answer.body).toBe(200);
}
const line = (start: number, text: string, more: object = {}) => ({
  start,
  end: start + 1,
  text,
  avg_logprob: -0.2,
  no_speech_prob: 0.02,
  ...more,
});

test('without an engine the recording waits and says what to do; consent is required', async () => {
  const refused = await asha.call('POST', '/tapi/transcription', {
    title: 'Secret',
    file: await stored('a.wav', WAV),
    language: 'en',
    consent: false,
    visibility: 'private',
  });
  expect(refused.statusCode).toBe(422);
  expect(refused.json()).toMatchObject({ error: { details: [{ field: 'consent' }] } });
  const row = await add('round.wav', WAV);
  expect(row).toMatchObject({
    state: 'uploaded',
    note: expect.stringContaining('No transcription engine is configured.'),
  });
  expect((await act(row.id, 'start')).statusCode).toBe(409);
  expect(data(await asha.call('GET', '/tapi/transcription/engine'))).toMatchObject({ configured: false });
  expect(
    (await asha.call('PUT', '/tapi/transcription_setting/single', { version: 0, url: engine.url })).statusCode,
  ).toBe(403);
  const inside = await admin.call('PUT', '/tapi/transcription_setting/single', {
    version: 0,
    url: 'https://169.254.169.254/latest',
  });
  expect(inside.json()).toMatchObject({ error: { details: [{ field: 'url' }] } });
});

test('a transcript is read at once, with its speakers; a private one is visible to its owner only', async () => {
  const row = await add('call.srt', SRT);
  const done = await read(row.id);
  expect(done).toMatchObject({
    state: 'done',
    duration_s: 4,
    speech_s: 4,
    removed: 0,
    speakers: [{ label: 'Asha Rao' }, { label: 'Ravi' }],
  });
  expect(done.segments).toMatchObject([
    { start_ms: 0, end_ms: 2000, speaker: 'Asha Rao', text: 'Lift 4 is down.' },
    { speaker: 'Ravi', text: 'I go there now.' },
  ]);
  expect((await admin.call('GET', `/tapi/transcription/${row.id}`)).statusCode).toBe(404);
  expect((await admin.call('GET', `/tapi/transcription/${row.id}/export.txt`)).statusCode).toBe(404);
  expect(await add('bad.srt', '1\n00:00:05,000 --> 00:00:02,000\nx')).toMatchObject({
    state: 'failed',
    note: 'Line 2: it ends before it begins.',
  });
  expect(
    await add(
      'sheet.png',
      Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkM9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      ),
    ),
  ).toMatchObject({ state: 'failed', note: expect.stringContaining('neither a recording nor a transcript') });
});

test('the engine gets the recording and its key; repeated phrases are dropped; the owner is notified', async () => {
  await configure({ url: engine.url, api_key: 'sk-hidden', model: 'whisper-1' });
  engine.answer = {
    status: 200,
    body: JSON.stringify({
      duration: 61.4,
      language: 'english',
      segments: [
        line(0, ' Good morning.'),
        ...[1, 2, 3, 4].map((at) => line(at, 'Thank you.')),
        line(5, 'Lift 4 is down.', { speaker: 'S1' }),
        line(6, 'Bye bye', { no_speech_prob: 0.9, avg_logprob: -1.4 }),
      ],
    }),
  };
  const row = await add('round "1".wav', WAV);
  expect(row).toMatchObject({ state: 'queued', step: 'waiting', progress: 0 });
  await drain();
  const done = await read(row.id);
  expect(done).toMatchObject({
    state: 'done',
    step: null,
    progress: 100,
    duration_s: 61,
    removed: 4,
    engine: '127.0.0.1 whisper-1',
  });
  expect(done.segments.map(({ text, flag }) => [text, flag])).toEqual([
    ['Good morning.', 'none'],
    ['Thank you. (repeated 4)', 'repeated'],
    ['Lift 4 is down.', 'none'],
  ]);
  expect(engine.asked).toHaveLength(1);
  const [asked] = engine.asked;
  expect(asked!.headers.authorization).toBe('Bearer sk-hidden');
  expect(asked!.fields).toEqual({ response_format: 'verbose_json', model: 'whisper-1', language: 'en' });
  expect(asked!.file.type).toBe('audio/wav');
  expect(asked!.file.bytes.equals(WAV)).toBe(true);
  expect((await asha.call('GET', '/tapi/notifications')).json<{ data: object[] }>().data[0]).toMatchObject({
    title: 'The text of "Morning round" is ready',
    link: `/AI_Transcription/play/${row.id}`,
  });
  expect(JSON.stringify(data(await admin.call('GET', '/tapi/transcription_setting/single')))).not.toContain(
    'sk-hidden',
  );
  const [day] = await acme.sql<{ days: number }>(
    `select retention_until - (now() at time zone 'Asia/Kolkata')::date as days from {s}.transcription where id = $1`,
    [row.id],
  );
  expect(day!.days).toBe(365);
});

test('a recording whose first step is stored late is not mistaken for a cancelled one', async () => {
  engine.answer = { status: 200, body: JSON.stringify({ duration: 2, segments: [line(0, 'Good morning.')] }) };
  const row = await add('late.wav', WAV);
  // Longer than the engine's run takes to look at its record for the first time.
  const held = acme.sql(
    'with held as (select id from {s}.transcription where id = $1 for update) select pg_sleep(2.5) from held',
    [row.id],
  );
  await new Promise((resolve) => setTimeout(resolve, 100));
  await drain();
  await held;
  expect(await read(row.id)).toMatchObject({ state: 'done' });
});

test('an engine’s refusal is reported, can be retried and cancelled; silence is reported', async () => {
  engine.answer = { status: 401, body: '{"error":"bad key"}' };
  const row = await add('b.wav', WAV);
  await drain();
  expect(await read(row.id)).toMatchObject({
    state: 'failed',
    step: null,
    progress: null,
    note: 'The engine answered 401. It must answer 200.',
  });
  expect((await act(row.id, 'start')).statusCode).toBe(409);
  expect((await act(row.id, 'retry')).statusCode).toBe(200);
  expect((await asha.call('DELETE', `/tapi/transcription/${row.id}`)).statusCode).toBeGreaterThan(400);
  expect(data(await act(row.id, 'cancel'))).toMatchObject({ state: 'cancelled' });
  await drain();
  expect(engine.asked).toHaveLength(1);
  engine.answer = {
    status: 200,
    body: JSON.stringify({
      duration: 9,
      segments: [line(0, 'Thanks for watching!', { no_speech_prob: 0.95, avg_logprob: -1.2 })],
    }),
  };
  expect((await act(row.id, 'start')).statusCode).toBe(200);
  await drain();
  expect(await read(row.id)).toMatchObject({
    state: 'failed',
    note: 'No speech was found in this recording.',
    removed: 1,
  });
});

test('cancelling stops a running one; an engine’s SubRip answer is accepted', async () => {
  engine.answer = 'hang';
  const row = await add('c.wav', WAV);
  const running = drain();
  await expect.poll(() => engine.asked.length).toBe(1);
  // What was sent is reported beside the call.
  await expect.poll(() => read(row.id)).toMatchObject({ state: 'running', step: 'recognising', progress: 40 });
  expect((await act(row.id, 'cancel')).statusCode).toBe(200);
  await running;
  expect(await read(row.id)).toMatchObject({ state: 'cancelled', step: null, progress: null });
  await configure({ format: 'srt' });
  engine.answer = { status: 200, body: SRT };
  await act(row.id, 'start');
  await drain();
  expect(await read(row.id)).toMatchObject({ state: 'done', duration_s: 4 });
  expect(engine.asked.at(-1)!.fields.response_format).toBe('srt');
});

test('progress is reported step by step, during upload by the bytes sent, to every open page', async () => {
  await configure({ format: 'verbose_json' });
  const told = vi.spyOn(world.app.hub, 'changed');
  engine.slow = true;
  engine.answer = { status: 200, body: JSON.stringify({ duration: 61, segments: [line(0, 'Good morning.')] }) };
  const row = await add('long.wav', Buffer.concat([WAV, Buffer.alloc(20_000_000)]));
  const running = drain();
  const now = () => read(row.id);
  await expect.poll(async () => (await now()).progress).toBeGreaterThan(5);
  const sending = await now();
  expect(sending).toMatchObject({ state: 'running', step: 'sending' });
  expect(sending.progress).toBeLessThan(40);
  engine.answer = 'hang';
  engine.slow = false;
  await expect.poll(async () => (await now()).step).toBe('recognising');
  // It is no change of the record: who has it open stores it all the same, and the history does not fill.
  const { version, segments: _lines, ...rest } = await now();
  expect([version, rest.progress]).toEqual([sending.version, 40]);
  expect((await asha.call('PUT', `/tapi/transcription/${row.id}`, { version, title: 'Long round' })).statusCode).toBe(
    200,
  );
  expect(told.mock.calls.filter(([, type, id]) => type === 'transcription' && id === row.id).length).toBeGreaterThan(5);
  const history = (await asha.call('GET', `/tapi/transcription/${row.id}/history`)).json<{
    data: { change: object }[];
  }>().data;
  expect(JSON.stringify(history)).not.toContain('progress');
  await asha.call('PUT', `/tapi/transcription/${row.id}`, { version: version + 1, progress: 99 });
  expect((await now()).progress).toBe(40);
  await act(row.id, 'cancel');
  await running;
});

test('lines are corrected with versions, speakers named, the text reviewed and locked', async () => {
  const row = await add('call.srt', SRT, { visibility: 'shared' });
  const { segments, version } = await read(row.id);
  const put = (body: object, caller = asha) => caller.call('PUT', `/tapi/transcription/${row.id}/segments`, body);
  const changed = await put({
    version,
    segments: [{ id: segments[0]!.id, text: ' Lift  5 is down. ' }],
    rename: { Ravi: 'Ravi Kumar' },
  });
  expect(changed.statusCode, changed.body).toBe(200);
  const now = await read(row.id);
  expect(now.segments).toMatchObject([
    { text: 'Lift 5 is down.', flag: 'edited', speaker: 'Asha Rao' },
    { text: 'I go there now.', flag: 'none', speaker: 'Ravi Kumar' },
  ]);
  expect(now.speakers.map(({ label }) => label)).toEqual(['Asha Rao', 'Ravi Kumar']);
  const late = await put({ version, segments: [{ id: segments[0]!.id, text: 'Lift 6' }] }, admin);
  expect(late.statusCode).toBe(409);
  expect(late.json()).toMatchObject({ error: { code: 'stale_version' } });
  expect((await put({ version: now.version, segments: [{ id: segments[0]!.id, text: '  ' }] })).statusCode).toBe(422);
  expect((await put({ version: now.version, segments: [{ id: 999_999, text: 'x' }] })).statusCode).toBe(422);
  const history = (await asha.call('GET', `/tapi/transcription/${row.id}/history`)).json<{
    data: { what: string; change: object }[];
  }>().data;
  expect(history[0]).toMatchObject({
    what: 'text',
    change: { 'segments.0': ['Asha Rao: Lift 4 is down.', 'Asha Rao: Lift 5 is down.'] },
  });

  expect(data(await act(row.id, 'review'))).toMatchObject({ state: 'reviewed' });
  const locked = await read(row.id);
  expect((await put({ version: locked.version, segments: [] })).statusCode).toBe(409);
  const form = await asha.call('PUT', `/tapi/transcription/${row.id}`, { version: locked.version, summary: 'Other' });
  expect(form.json()).toMatchObject({ error: { code: 'bad_state', field: 'summary' } });
  expect((await act(row.id, 'unlock')).statusCode).toBe(200);
  const open = await read(row.id);
  // The form writes what it may, and cannot write the text.
  const saved = await asha.call('PUT', `/tapi/transcription/${row.id}`, {
    version: open.version,
    summary: 'Lift 5 is down; Ravi goes there.',
    segments: [],
    action_items: [{ text: 'Check the rope', due_on: '2026-12-01' }],
  });
  expect(saved.statusCode, saved.body).toBe(200);
  // Nor the state, nor take the steps of the product.
  const known = { version: (await read(row.id)).version };
  const forged = await asha.call('PUT', `/tapi/transcription/${row.id}`, { ...known, state: 'expired' });
  expect(forged.json()).toMatchObject({ error: { code: 'invalid', field: 'state' } });
  for (const own of ['begin', 'finish', 'fail', 'expire']) expect((await act(row.id, own)).statusCode).toBe(404);
  expect(await read(row.id)).toMatchObject({
    state: 'done',
    segments: [{ text: 'Lift 5 is down.' }, {}],
    action_items: [{ text: 'Check the rope' }],
  });
  const get = (format: string) => asha.call('GET', `/tapi/transcription/${row.id}/export.${format}`);
  expect((await get('txt')).body).toBe(
    'Morning round\nAsha Rao, Ravi Kumar\n\nLift 5 is down; Ravi goes there.\n\nTo do\n☐ Check the rope, by 01-12-2026\n\n[0:00] Asha Rao: Lift 5 is down.\n[0:02] Ravi Kumar: I go there now.\n',
  );
  const minutes = await asha.call('GET', `/tapi/transcription/${row.id}/minutes`);
  expect(data<{ text: string }>(minutes).text).toBe(
    'Morning round\nAsha Rao, Ravi Kumar\n\nSummary\nLift 5 is down; Ravi goes there.\n\nTo do\n☐ Check the rope, by 01-12-2026\n\nWhat was said\nAsha Rao: Lift 5 is down.\nRavi Kumar: I go there now.\n',
  );
  expect((await get('srt')).body).toContain('2\n00:00:02,500 --> 00:00:04,000\nRavi Kumar: I go there now.');
  const pdf = await get('pdf');
  expect(pdf.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
  expect(pdf.headers['content-disposition']).toBe("attachment; filename*=UTF-8''Morning%20round.pdf");
  expect((await get('docx')).rawPayload.subarray(0, 2).toString()).toBe('PK');
  expect((await get('exe')).statusCode).toBe(404);
  // Letters of India are written in fonts of their own, of which only those letters are in the file.
  await acme.sql(`update {s}.transcription set title = 'காலை सुबह ല്' where id = $1`, [row.id]);
  const indian = await get('pdf');
  expect(indian.statusCode, indian.body.slice(0, 300)).toBe(200);
  for (const font of ['NotoSansTamil', 'NotoSansMalayalam', 'NotoSans-'])
    expect(indian.rawPayload.toString('latin1')).toMatch(new RegExp(`/BaseFont /(?:[A-Z]+\\+)?${font}`));
  expect(indian.rawPayload.length).toBeLessThan(60_000);
  await acme.sql(`update {s}.transcription set title = '朝' where id = $1`, [row.id]);
  expect((await get('pdf')).json()).toMatchObject({
    error: { message: expect.stringContaining('this text has others') },
  });
  expect((await get('docx')).statusCode).toBe(200);
});

test('action items are assigned to people: they are notified once, see the record, and complete items themselves', async () => {
  const role = await acme.role({
    modules: ['COMMON'],
    screens: { SCN_AI_TRANSCRIPTION: { pages: ['landing', 'view_screen'], scope: 'own' } },
  });
  await admin.call('GET', '/tapi/employee');
  await acme.sql(
    'alter table {s}.employee alter column branch_id drop not null, alter column department_id drop not null, alter column designation_id drop not null',
  );
  const [ravis] = await acme.sql<{ id: number }>(
    `insert into {s}.employee (entity_id, empno, first_name, name, mobile, date_of_joining, employment_type, status) values ($1, 'E7', 'Ravi', 'Ravi', '+919840012345', '2020-01-01', 'permanent', 'active') returning id`,
    [acme.entityIds[0]],
  );
  await acme.user('ravi', { companies: [{ company: 1, roles: [role] }] });
  await acme.sql(`update {s}.users set employee_id = $1 where username = 'ravi'`, [ravis!.id]);
  const ravi = await world.signIn(acme, 'ravi');
  const row = await add('call.srt', SRT);
  const put = async (body: object) =>
    asha.call('PUT', `/tapi/transcription/${row.id}`, { version: (await read(row.id)).version, ...body });
  const items = [{ text: 'Go to lift 4', owner_id: ravis!.id, due_on: '2026-12-01' }];
  expect((await put({ action_items: items })).json()).toMatchObject({
    error: { details: [{ field: 'action_items.0.owner_id' }] },
  });
  expect((await ravi.call('GET', `/tapi/transcription/${row.id}`)).statusCode).toBe(404);
  expect((await put({ visibility: 'participants', action_items: items })).statusCode).toBe(200);
  const given = await read(row.id, ravi);
  expect(given).toMatchObject({ participants: [ravis!.id], action_items: [{ text: 'Go to lift 4', done: false }] });
  expect((await admin.call('GET', `/tapi/transcription/${row.id}`)).statusCode).toBe(404);
  await put({ summary: 'Lift 4.' });
  const told = (await ravi.call('GET', '/tapi/notifications')).json<{
    data: { title: string; body: string; link: string }[];
  }>().data;
  expect(told).toEqual([
    expect.objectContaining({
      title: 'Person asha assigned an action item to you: Go to lift 4',
      body: 'Go to lift 4 by 01-12-2026. It came up in "Morning round".',
      link: `/AI_Transcription/play/${row.id}`,
    }),
  ]);
  const calendar = (await ravi.call('GET', '/tapi/calendar?from=2026-12-01&to=2026-12-31&mine=1')).json<{
    data: { events: object[] };
  }>().data;
  expect(calendar.events).toMatchObject([
    {
      day: '2026-12-01',
      type: 'transcription',
      title: 'Action item from a recording',
      label: expect.stringContaining('Morning round'),
    },
  ]);
  const [item] = given.action_items as Row[];
  const tick = (caller: Caller, id = item!.id) =>
    caller.call('PUT', `/tapi/transcription/${row.id}/action_items/${id}`, { done: true });
  expect((await tick(ravi, 999_999)).statusCode).toBe(404);
  expect(
    (await ravi.call('PUT', `/tapi/transcription/${row.id}`, { version: given.version, summary: 'Mine' })).statusCode,
  ).toBe(403);
  expect(data<{ action_items: Row[] }>(await tick(ravi)).action_items).toMatchObject([
    { id: item!.id, done: true, due_on: '2026-12-01' },
  ]);
  expect(
    (await ravi.call('GET', '/tapi/calendar?from=2026-12-01&to=2026-12-31&mine=1')).json<{
      data: { events: object[] };
    }>().data.events,
  ).toEqual([]);
});

test('recordings are deleted when their time is over; the text stays if the client wants it', async () => {
  const keeping = async (keep: boolean) => {
    await configure({ keep_text: keep });
    const row = await add('call.srt', `${SRT}\n3\n00:01:00,000 --> 00:01:01,000\n${keep}\n`);
    const { file } = await read(row.id);
    await acme.sql(`update {s}.transcription set retention_until = '2020-01-01' where id = $1`, [row.id]);
    await world.app.jobs.enqueue(acme.schema, 'transcription_retention');
    await drain();
    expect((await acme.sql('select 1 from {s}.file where id = $1', [file])).length).toBe(0);
    return read(row.id);
  };
  expect(await keeping(true)).toMatchObject({ state: 'expired', file: null, segments: [{}, {}, {}] });
  expect(await keeping(false)).toMatchObject({ state: 'expired', file: null, segments: [] });
});
