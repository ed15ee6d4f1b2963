import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as sheetReading from '../../../src/server/engine/excel/sheet_read.ts';
import { inlineRow, sheetOf, sheetsOf } from '../../made_workbooks.ts';
import { upload } from '../multipart.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

// What the server's own process would read with; the processes that it starts have modules of their own.
vi.mock('../../../src/server/engine/excel/sheet_read.ts', async (original) => {
  const real = await original<typeof sheetReading>();
  return { ...real, readSheet: vi.fn(real.readSheet), unpackedSize: vi.fn(real.unpackedSize) };
});

let world: World;
let acme: TestTenant;
let admin: Caller;

beforeAll(async () => {
  world = await startWorld({ types: [] });
  acme = await world.tenant({ companies: 1, products: ['ANALYTICS'], everyTable: true });
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  admin = await world.signIn(acme, 'admin');
});
afterAll(() => world.close());

/** Below the 200 MB over which no workbook is unpacked. */
const UNPACKED = 190 * 1024 * 1024;

test('a source of less than 1 MB that unpacks to 190 MB is refused by a process of its own, while the server answers others', async () => {
  const cells = '<c t="str"><v>Kochi to Kollam, the lifts of the whole coast</v></c>'.repeat(4);
  const row = `<row>${cells}</row>`;
  const book = sheetsOf({
    Lifts: sheetOf(inlineRow(1, ['Code', 'Name']) + row.repeat(Math.floor(UNPACKED / row.length))),
  });
  expect(sheetReading.unpackedSize(book)).toBeGreaterThan(185 * 1024 * 1024);
  expect(book.length).toBeLessThan(1024 * 1024);
  vi.mocked(sheetReading.unpackedSize).mockClear();

  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await admin.call(method, path, body);
    expect(answer.statusCode, answer.body).toBeLessThan(300);
    return answer.json<{ data: Record<string, unknown> & { id: number }; run_id: number }>();
  };
  const { payload, headers } = upload('coast.xlsx', book);
  const stored = await admin.call('POST', '/tapi/files?for=sync_source.file', payload, headers);
  expect(stored.statusCode, stored.body).toBe(201);
  const { data: file } = stored.json<{ data: { id: number } }>();
  const { data: source } = await call('POST', '/tapi/sync_source', {
    name: 'Coast',
    kind: 'upload_file',
    file: file.id,
  });
  const { data: job } = await call('POST', '/tapi/sync_job', {
    code: 'COAST',
    title: 'Lifts of the coast',
    family: 'oro',
    source_id: source.id,
    target: 'list',
    target_type: 'segment',
    mode: 'full',
    natural_key: ['code'],
    mapping: [{ source_column: 'Code', target_field: 'code', required: true }],
    on_missing: 'keep',
    delete_guard_percent: '20',
    reject_limit_percent: '20',
  });
  const { run_id: run } = await call('POST', `/tapi/sync_job/${job.id}/run`);
  const stateOf = async () => (await call('GET', `/tapi/sync_run/${run}`)).data;
  let under = true;
  await world.app.deliveries.deliver(acme);
  const done = world.app.jobs.drain().finally(() => {
    under = false;
  });
  let answered = 0;
  while (under) {
    const { state } = await stateOf();
    await call('GET', '/tapi/sync_source');
    if (state === 'running') answered++;
    // As somebody who looks again and again; calls without a pause would take the processor that the reading needs.
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await done;
  expect(await stateOf()).toMatchObject({ state: 'failed', error: expect.stringMatching(/[Ss]plit it/) as string });
  // Calls were answered while the file was being read.
  expect(answered).toBeGreaterThan(0);
  // The server's own process has opened none of it.
  expect(sheetReading.readSheet).not.toHaveBeenCalled();
  expect(sheetReading.unpackedSize).not.toHaveBeenCalled();
}, 150_000);
