import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as XLSX from 'xlsx';
import { pdfText } from '../../pdf_text.ts';
import { copySchemas } from '../schemas_with.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

type Row = Record<string, unknown>;
type Doc = Row & { id: number; version: number };

const SIGHT = "status == 'published' or viewer.rater";
const text = { $ref: 'types#text', maxLength: 60 };
/** A review whose result only the rater sees, until it is published. */
const TYPES: Record<string, object> = {
  seen_review: {
    $schema: '../meta/screen.schema.json',
    kind: 'document',
    title: 'Review',
    scope: 'entity',
    access: { screen: 'SCN_SEEN_REVIEW', module: 'MASTERS' },
    label: ['title'],
    relations: { rater: 'rater_id' },
    schema: {
      required: ['title'],
      properties: {
        title: text,
        rater_id: { $ref: 'types#ref', 'x-ref': 'users' },
        kind: { enum: ['yearly', 'trial'], default: 'yearly' },
        cost: { $ref: 'types#money', 'x-visible': "viewer.action('STOCK_VALUE_VIEW')" },
        score: { $ref: 'types#decimal', 'x-visible': SIGHT },
        grade: { ...text, 'x-visible': SIGHT },
        bonus: { $ref: 'types#money', 'x-visible': SIGHT, 'x-formula': 'score * 10' },
        goals: {
          type: 'array',
          items: { required: ['goal'], properties: { goal: text, mark: { ...text, 'x-visible': SIGHT } } },
        },
        notes: {
          type: 'array',
          'x-visible': 'viewer.rater',
          items: { required: ['note'], properties: { note: text } },
        },
        steps: { type: 'array', 'x-part': 'seen_step' },
        remark: text,
        earlier_id: { $ref: 'types#ref', 'x-ref': 'seen_review', 'x-visible': SIGHT },
      },
    },
    workflow: {
      states: { draft: { edit: true }, published: { edit: true }, closed: { is: 'closed' } },
      transitions: {
        publish: { from: ['draft'], to: 'published' },
        close: { from: ['published'], to: 'closed', when: 'score > 50' },
      },
    },
    looks: { board: { by: 'kind', sum: 'score' } },
    grid: ['title', 'kind', 'score', 'grade', 'status'],
    filters: ['grade', 'status'],
    sort: ['title'],
    unique: [['title']],
    print: { letter: { title: 'Letter', blocks: [{ box: ['title', 'grade', 'score'] }] } },
  },
  seen_step: {
    $schema: '../meta/screen.schema.json',
    kind: 'document',
    title: 'Review step',
    scope: 'entity',
    part: { of: 'seen_review', by: 'review_id' },
    label: ['name'],
    schema: {
      required: ['review_id', 'name'],
      properties: {
        review_id: { $ref: 'types#ref', 'x-ref': 'seen_review' },
        name: text,
        open: { $ref: 'types#boolean', default: false },
        secret: { ...text, 'x-visible': 'open' },
      },
    },
  },
  seen_report: {
    $schema: '../meta/report.schema.json',
    kind: 'report',
    title: 'Reviews by kind',
    access: { screen: 'SCN_SEEN_REPORT', module: 'MASTERS' },
    from: {
      type: 'seen_review',
      group: ['kind'],
      measures: [
        { name: 'n', title: 'Reviews', count: true },
        { name: 'total', title: 'Score', sum: 'score' },
        { name: 'best', title: 'Best', highest: 'score' },
        { name: 'top', title: 'Top', count: true, filter: ['grade', 'eq', 'Kingfisher'] },
      ],
    },
  },
};
const PAGES = ['landing', 'add_screen', 'edit_screen', 'view_screen'] as const;

let schemasDir: string;
let world: World;
let acme: TestTenant;
let admin: Caller;
let rater: Caller;
let receiver: Server;
const heard: string[] = [];

beforeAll(async () => {
  schemasDir = join(mkdtempSync(join(tmpdir(), 'visible-')), 'schemas');
  copySchemas(schemasDir);
  for (const [name, descriptor] of Object.entries(TYPES))
    writeFileSync(join(schemasDir, 'organisation', `${name}.json`), JSON.stringify(descriptor));
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      heard.push(body);
      response.end('thanks');
    });
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  world = await startWorld({ schemasDir, alone: true, env: { INSIDE_HOSTS: '127.0.0.1' } });
  acme = await world.tenant();
  const role = await acme.role({
    modules: ['MASTERS'],
    screens: { SCN_SEEN_REVIEW: [...PAGES], SCN_SEEN_REPORT: ['landing', 'view_screen'] },
    actions: ['EXPORT_DATA', 'CREATE_MASTERS'],
  });
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  await acme.user('rater', { companies: [{ company: 1, roles: [role] }] });
  [admin, rater] = await Promise.all([world.signIn(acme, 'admin'), world.signIn(acme, 'rater')]);
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await world.close();
  rmSync(join(schemasDir, '..'), { recursive: true, force: true });
});

type Answer = { statusCode: number; body: string; json<T>(): T };
async function ok(answer: Promise<Answer>, status = 200): Promise<Doc> {
  const got = await answer;
  expect(got.statusCode, got.body).toBe(status);
  return got.json<{ data: Doc }>().data;
}
async function refused(answer: Promise<Answer>, said: string): Promise<void> {
  const got = await answer;
  expect([got.statusCode, got.body]).toEqual([403, expect.stringContaining(said)]);
}

let made = 0;
const RESULT = { score: '77.125', grade: 'Kingfisher' };
/** What of it nobody but the rater may come across. */
const SECRETS = ['77.125', '771.25', '771.3', 'Kingfisher', 'Sapphire', 'Quetzal'];
const review = (more: object = {}) =>
  ok(
    rater.call('POST', '/tapi/seen_review', {
      title: `Review ${++made}`,
      rater_id: rater.userId,
      ...RESULT,
      goals: [{ goal: 'Sell', mark: 'Sapphire' }],
      notes: [{ note: 'Quetzal' }],
      ...more,
    }),
    201,
  );
const found = (body: string) => SECRETS.filter((secret) => body.includes(secret));
const step = async (by: Caller, id: number, name: string, query = '') =>
  by.call('POST', `/tapi/seen_review/${id}/${name}${query}`, {
    version: (await ok(rater.call('GET', `/tapi/seen_review/${id}`))).version,
  });

/** Every door that answers what is in records, and what came through it. */
async function doors(by: Caller, id: number): Promise<Record<string, string>> {
  const get = async (url: string) => {
    const answer = await by.call('GET', url);
    expect(answer.statusCode, `${url} ${answer.body}`).toBe(200);
    return answer.body;
  };
  const list = '/tapi/seen_review';
  const filter = (condition: unknown[]) => `filter=${encodeURIComponent(JSON.stringify(condition))}`;
  const only = `${list}?${filter(['title', 'ne', 'x'])}&sort=-id`;
  const book = XLSX.read((await by.call('GET', `${list}/export.xlsx?columns=title,score,grade,bonus`)).rawPayload);
  const version = (await ok(by.call('GET', `${list}/${id}`))).version;
  const stale = await by.call('PUT', `${list}/${id}`, { version: version - 1, remark: 'late' });
  expect(stale.statusCode).toBe(409);
  return {
    read: await get(`${list}/${id}`),
    list: await get(only),
    columns: await get(`${list}?columns=title,score,grade,bonus&sort=score`),
    search: await get(`${list}?q=king`),
    filtered: await get(`${list}?${filter(['grade', 'eq', 'Kingfisher'])}`),
    between: await get(`${list}?${filter(['score', 'between', ['77', '78']])}`),
    'past search': await get('/tapi/search?q=king'),
    board: await get(`${list}/board?${filter(['id', 'eq', id])}`),
    history: await get(`${list}/${id}/history`),
    copy: await get(`${list}/${id}/copy`),
    options: await get(`${list}/options?q=review`),
    export: Object.values(book.Sheets)
      .map((sheet) => XLSX.utils.sheet_to_csv(sheet))
      .join('\n'),
    stale: stale.body,
    report: await get('/tapi/report/seen_report/rows'),
    put: JSON.stringify(await ok(by.call('PUT', `${list}/${id}`, { version, remark: `n${++made}` }))),
    preview: (await step(by, id, 'publish', '?preview=1')).body.includes('"published"') ? '' : 'not previewed',
  };
}

describe('a field with x-visible', () => {
  it('is available everywhere to those who may see it, and nowhere to others, including administrators', async () => {
    const { id } = await review();
    const theirs = await doors(rater, id);
    for (const name of ['read', 'list', 'columns', 'filtered', 'between', 'history', 'copy', 'export', 'stale', 'put'])
      expect([name, found(theirs[name]!)]).not.toEqual([name, []]);
    expect(theirs.report).toContain('77.125');
    expect(theirs.board).toContain('77.125');
    const others = await doors(admin, id);
    for (const [name, body] of Object.entries(others)) expect([name, found(body)]).toEqual([name, []]);
    // Not even by what is found, counted or left out.
    for (const name of ['filtered', 'between', 'search'])
      expect([name, JSON.parse(others[name]!).data]).toEqual([name, []]);
    expect(JSON.parse(others.read!).data._hidden).toEqual([
      'score',
      'grade',
      'bonus',
      'goals.mark',
      'notes',
      'earlier_id',
    ]);
    expect(JSON.parse(others.read!).data).not.toHaveProperty('score');
    const [row] = JSON.parse(others.list!).data as Row[];
    expect(row).toMatchObject({ score: null, grade: null });
  });

  it('is visible to all where its condition is true: also in answers of the step, and in the report', async () => {
    const { id } = await review({ kind: 'trial' });
    const report = async () => {
      const { rows } = (await admin.call('GET', '/tapi/report/seen_report/rows')).json<{ data: { rows: Row[] } }>()
        .data;
      return rows.find(({ kind }) => kind === 'trial');
    };
    expect(await report()).toMatchObject({ n: 1, best: null, top: 0 });
    const preview = await ok(step(admin, id, 'publish', '?preview=1'));
    expect(preview).toMatchObject({ status: 'published', ...RESULT });
    const published = await ok(step(admin, id, 'publish'));
    expect(published).toMatchObject({ ...RESULT, bonus: '771.25', _hidden: ['notes'] });
    expect(await report()).toMatchObject({ n: 1, best: '77.125', top: 1 });
    // The step looks at the whole record, whoever takes it.
    expect(await ok(admin.call('GET', `/tapi/seen_review/${id}`))).toMatchObject({
      _can: [{ name: 'close', blocked: null }],
    });
    const { body } = await admin.call('GET', `/tapi/seen_review?columns=title,grade&q=Review ${made}`);
    expect(body).toContain('Kingfisher');
  });

  it('keeps the history of changes made while it was hidden', async () => {
    const { id } = await review();
    await ok(
      rater.call('PUT', `/tapi/seen_review/${id}`, {
        version: (await ok(rater.call('GET', `/tapi/seen_review/${id}`))).version,
        grade: 'Heron',
      }),
    );
    await ok(step(rater, id, 'publish'));
    await ok(
      rater.call('PUT', `/tapi/seen_review/${id}`, {
        version: (await ok(rater.call('GET', `/tapi/seen_review/${id}`))).version,
        grade: 'Osprey',
      }),
    );
    const told = async (by: Caller) =>
      (await by.call('GET', `/tapi/seen_review/${id}/history`))
        .json<{ data: { change: Row | null }[] }>()
        .data.flatMap(({ change }) => (change?.grade ? [change.grade] : []));
    expect(await told(admin)).toEqual([['Heron', 'Osprey']]);
    expect(await told(rater)).toContainEqual(['Kingfisher', 'Heron']);
  });

  it('keeps its value when somebody who cannot see it sends the record back', async () => {
    const { id } = await review();
    const url = `/tapi/seen_review/${id}`;
    const read = await ok(admin.call('GET', url));
    await refused(admin.call('PUT', url, { version: read.version, grade: 'Mine' }), 'Grade');
    const goals = read.goals as Row[];
    await refused(admin.call('PUT', url, { version: read.version, goals: [{ ...goals[0], mark: 'Mine' }] }), 'Mark');
    await refused(admin.call('PUT', '/tapi/seen_review/bulk', { ids: [id], set: { score: '1' } }), 'Score');
    await refused(admin.call('POST', '/tapi/seen_review', { title: 'New', grade: 'Mine' }), 'Grade');
    // All that was read, sent back with a change: what was not seen is as it was.
    await ok(
      admin.call('PUT', url, { ...read, remark: 'Seen', goals: [{ ...goals[0], goal: 'Sell more' }, { goal: 'Two' }] }),
    );
    expect(await ok(rater.call('GET', url))).toMatchObject({
      ...RESULT,
      remark: 'Seen',
      goals: [
        { goal: 'Sell more', mark: 'Sapphire' },
        { goal: 'Two', mark: null },
      ],
      notes: [{ note: 'Quetzal' }],
    });
  });

  it('is evaluated for each row of a part by the row itself', async () => {
    const { id, steps } = await review({ steps: [{ name: 'One', open: true, secret: 'Wren' }, { name: 'Two' }] });
    expect(steps).toMatchObject([{ secret: 'Wren' }, { _hidden: ['secret'] }]);
    const url = `/tapi/seen_review/${id}`;
    const read = await ok(rater.call('GET', url));
    const [one, two] = read.steps as Row[];
    await refused(
      rater.call('PUT', url, { version: read.version, steps: [one, { ...two, secret: 'Mine' }] }),
      'Secret',
    );
    const closed = await ok(rater.call('PUT', url, { version: read.version, steps: [{ ...one, open: false }, two] }));
    expect(closed.steps).toMatchObject([{ _hidden: ['secret'] }, { _hidden: ['secret'] }]);
    expect(JSON.stringify(closed)).not.toContain('Wren');
    expect(await acme.sql('select secret from {s}.seen_step where review_id = $1 order by id', [id])).toEqual([
      { secret: 'Wren' },
      { secret: null },
    ]);
  });

  it('does not reveal relations to somebody who cannot see the reference, and its own rows are not a relation', async () => {
    const first = await review({ steps: [{ name: 'Draft' }] });
    const next = await review({ earlier_id: first.id });
    const related = async (by: Caller) =>
      (await ok(by.call('GET', `/tapi/seen_review/${first.id}/related`))) as unknown as unknown[];
    const group = {
      type: 'seen_review',
      title: 'Reviews',
      field: 'earlier_id',
      by: 'Earlier',
      count: 1,
      capped: false,
    };
    expect(await related(rater)).toEqual([group]);
    expect(await related(admin)).toEqual([]);
    expect((await step(rater, next.id, 'publish')).statusCode).toBe(200);
    expect(await related(admin)).toEqual([group]);
  });

  it('is in no template, and cannot be imported', async () => {
    const template = await rater.call('GET', '/tapi/seen_review/template.xlsx');
    const heads = XLSX.utils.sheet_to_csv(XLSX.read(template.rawPayload).Sheets.Sheet1!);
    expect(heads).toContain('Remark');
    expect(heads).not.toMatch(/Score|Grade|Bonus/);
    expect(Object.keys(XLSX.read(template.rawPayload).Sheets)).not.toContain('Goals');
  });

  it('is in no print and no webhook of somebody who cannot see it', async () => {
    const { id } = await review();
    const pdf = async (by: Caller) =>
      pdfText((await by.call('GET', `/tapi/seen_review/${id}/print/letter.pdf`)).rawPayload);
    const rated = found(await pdf(rater));
    expect(rated).not.toEqual([]);
    expect(found(await pdf(admin))).toEqual([]);
    await ok(step(rater, id, 'publish'));
    expect(found(await pdf(admin))).toEqual(rated);

    const hook = await admin.call('POST', '/tapi/api_config', {
      name: 'Reviews',
      direction: 'outgoing',
      url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`,
      events: ['seen_review.*'],
      payload: 'full',
      timeout_s: 5,
    });
    expect(hook.statusCode, hook.body).toBe(201);
    await review();
    await vi.waitFor(
      async () => {
        await world.app.jobs.drain();
        expect(heard.length).toBeGreaterThan(0);
      },
      { timeout: 60_000 },
    );
    expect(heard.join('')).toContain(`Review ${made}`);
    expect(found(heard.join(''))).toEqual([]);
  });

  it('is available everywhere to people with its action code, and to nobody else', async () => {
    const { id } = await review();
    const { version } = await ok(admin.call('GET', `/tapi/seen_review/${id}`));
    await ok(admin.call('PUT', `/tapi/seen_review/${id}`, { version, cost: '4711.25' }));
    const list = '/tapi/seen_review';
    const costly = encodeURIComponent(JSON.stringify(['cost', 'eq', '4711.25']));
    const seenBy = async (by: Caller) => {
      const book = XLSX.read((await by.call('GET', `${list}/export.xlsx?columns=title,cost`)).rawPayload);
      const found: Record<string, boolean> = {
        export: XLSX.utils.sheet_to_csv(Object.values(book.Sheets)[0]!).includes('4711.25'),
        found: (await by.call('GET', `${list}?filter=${costly}`)).json<{ data: Row[] }>().data?.length === 1,
      };
      for (const [name, url] of [
        ['record', `${list}/${id}`],
        ['list', `${list}?columns=title,cost`],
        ['history', `${list}/${id}/history`],
      ] as const)
        found[name] = (await by.call('GET', url)).body.includes('4711.25');
      return found;
    };
    const all = (seen: boolean) => ({ export: seen, found: seen, record: seen, list: seen, history: seen });
    expect(await seenBy(admin)).toEqual(all(true));
    expect(await seenBy(rater)).toEqual(all(false));
    const now = await ok(rater.call('GET', `${list}/${id}`));
    await refused(rater.call('PUT', `${list}/${id}`, { version: now.version, cost: '1.00' }), 'Cost');
    await ok(rater.call('PUT', `${list}/${id}`, { version: now.version, remark: 'kept' }));
    expect(await ok(admin.call('GET', `${list}/${id}`))).toMatchObject({ cost: '4711.25', remark: 'kept' });
  });
});
