import { afterAll, beforeAll, expect, test } from 'vitest';
import { overlaid, restricted } from '../../../src/descriptor/overlay.ts';
import type { Screen } from '../../../src/descriptor/types.ts';
import { openedFields } from '../../../src/descriptor/opened_fields.ts';
import { packScreens, unpackScreens } from '../../../src/server/engine/excel/packed_screens.ts';
import { DESCRIPTORS, refusal, startBench } from './fixture.ts';
import type { Bench } from './fixture.ts';

DESCRIPTORS.t_deal = {
  kind: 'document',
  title: 'Deal',
  access: { screen: 'SCN_TEST', action: null },
  scope: 'entity',
  label: ['name'],
  sort: ['name'],
  schema: {
    required: ['name'],
    properties: {
      name: { $ref: 'types#name' },
      discount: { $ref: 'types#money', title: 'Discount' },
      floor_price: { $ref: 'types#money', title: 'Floor price', default: '40.00' },
      bank: { $ref: 'types#text', title: 'Bank' },
      account: { $ref: 'types#text', title: 'Account' },
      signed_by: { $ref: 'types#text', title: 'Signed by', 'x-required-when': 'floor_price > 500' },
      steps: { type: 'array', items: { type: 'object', properties: { price: { $ref: 'types#money' } } } },
    },
  },
  rules: [
    { assert: 'discount <= floor_price', message: 'The discount is above {floor_price}.', field: 'floor_price' },
    { assert: "bank == null or account != 'XX-0000'", message: 'This account takes no bank.', field: 'bank' },
    { assert: 'discount <= price', message: 'A step is below the discount.', field: 'price', rows: 'steps' },
  ],
  grid: ['name'],
};

let bench: Bench;
let seen: Screen;
beforeAll(async () => {
  bench = await startBench();
  seen = restricted(
    bench.screen('t_deal'),
    new Map([
      ['floor_price', 'hidden'],
      ['account', 'masked'],
      ['steps', 'hidden'],
    ]),
  );
});
afterAll(() => bench.close());

const whole = () => bench.screen('t_deal');
const update = (screen: Screen, id: number, input: Record<string, unknown>) =>
  bench.engine.update(bench.session(), screen, id, input);

test('rules over hidden and masked fields apply to everybody, and reveal nothing about those fields', async () => {
  expect(seen.rules).toEqual([]);
  const { id } = await bench.engine.create(bench.session(), whole(), {
    name: 'Hidden',
    floor_price: '123.00',
    account: 'XX-0000',
    steps: [{ price: '300' }, { price: '100' }],
  });
  const above = await refusal(update(seen, id, { version: 1, discount: '200' }));
  expect(above.details).toEqual([
    { field: '', message: 'The discount is above ….' },
    { field: '', message: 'A step is below the discount.' },
  ]);
  expect((await refusal(update(seen, id, { version: 1, discount: '110' }))).details).toMatchObject([
    { field: '', message: 'A step is below the discount.' },
  ]);
  const bank = await refusal(update(seen, id, { version: 1, bank: 'State Bank' }));
  expect(bank.details).toEqual([{ field: 'bank', message: 'This account takes no bank.' }]);
  expect(JSON.stringify([above, bank])).not.toMatch(/123|0000/);
  expect(await update(seen, id, { version: 1, discount: '90' })).toMatchObject({ discount: '90.00' });
  const { errors } = await bench.engine.bulkSet(bench.session(), seen, [id], { discount: '200' });
  expect(errors).toMatchObject([{ id }]);
  await expect(update(openedFields(seen, ['name']), id, { version: 2, discount: '200' })).rejects.toMatchObject({
    status: 422,
  });
});

test('a new record is checked with the defaults of its hidden fields', async () => {
  const create = (discount: string) =>
    bench.engine.create(bench.session(), seen, { name: `New ${discount}`, discount });
  expect((await refusal(create('41'))).details).toEqual([{ field: '', message: 'The discount is above ….' }]);
  expect(await create('40')).toMatchObject({ discount: '40.00' });
});

test('a field that a hidden one makes required is required', async () => {
  const { id } = await bench.engine.create(bench.session(), whole(), {
    name: 'Signed',
    floor_price: '600',
    signed_by: 'Asha',
  });
  expect((await refusal(update(seen, id, { version: 1, signed_by: null }))).details).toEqual([
    { field: 'signed_by', message: 'Signed by is required.' },
  ]);
  expect(await update(seen, id, { version: 1, signed_by: 'Bala' })).toMatchObject({ signed_by: 'Bala' });
});

test('an import is checked in the same way', async () => {
  const { id } = await bench.engine.create(bench.session(), whole(), { name: 'Sheet', floor_price: '50' });
  const unpacked = unpackScreens(await packScreens(new Map([['t_deal', seen]]))).get('t_deal')!;
  const unseen = await bench.engine.unseenValues(bench.session(), unpacked, [id]);
  const checked = (discount: string) =>
    bench.engine.validateMany(
      bench.session(),
      unpacked,
      [{ name: 'Sheet', discount }],
      [{ name: 'Sheet' }],
      [unseen.get(id)],
    )[0]!.errors;
  expect(checked('45')).toEqual([]);
  expect(checked('51')).toEqual([{ field: '', message: 'The discount is above ….' }]);
});

test('a field removed by the client is not required any more', async () => {
  const gone = overlaid(whole(), {}, [{ kind: 'standard', field: 'floor_price', shown: false }], () => true);
  expect(await bench.engine.create(bench.session(), gone, { name: 'Gone', discount: '1000' })).toMatchObject({
    discount: '1000.00',
  });
});
