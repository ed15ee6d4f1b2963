import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { copySchemas } from '../schemas_with.ts';
import type { Field } from '../../../src/descriptor/types.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

type Row = Record<string, unknown>;
const type = (name: string, more: Row = {}) => ({ $ref: `types#${name}`, ...more });
const ref = (target: string, more: Row = {}) => type('ref', { 'x-ref': target, ...more });
const rows = (properties: Row, required: string[] = [], more: Row = {}) => ({
  type: 'array',
  items: { type: 'object', required, properties },
  ...more,
});
const wide = (count: number, property: Row) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`value_${at}`, property]));

/** Documents as people who do not know the product describe theirs: fields, required fields, rules. */
const DOCUMENTS: Record<string, { properties: Row; required?: string[]; rules?: Row[] }> = {
  o_item: { properties: { name: type('name'), rate: type('money'), unit: type('text', { maxLength: 10 }) } },
  o_sales_order: {
    required: ['name', 'ordered_on', 'lines'],
    properties: {
      name: type('name'),
      ordered_on: type('date'),
      due_on: type('date', { 'x-formula': 'add_days(ordered_on, 30)' }),
      lines: rows(
        {
          item_id: ref('o_item'),
          rate: type('money', { 'x-fetch': 'item_id.rate', readOnly: true }),
          qty: type('quantity', { default: '1', exclusiveMinimum: 0 }),
          taxed: type('boolean', { default: true }),
          amount: type('money', { 'x-formula': 'rate * qty' }),
        },
        ['item_id'],
        { minItems: 1 },
      ),
      taxable: type('money', { 'x-formula': 'sum(if(lines.taxed, lines.amount, 0))' }),
      total: type('money', { 'x-formula': 'sum(lines.amount) + round(taxable * 18 / 100, 2)' }),
    },
    rules: [{ assert: 'total <= 1000000', message: '{total} needs a contract.' }],
  },
  o_gate_pass: {
    required: ['name', 'returnable', 'back_on'],
    properties: {
      name: type('name'),
      left_at: type('datetime'),
      back_at: type('datetime'),
      returnable: type('boolean', { default: false }),
      back_on: type('date', { 'x-when': 'returnable' }),
      vehicle: type('text', { maxLength: 5, 'x-when': 'returnable and back_on != null' }),
      days: type('integer', { 'x-formula': 'days_between(left_at, back_at)' }),
    },
    rules: [{ assert: 'back_at >= left_at', message: 'Back before it left.', field: 'back_at' }],
  },
  o_asset: {
    required: ['name', 'book_value'],
    properties: {
      name: type('name'),
      cost: type('money'),
      life: type('integer', { minimum: 1 }),
      bought_on: type('date'),
      years: type('integer', { 'x-formula': 'age(bought_on)' }),
      book_value: type('money', { 'x-formula': 'max(0, cost - cost / life * years)' }),
    },
  },
  o_payroll: {
    properties: {
      name: type('name'),
      period: type('month'),
      parts: rows({
        kind: { enum: ['earning', 'deduction'], default: 'earning' },
        amount: type('money', { default: '0.00' }),
        reason: type('text', {
          'x-when': "kind == 'deduction'",
          'x-required-when': "kind == 'deduction' and amount > 100",
        }),
      }),
      gross: type('money', { 'x-formula': "sum(if(parts.kind == 'earning', parts.amount, 0))" }),
      net: type('money', { 'x-formula': "gross - sum(if(parts.kind == 'deduction', parts.amount, 0))" }),
    },
    rules: [{ assert: 'net >= 0', message: 'More is deducted than earned.' }],
  },
  o_loan: {
    required: ['name', 'principal'],
    properties: {
      name: type('name'),
      principal: type('money', { minimum: 1 }),
      interest: type('percent', { maximum: 100 }),
      months: type('integer', { minimum: 1, maximum: 360 }),
      first_on: type('date'),
      last_on: type('date', { 'x-formula': 'add_months(first_on, months)' }),
      schedule: rows({
        due_on: type('date'),
        part: type('money'),
        share: type('percent', { 'x-formula': 'part / principal * 100' }),
      }),
      latest: type('date', { 'x-formula': 'max(schedule.due_on)' }),
    },
    rules: [{ assert: 'due_on >= first_on', message: 'Before the first.', field: 'due_on', rows: 'schedule' }],
  },
  o_survey: {
    properties: { name: type('name'), answers: rows({ ...wide(120, type('text')), who_id: ref('o_item') }) },
  },
  o_register: { properties: { name: type('name'), ...wide(250, type('decimal', { maximum: 9 })) } },
  o_stay: {
    required: ['name', 'from_at'],
    properties: {
      name: type('name'),
      from_at: type('datetime'),
      to_at: type('datetime'),
      opens_at: type('time'),
      state: { enum: ['asked', 'in', 'out'], default: 'asked' },
      room: type('code', { 'x-when': "state in ['in', 'out']", 'x-required-when': "state == 'in'" }),
      guests: rows({ name: type('name'), born: type('date'), years: type('integer', { 'x-formula': 'age(born)' }) }, [
        'name',
      ]),
      site: type('geo'),
      tags: type('tags'),
    },
  },
  o_budget: {
    properties: {
      name: type('name'),
      year: type('financial_year'),
      heads: rows({
        item_id: ref('o_item'),
        plan: type('money'),
        share: type('decimal', { 'x-formula': 'plan / total' }),
      }),
      total: type('money', { minimum: 0 }),
      extra: type('json'),
      mail: type('email', { 'x-when': 'total > 100' }),
    },
  },
};

let schemasDir: string;
let world: World;
let tenant: TestTenant;
let admin: Caller;
let item: number;
beforeAll(async () => {
  schemasDir = mkdtempSync(join(tmpdir(), 'strangers-'));
  copySchemas(schemasDir);
  mkdirSync(join(schemasDir, 'stranger'));
  for (const [name, { properties, required = ['name'], rules = [] }] of Object.entries(DOCUMENTS))
    writeFileSync(
      join(schemasDir, 'stranger', `${name}.json`),
      JSON.stringify({
        $schema: '../meta/screen.schema.json',
        kind: 'document',
        title: name.slice(2).replaceAll('_', ' '),
        access: { screen: 'SCN_BRANCH', action: null },
        schema: { required, properties },
        rules,
      }),
    );
  world = await startWorld({ schemasDir, alone: true });
  tenant = await world.tenant();
  await tenant.user('asha', { isAdmin: true });
  admin = await world.signIn(tenant, 'asha');
  const made = await admin.call('POST', '/tapi/o_item', { name: 'Rope', rate: '12.50', unit: 'm' });
  item = made.json<{ data: { id: number } }>().data.id;
});
afterAll(async () => {
  await world?.close();
  rmSync(schemasDir, { recursive: true, force: true });
});

const RIGHT: Record<string, unknown> = {
  money: '10.50',
  decimal: '1.5',
  percent: '5',
  quantity: '2',
  integer: 3,
  date: '2026-03-31',
  datetime: '2026-03-31T20:00:00Z',
  time: '09:30',
  month: '2026-03',
  financial_year: '2025-2026',
  boolean: true,
  email: 'asha@example.in',
  geo: { lat: 13, lng: 80 },
  tags: ['red'],
  json: { a: 1 },
};
const WRONG: unknown[] = [{}, [], [null], 'rubbish'.repeat(100), -1e30, 'NaN', '2026-02-31', true, '\u0000', { id: 1 }];

function right(field: Field): unknown {
  if (field.rows) return [rightRow(field.rows), rightRow(field.rows)];
  if (field.ref) return item;
  if (field.options) return field.options[0]!.value;
  return RIGHT[field.type] ?? 'A1';
}
const rightRow = (fields: Field[]): Row =>
  Object.fromEntries(fields.filter(({ readOnly }) => !readOnly).map((field) => [field.name, right(field)]));

describe.each(Object.keys(DOCUMENTS))('%s', (name) => {
  const fields = () => world.screens.get(name)!.fields;
  const stored = async () => (await tenant.sql<{ n: number }>(`select count(*)::int as n from {s}.${name}`))[0]!.n;

  test('valid records are stored, read, changed, listed and deleted', async () => {
    const made = await admin.call('POST', `/tapi/${name}`, { ...rightRow(fields()), name: 'Right' });
    expect(made.statusCode, made.body).toBe(201);
    const { data } = made.json<{ data: Row & { id: number } }>();
    const again = await admin.call('PUT', `/tapi/${name}/${data.id}`, data);
    expect(again.json(), again.body).toMatchObject({ data: { version: 1 } });
    const renamed = await admin.call('PUT', `/tapi/${name}/${data.id}`, { version: 1, name: 'Renamed' });
    expect(renamed.json()).toMatchObject({ data: { version: 2, name: 'Renamed' } });
    for (const url of ['?columns=*', `/${data.id}`, `/${data.id}/history`, `/${data.id}/copy`])
      expect((await admin.call('GET', `/tapi/${name}${url}`)).statusCode, url).toBe(200);
    expect((await admin.call('DELETE', `/tapi/${name}/${data.id}`)).statusCode).toBe(204);
  });

  test('invalid ones get an answer that names the field, and nothing of them is stored', async () => {
    const before = await stored();
    const some = fields()
      .filter(({ readOnly }) => !readOnly)
      .slice(0, 12);
    for (const field of some)
      for (const wrong of [
        ...WRONG,
        ...(field.rows ? WRONG.map((value) => [{ [field.rows![0]!.name]: value }]) : []),
      ]) {
        const sent = { ...rightRow(fields()), name: 'Wrong', [field.name]: wrong };
        const answer = await admin.call('POST', `/tapi/${name}`, sent);
        const what = `${field.name} ${JSON.stringify(wrong).slice(0, 60)}: ${answer.body.slice(0, 300)}`;
        expect([201, 400, 409, 422], what).toContain(answer.statusCode);
        if (answer.statusCode !== 201) continue;
        const { id } = answer.json<{ data: { id: number } }>().data;
        expect((await admin.call('DELETE', `/tapi/${name}/${id}`)).statusCode, what).toBe(204);
      }
    expect(await stored()).toBe(before);
  });
});
