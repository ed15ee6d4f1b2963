import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { today } from '../../../src/descriptor/place.ts';
import { asReference } from '../../../src/descriptor/reference_by.ts';
import { openedFields } from '../../../src/descriptor/opened_fields.ts';
import { DESCRIPTORS, refusal, startBench } from './fixture.ts';
import type { Bench } from './fixture.ts';

const access = { screen: 'SCN_TEST', action: null };

DESCRIPTORS.t_visit = {
  kind: 'document',
  title: 'Visit',
  access,
  scope: 'entity',
  label: ['name'],
  sort: ['name'],
  unique: [['name']],
  schema: {
    required: ['name', 'report_no'],
    properties: {
      name: { $ref: 'types#name' },
      area_id: { $ref: 'types#ref', 'x-ref': 't_area', title: 'Area' },
      rate: { $ref: 'types#money', title: 'Rate', 'x-fetch': 'area_id.rate', readOnly: true },
      address: { $ref: 'types#text', title: 'Address', 'x-fetch': 'area_id.address' },
      double_rate: { $ref: 'types#money', 'x-formula': 'rate * 2' },
      state: { enum: ['open', 'done'], default: 'open' },
      report_no: { $ref: 'types#text', title: 'Report', maxLength: 5, 'x-when': "state == 'done'" },
      done_on: { $ref: 'types#date', title: 'Done on', 'x-when': "state == 'done'" },
      hours: { $ref: 'types#decimal', title: 'Hours', maximum: 24, 'x-when': "state == 'done'" },
      parts: {
        type: 'array',
        title: 'Parts',
        'x-when': "state == 'done'",
        items: { type: 'object', required: ['what'], properties: { what: { $ref: 'types#text', maxLength: 5 } } },
      },
      lines: {
        type: 'array',
        title: 'Lines',
        items: {
          type: 'object',
          required: ['kind', 'reason'],
          properties: {
            kind: { enum: ['plain', 'odd'], default: 'plain' },
            qty: { $ref: 'types#integer', default: 1 },
            reason: { $ref: 'types#text', title: 'Reason', maxLength: 5, 'x-when': "kind == 'odd'" },
            odd_on: { $ref: 'types#date', title: 'Odd on', 'x-when': "kind == 'odd'" },
            by: { $ref: 'types#ref', 'x-ref': 'users', 'x-default': 'me' },
            source: { $ref: 'types#text', readOnly: true, default: 'hand' },
            area_id: { $ref: 'types#ref', 'x-ref': 't_area', title: 'Area' },
            rate: { $ref: 'types#money', 'x-fetch': 'area_id.rate', readOnly: true },
            address: { $ref: 'types#text', 'x-fetch': 'area_id.address' },
          },
        },
      },
    },
  },
  grid: ['name', 'area_id', 'state'],
};

DESCRIPTORS.t_currency = {
  title: 'Currency',
  access,
  label: ['iso_code'],
  schema: {
    required: ['iso_code'],
    properties: { iso_code: { $ref: 'types#text', maxLength: 3, pattern: '^[A-Z]{3}$' } },
  },
};
/** Fields that follow others, or are kept from people. */
DESCRIPTORS.t_paper = {
  title: 'Paper',
  access,
  scope: 'entity',
  label: ['name'],
  schema: {
    required: ['name'],
    properties: {
      name: { $ref: 'types#name' },
      currency_id: { $ref: 'types#ref', 'x-ref': 't_currency' },
      price: { $ref: 'types#money', 'x-currency': 'currency_id', 'x-readonly': 'closed' },
      closed: { $ref: 'types#boolean', default: false },
      area_id: { $ref: 'types#ref', 'x-ref': 't_area', title: 'Area', 'x-readonly': 'id != null' },
      address: { $ref: 'types#text', 'x-fetch': 'area_id.address', 'x-once': true },
      zone_id: { $ref: 'types#ref', 'x-ref': 't_area' },
      contact: { $ref: 'types#text', 'x-fetch': { from: 'zone_id.address', while: 'empty' } },
      made_on: { $ref: 'types#date', 'x-default': 'today()' },
      branch_id: { $ref: 'types#ref', 'x-ref': 'branch', 'x-default': 'branch.id' },
      paid_in: { $ref: 'types#text', 'x-default': 'company.currency' },
      about: { enum: ['t_area', 't_site'], title: 'About' },
      about_id: { $ref: 'types#record', title: 'Which one', 'x-ref-by': 'about' },
      heading: { $ref: 'types#text', 'x-default': "join(' / ', name, address)" },
      lines: {
        type: 'array',
        title: 'Lines',
        items: {
          type: 'object',
          properties: {
            what: { $ref: 'types#text', 'x-once': true },
            qty: { $ref: 'types#integer', 'x-readonly': 'closed or qty > 100' },
            rate: { $ref: 'types#money' },
            of: { enum: ['t_area', 't_site'] },
            of_id: { $ref: 'types#record', 'x-ref-by': 'of' },
            note: { $ref: 'types#text', 'x-default': "join(' ', name, what)" },
          },
        },
      },
    },
  },
};

let bench: Bench;
let areas: [number, number, number];
beforeAll(async () => {
  bench = await startBench();
  const rows = await bench.sql<{ id: number }>(
    `insert into {s}.t_area (code, name, address, rate) values ('CHN', 'Chennai', '1 Mount Road', 10), ('BLR', 'Bengaluru', '2 MG Road', 20), ('DEL', 'Delhi', null, null) returning id`,
  );
  areas = rows.map(({ id }) => id) as typeof areas;
});
afterAll(() => bench.close());

type Row = Record<string, unknown>;
const visit = () => bench.screen('t_visit');
let made = 0;
const create = (input: Row) =>
  bench.engine.create(bench.session(), visit(), { name: `Visit ${String(++made).padStart(3, '0')}`, ...input });
const update = (id: number, input: Row) => bench.engine.update(bench.session(), visit(), id, input);
const refusedFields = async (work: Promise<unknown>) => (await refusal(work)).details.map(({ field }) => field).sort();

describe('a field copied from a reference', () => {
  test('read-only, always follows: another reference, one without the value, none', async () => {
    const { id, ...first } = await create({ area_id: areas[0], rate: '99.00' });
    expect(first).toMatchObject({ rate: '10.00', double_rate: '20.00' });
    expect(await update(id, { version: 1, area_id: areas[1], rate: '99.00' })).toMatchObject({
      rate: '20.00',
      double_rate: '40.00',
    });
    expect(await update(id, { version: 2, name: 'Renamed' })).toMatchObject({ rate: '20.00' });
    expect(await update(id, { version: 3, area_id: areas[2] })).toMatchObject({ rate: null, double_rate: null });
    expect(await update(id, { version: 4, area_id: areas[1] })).toMatchObject({ rate: '20.00' });
    expect(await update(id, { version: 5, area_id: null })).toMatchObject({ rate: null });
  });

  test('otherwise follows until somebody changes it', async () => {
    const { id } = await create({ area_id: areas[0] });
    expect(await update(id, { version: 1, area_id: areas[1] })).toMatchObject({ address: '2 MG Road' });
    // A record read, changed and sent back whole says nothing of its own.
    expect(await update(id, { version: 2, area_id: areas[0], address: '2 MG Road' })).toMatchObject({
      address: '1 Mount Road',
    });
    expect(await update(id, { version: 3, area_id: areas[1], address: 'Mine' })).toMatchObject({ address: 'Mine' });
    expect(await update(id, { version: 4, area_id: areas[0] })).toMatchObject({ address: 'Mine', rate: '10.00' });
    expect(await update(id, { version: 5, address: null })).toMatchObject({ address: null });
    expect(await update(id, { version: 6, area_id: areas[1] })).toMatchObject({ address: '2 MG Road' });
    expect(await update(id, { version: 7, area_id: areas[0], address: null })).toMatchObject({ address: null });
  });

  test('in a child row follows the row’s reference', async () => {
    const { id, lines } = await create({ lines: [{ area_id: areas[0] }, { area_id: areas[0], address: 'Mine' }] });
    expect(lines).toMatchObject([
      { rate: '10.00', address: '1 Mount Road' },
      { rate: '10.00', address: 'Mine' },
    ]);
    const [one, two] = lines as [Row, Row];
    const { lines: moved } = await update(id, {
      version: 1,
      lines: [{ id: two.id, area_id: areas[1] }, { id: one.id, area_id: areas[1] }, { area_id: areas[1] }],
    });
    expect(moved).toMatchObject([
      { id: two.id, rate: '20.00', address: 'Mine' },
      { id: one.id, rate: '20.00', address: '2 MG Road' },
      { rate: '20.00', address: '2 MG Road' },
    ]);
  });

  test('is computed for many records at once', async () => {
    const ids = [await create({ area_id: areas[0] }), await create({ area_id: areas[0], address: 'Mine' })].map(
      ({ id }) => id,
    );
    await bench.engine.bulkSet(bench.session(), visit(), ids, { area_id: areas[1] });
    const { data } = await bench.engine.list(
      bench.session(),
      visit(),
      bench.query('t_visit', { ids: ids.join(','), columns: 'rate,address' }),
    );
    expect(data).toMatchObject([
      { rate: '20.00', address: '2 MG Road' },
      { rate: '20.00', address: 'Mine' },
    ]);
  });
});

describe('fields hidden by x-when', () => {
  test('are not required', async () => {
    expect(await create({ lines: [{ kind: 'plain' }] })).toMatchObject({ report_no: null, lines: [{ reason: null }] });
    expect(await refusedFields(create({ state: 'done', lines: [{ kind: 'odd' }] }))).toEqual([
      'lines.0.reason',
      'report_no',
    ]);
  });

  test('are checked if they are sent: on POST and PUT, in the record and in rows', async () => {
    const wrong = { report_no: 'x'.repeat(50), done_on: 'rubbish', hours: 'many', parts: [{ what: 'too long' }, {}] };
    const fields = ['done_on', 'hours', 'parts.0.what', 'parts.1.what', 'report_no'];
    expect(await refusedFields(create(wrong))).toEqual(fields);
    const { id } = await create({});
    expect(await refusedFields(update(id, { version: 1, ...wrong }))).toEqual(fields);
    expect((await bench.engine.bulkSet(bench.session(), visit(), [id], { done_on: 'rubbish' })).errors).toMatchObject([
      { id, message: expect.stringContaining('date') },
    ]);
    const lines = [{ kind: 'plain', reason: 'far too long', odd_on: 'rubbish' }];
    expect(await refusedFields(create({ lines }))).toEqual(['lines.0.odd_on', 'lines.0.reason']);
    expect(await refusedFields(update(id, { version: 1, lines }))).toEqual(['lines.0.odd_on', 'lines.0.reason']);
    expect(
      bench.engine
        .validateMany(bench.session(), visit(), [{ name: 'N', state: 'open', ...wrong, parts: [] }])[0]!
        .errors.map(({ field }) => field)
        .sort(),
    ).toEqual(['done_on', 'hours', 'report_no']);
  });

  test('stay unchanged', async () => {
    const { id } = await create({ state: 'done', report_no: 'R1', done_on: '2026-01-31', parts: [{ what: 'rope' }] });
    expect(await update(id, { version: 1, state: 'open' })).toMatchObject({
      report_no: 'R1',
      done_on: '2026-01-31',
      parts: [{ what: 'rope' }],
    });
    // What no longer fits and is not shown keeps nobody from saving the rest.
    await bench.sql('update {s}.t_visit set report_no = $1 where id = $2', ['longer than five', id]);
    expect(await update(id, { version: 2, name: 'Kept' })).toMatchObject({ name: 'Kept' });
    expect(await refusedFields(update(id, { version: 3, state: 'done' }))).toEqual(['report_no']);
  });
});

describe('child rows', () => {
  test('a new row gets the defaults of its columns, also in a changed record', async () => {
    const fresh = { kind: 'plain', qty: 1, by: bench.users[0], source: 'hand' };
    const { id, lines } = await create({ lines: [{}, { kind: 'odd', reason: 'x', qty: null }] });
    expect(lines).toMatchObject([fresh, { kind: 'odd', qty: null, source: 'hand' }]);
    const { lines: after } = await update(id, { version: 1, lines: [...(lines as Row[]), { qty: 5 }] });
    expect(after).toMatchObject([fresh, { qty: null }, { ...fresh, qty: 5 }]);
  });

  test('a stored row keeps values that are not sent, and values that nobody may set', async () => {
    const { id, lines } = await create({ lines: [{ qty: 3 }] });
    const [{ id: row }] = lines as [Row];
    await bench.sql(`update {s}.t_visit__lines set source = 'scale' where id = $1`, [row]);
    expect(await update(id, { version: 1, lines: [{ id: row, address: 'A', source: 'mine' }] })).toMatchObject({
      lines: [{ id: row, qty: 3, kind: 'plain', address: 'A', source: 'scale' }],
    });
  });
});

test('a bulk change names the fields that it rejects, and changes the others', async () => {
  const { id } = await create({ area_id: areas[0] });
  const set = { rate: '1.00', double_rate: '1.00', nonsense: 1, address: 'Taken', area_id__label: 'Chennai' };
  expect(await bench.engine.bulkSet(bench.session(), visit(), [id], set)).toEqual({
    changed: [id],
    errors: [],
    not_taken: [
      { field: 'rate', message: 'Rate is filled in by the system.' },
      { field: 'double_rate', message: 'Double rate is filled in by the system.' },
      { field: 'nonsense', message: 'There is no field "nonsense".' },
    ],
  });
  expect(await bench.engine.read(bench.session(), visit(), id)).toMatchObject({ address: 'Taken', rate: '10.00' });
  expect(await bench.engine.bulkSet(bench.session(), visit(), [id], { rate: '1.00' })).toMatchObject({
    changed: [],
    not_taken: [{ field: 'rate' }],
  });
  const fields = visit().fields.map((field) =>
    field.name === 'address' ? { ...field, readOnly: true, keptFrom: true as const } : field,
  );
  expect(await bench.engine.bulkSet(bench.session(), { ...visit(), fields }, [id], { address: 'No' })).toMatchObject({
    not_taken: [{ field: 'address', message: 'Your roles do not let you change Address.' }],
  });
});

describe('documents', () => {
  const paper = () => bench.screen('t_paper');
  const atBranch = () => bench.session({ branchIds: bench.branches });
  const add = (input: Row) => bench.engine.create(atBranch(), paper(), { name: 'Paper', ...input });

  test('a list with an amount includes its currency', async () => {
    const [usd] = await bench.sql<{ id: number }>(`insert into {s}.t_currency (iso_code) values ('USD') returning id`);
    const { id } = await add({ price: '5.00', currency_id: usd!.id });
    const query = bench.query('t_paper', { ids: String(id), columns: 'price' });
    const { data } = await bench.engine.list(bench.session(), paper(), query);
    expect(data).toMatchObject([{ price: '5.00', currency_id: usd!.id, currency_id__label: 'USD' }]);
    const alone = bench.query('t_paper', { ids: String(id), columns: 'name' });
    expect((await bench.engine.list(bench.session(), paper(), alone)).data[0]).not.toHaveProperty('currency_id');
  });

  const change = (id: number, input: Row) => bench.engine.update(bench.session(), paper(), id, input);

  test('a field locked by a condition refuses changes, and accepts the same value', async () => {
    const { id, lines } = await add({ price: '5.00', lines: [{ what: 'rope', qty: 1, rate: '2.00' }] });
    const [line] = lines as [Row];
    expect(await change(id, { version: 1, closed: true, price: '6.00' })).toMatchObject({ price: '6.00' });
    const { details } = await refusal(
      change(id, { version: 2, price: '7.00', lines: [{ id: line.id, qty: 2, rate: '3.00' }] }),
    );
    expect(details).toEqual([
      { field: 'price', message: 'Price cannot be changed now. Leave it as it is: ₹6.00.' },
      { field: 'lines.0.qty', message: 'Qty cannot be changed now. Leave it as it is: 1.' },
    ]);
    const same = { price: '6', lines: [{ id: line.id, qty: 1, rate: '3.00' }] };
    expect(await change(id, { version: 2, ...same })).toMatchObject({ lines: [{ qty: 1, rate: '3.00' }] });
    // Who opens it changes it at once.
    expect(await change(id, { version: 3, closed: false, price: '7.00' })).toMatchObject({ price: '7.00' });
    expect(await refusedFields(add({ closed: true, price: '1.00' }))).toEqual(['price']);
    expect(await add({ closed: true })).toMatchObject({ price: null });
  });

  test('a value cannot unlock its own field', async () => {
    const { id, lines } = await add({ lines: [{ qty: 150 }] });
    const [line] = lines as [Row];
    expect(await refusedFields(change(id, { version: 1, lines: [{ id: line.id, qty: 5 }] }))).toEqual(['lines.0.qty']);
  });

  test('conditions see the id of a stored record; a new one has none', async () => {
    const { id } = await add({ area_id: areas[0] });
    expect(await refusedFields(change(id, { version: 1, area_id: areas[1] }))).toEqual(['area_id']);
  });

  test('a write-once field stays, in the record and in rows; it can be filled while it is empty', async () => {
    const { id, lines } = await add({ area_id: areas[0], lines: [{ qty: 1 }] });
    const [line] = lines as [Row];
    const { details } = await refusal(change(id, { version: 1, address: 'Elsewhere' }));
    expect(details).toEqual([
      { field: 'address', message: 'Address is entered once and stays. Leave it as it is: 1 Mount Road.' },
    ]);
    expect(await change(id, { version: 1, lines: [{ id: line.id, what: 'rope' }] })).toMatchObject({
      lines: [{ what: 'rope' }],
    });
    expect(await refusedFields(change(id, { version: 2, lines: [{ id: line.id, what: null }] }))).toEqual([
      'lines.0.what',
    ]);
  });

  test('bulk changes, imports and jobs are restricted too; the product itself is not', async () => {
    const { id } = await add({ area_id: areas[0] });
    await change(id, { version: 1, closed: true });
    const answer = await bench.engine.bulkSet(bench.session(), paper(), [id], { price: '1.00' });
    expect(answer).toMatchObject({ changed: [], errors: [{ id, message: expect.stringContaining('Price') }] });
    const stored = await bench.engine.read(bench.session(), paper(), id);
    const [checked] = bench.engine.validateMany(
      bench.session(),
      paper(),
      [{ ...stored, price: '1.00', address: 'Else' }],
      [stored],
    );
    expect(checked!.errors.map(({ field }) => field).sort()).toEqual(['address', 'price']);
    const open = openedFields(paper(), ['price']);
    expect(
      await bench.engine.update(bench.session(), open, id, { version: stored.version, price: '9.00' }),
    ).toMatchObject({ price: '9.00' });
  });

  test('a value copied only into an empty field stays when another record is chosen', async () => {
    const { id, ...first } = await add({ zone_id: areas[0] });
    expect(first).toMatchObject({ contact: '1 Mount Road' });
    expect(await change(id, { version: 1, zone_id: areas[1] })).toMatchObject({ contact: '1 Mount Road' });
    expect(await change(id, { version: 2, zone_id: areas[0], contact: null })).toMatchObject({
      contact: '1 Mount Road',
    });
    expect(await change(id, { version: 3, contact: 'Mine' })).toMatchObject({ contact: 'Mine' });
    expect(await change(id, { version: 4, zone_id: areas[1] })).toMatchObject({ contact: 'Mine' });
  });

  test('defaults: the day, the branch, the company, other fields; also in new rows', async () => {
    const { id, lines, ...made_ } = await add({
      name: 'Seven',
      area_id: areas[0],
      lines: [{ what: 'rope' }, { note: null }],
    });
    expect(made_).toMatchObject({
      made_on: today(),
      branch_id: bench.branches[0],
      paid_in: 'INR',
      heading: 'Seven / 1 Mount Road',
    });
    expect(lines).toMatchObject([{ note: 'Seven rope' }, { note: null }]);
    // Who sends nothing for it keeps it empty; a stored record gets no defaults, its new rows do.
    expect(await add({ heading: null, made_on: null })).toMatchObject({ heading: null, made_on: null });
    const after = await change(id, { version: 1, heading: null, lines: [...(lines as Row[]), { what: 'oil' }] });
    expect(after).toMatchObject({ heading: null, lines: [{}, { note: null }, { note: 'Seven oil' }] });
    expect(await bench.engine.beginsWith(bench.session(), paper())).toMatchObject({ paid_in: 'INR', made_on: today() });
    const [checked] = bench.engine.validateMany(bench.session(), paper(), [{ name: 'Sheet', address: 'Hall' }]);
    expect(checked!.record).toMatchObject({ heading: 'Sheet / Hall' });
  });

  test('a record of a type that another field names', async () => {
    const site = async (companyId: number, code: string) =>
      (
        await bench.sql<{ id: number }>(
          `insert into {s}.t_site (code, name, kind, entity_id) values ($1, $1, 'lift', $2) returning id`,
          [code, companyId],
        )
      )[0]!.id;
    const [mine, theirs] = [await site(bench.companies[0], 'MINE'), await site(bench.companies[1], 'THEIRS')];
    const { id, ...made_ } = await add({
      about: 't_site',
      about_id: mine,
      lines: [{ of: 't_area', of_id: areas[0] }],
    });
    expect(made_).toMatchObject({ about_id: mine, about_id__label: 'MINE', lines: [{ of_id__label: 'Chennai' }] });
    const query = bench.query('t_paper', { ids: String(id), columns: 'about_id' });
    expect((await bench.engine.list(bench.session(), paper(), query)).data).toMatchObject([
      { about_id__label: 'MINE' },
    ]);
    // Another type empties it; another company's, an unknown one, and one without a type are refused.
    expect(await change(id, { version: 1, about: 't_area' })).toMatchObject({ about: 't_area', about_id: null });
    expect(await refusedFields(change(id, { version: 2, about: 't_site', about_id: theirs }))).toEqual(['about_id']);
    expect(await refusedFields(change(id, { version: 2, about_id: 999_999 }))).toEqual(['about_id']);
    expect(await refusedFields(add({ about: 't_site', about_id: theirs }))).toEqual(['about_id']);
    expect(await refusedFields(add({ lines: [{ of: 't_site', of_id: theirs }] }))).toEqual(['lines.0.of_id']);
    const { details } = await refusal(add({ about_id: mine }));
    expect(details).toEqual([{ field: 'about_id', message: 'Choose About first.' }]);
    expect(await change(id, { version: 2, about: 't_site', about_id: mine })).toMatchObject({ about_id: mine });
    // Who does not see the record does not choose it.
    const blind = bench.session({ branchIds: bench.branches, scope: 'own', userId: bench.users[1] });
    expect(
      await refusedFields(bench.engine.create(blind, paper(), { name: 'No', about: 't_site', about_id: mine })),
    ).toEqual(['about_id']);
    const field = asReference(
      paper().fields.find(({ name }) => name === 'about_id')!,
      { about: 't_site' },
    )!;
    const choose = (session: typeof blind) =>
      bench.engine.options(session, bench.screen('t_site'), {
        asking: { screen: paper(), field, siblings: paper().fields },
      });
    expect((await choose(bench.session())).map(({ label }) => label)).toContain('MINE');
    expect((await choose(blind)).map(({ label }) => label)).not.toContain('MINE');
    expect((await refusal(bench.engine.remove(bench.session(), bench.screen('t_site'), mine))).status).toBe(409);
  });
});
