import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copySchemas } from '../schemas_with.ts';
import type { Module } from '../../../src/server/engine/modules.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

type Row = Record<string, unknown> & { id: number; version: number };

/** Acts that have taken their number and have not ended. */
const held = { inside: 0, open: () => undefined as void, gate: Promise.resolve() };
const modules: Module[] = [
  {
    name: 'test_numbers',
    effects: {
      wait: {
        late: true,
        async apply({ unit, record }) {
          if (record.party === 'slow') {
            held.inside++;
            await held.gate;
          }
          if (record.party === 'bad') unit.refuse([{ field: 'party', message: 'Refused at the end.' }]);
        },
      },
    },
  },
];
const slip = (title: string, more: object) => ({
  $schema: '../meta/screen.schema.json',
  kind: 'document',
  title,
  scope: 'entity',
  access: { screen: 'SCN_SLIP', module: 'MASTERS' },
  label: ['party'],
  schema: {
    required: ['party'],
    properties: {
      number: { $ref: 'types#text' },
      party: { $ref: 'types#text' },
      kind: { enum: ['plain', 'proforma'], default: 'plain' },
    },
  },
  workflow: {
    states: { draft: {}, sent: {} },
    transitions: { send: { from: ['draft'], to: 'sent', effects: [{ 'test_numbers.wait': {} }] } },
  },
  ...more,
});
const TYPES = {
  strict_slip: slip('Strict slip', { number: { field: 'number', on: 'send', pattern: 'ST/{0000}', most: 12 } }),
  loose_slip: slip('Loose slip', { number: { field: 'number', on: 'send', pattern: 'LO/{0000}', gapless: false } }),
  loose_row: slip('Loose row', { number: { field: 'number', pattern: 'LR/{0000}', gapless: false } }),
  twin_slip: slip('Twin slip', {
    number: {
      field: 'number',
      series: [{ when: "kind == 'proforma'", pattern: 'PF/{0000}' }, { pattern: 'TW/{0000}' }],
      most: 14,
    },
  }),
  fixed_slip: slip('Fixed slip', { number: { field: 'number', pattern: 'FX/{0000}', fixed: true } }),
};

let schemasDir: string;
let world: World;
let acme: TestTenant;
let admin: Caller;

beforeAll(async () => {
  schemasDir = join(mkdtempSync(join(tmpdir(), 'numbers-')), 'schemas');
  copySchemas(schemasDir);
  for (const [name, type] of Object.entries(TYPES))
    writeFileSync(join(schemasDir, 'organisation', `${name}.json`), JSON.stringify(type));
  world = await startWorld({ schemasDir, modules, alone: true });
  acme = await world.tenant({ companies: 2 });
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }, { company: 2 }] });
  admin = await world.signIn(acme, 'admin');
});
afterAll(async () => {
  await world.close();
  rmSync(join(schemasDir, '..'), { recursive: true, force: true });
});

async function add(type: string, values: object = {}, company = 1): Promise<Row> {
  const answer = await admin.call(
    'POST',
    `/tapi/${type}`,
    { party: 'fine', ...values },
    { 'x-entity-id': String(acme.entityIds[company - 1]) },
  );
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ data: Row }>().data;
}
const send = (type: string, { id, version }: Row, query = '') =>
  admin.call('POST', `/tapi/${type}/${id}/send${query}`, { version }, { 'x-entity-id': String(acme.entityIds[0]) });
const numbers = async (type: string) =>
  (await acme.sql<{ number: string }>(`select number from {s}.${type} where number is not null order by number`)).map(
    (row) => row.number,
  );
const hold = () => {
  held.inside = 0;
  held.gate = new Promise<void>((open) => (held.open = open));
};

describe('a series without gaps', () => {
  it('has none after parallel acts, many of which fail at the end', async () => {
    const made: Row[] = [];
    for (let at = 0; at < 24; at++) made.push(await add('strict_slip', { party: at % 3 === 0 ? 'bad' : 'fine' }));
    await add('strict_slip');
    const preview = await send('strict_slip', made[1]!, '?preview=1');
    expect(preview.statusCode, preview.body).toBe(200);
    expect(preview.json<{ data: Row }>().data.number).toBe('ST/····');
    const answers = await Promise.all(made.map((one) => send('strict_slip', one)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(16);
    expect(await numbers('strict_slip')).toEqual(
      Array.from({ length: 16 }, (_, at) => `ST/${String(at + 1).padStart(4, '0')}`),
    );
  });

  it('makes the next one wait until the act ends', async () => {
    hold();
    const [slow, fast] = [await add('strict_slip', { party: 'slow' }), await add('strict_slip')];
    const first = send('strict_slip', slow);
    await expect.poll(() => held.inside).toBe(1);
    const second = send('strict_slip', fast);
    expect(await Promise.race([second, new Promise((after) => setTimeout(() => after('waits'), 300))])).toBe('waits');
    held.open();
    expect([(await first).json<{ data: Row }>().data.number, (await second).json<{ data: Row }>().data.number]).toEqual(
      ['ST/0017', 'ST/0018'],
    );
  });
});

describe('a series with "gapless": false', () => {
  it('never waits, never repeats a number, and leaves a gap after a failed act', async () => {
    hold();
    const slow = await add('loose_slip', { party: 'slow' });
    const bad = await add('loose_slip', { party: 'bad' });
    const fast = await add('loose_slip');
    const first = send('loose_slip', slow);
    await expect.poll(() => held.inside).toBe(1);
    expect((await send('loose_slip', bad)).statusCode).toBe(422);
    expect((await send('loose_slip', fast)).json<{ data: Row }>().data.number).toBe('LO/0003');
    held.open();
    expect((await first).json<{ data: Row }>().data.number).toBe('LO/0001');
    expect((await send('loose_slip', await add('loose_slip'), '?preview=1')).json<{ data: Row }>().data.number).toBe(
      'LO/····',
    );
    expect((await send('loose_slip', await add('loose_slip'))).json<{ data: Row }>().data.number).toBe('LO/0004');
  });

  it('numbers parallel additions once each', async () => {
    const made = await Promise.all(Array.from({ length: 30 }, () => add('loose_row')));
    const given = made.map(({ number }) => String(number));
    expect(new Set(given).size).toBe(30);
    expect(given.every((number) => /^LR\/00\d\d$/.test(number))).toBe(true);
  });
});

describe('the patterns of a client', () => {
  const set = (values: object) => admin.call('POST', '/tapi/number_series', values);
  const refused = async (values: object, message: string) => {
    const answer = await set({ record_type: 'twin_slip', place: '2', pattern: 'TX/{0000}', ...values });
    expect([answer.statusCode, answer.body]).toEqual([422, expect.stringContaining(message)]);
  };

  it('override the shipped ones; those of a company precede those of all', async () => {
    expect((await add('twin_slip')).number).toBe('TW/0001');
    const all = await set({ record_type: 'twin_slip', place: '2', pattern: 'ACME/{yyyy}-{000}' });
    expect(all.statusCode, all.body).toBe(201);
    expect(all.json<{ data: Row }>().data.example).toBe('ACME/2026-001');
    const year = new Date().getFullYear();
    expect((await add('twin_slip')).number).toMatch(new RegExp(`^ACME/(${year}|${year + 1})-001$`));
    expect((await add('twin_slip', { kind: 'proforma' })).number).toBe('PF/0001');
    const own = await set({
      record_type: 'twin_slip',
      place: '2',
      company_id: acme.entityIds[1],
      pattern: 'SECOND/{0000}',
    });
    expect(own.statusCode, own.body).toBe(201);
    expect((await add('twin_slip', {}, 2)).number).toBe('SECOND/0001');
    expect((await add('twin_slip')).number).toMatch(/-002$/);
    // Taken away, the shipped one goes on where it was.
    const { id, version } = all.json<{ data: Row }>().data;
    expect((await admin.call('POST', `/tapi/number_series/${id}/deactivate`, { version })).statusCode).toBe(200);
    expect((await add('twin_slip')).number).toBe('TW/0002');
  });

  it('allow no more than the descriptor does', async () => {
    await refused({ pattern: 'TX/2025' }, 'Write the counter once');
    await refused({ pattern: '0{0000}' }, 'does not begin with 0');
    await refused({ pattern: '{fy}{0000}' }, 'Put a character such as');
    await refused({ pattern: 'TX/{party}/{0000}' }, '{party} is not known here');
    await refused({ pattern: 'ALONGPREFIX/{0000}' }, 'at most 14');
    await refused({ pattern: 'PF/{0000}' }, 'Another series of these records has this pattern');
    await refused({ pattern: 'PF/{00}' }, 'could make the same number');
    await refused({ place: '3' }, 'There are 2 series');
    const fixed = await set({ record_type: 'fixed_slip', place: '1', pattern: 'TX/{0000}' });
    expect(fixed.statusCode).toBe(422);
  });
});
