import { beforeAll, expect, it } from 'vitest';
import type { Screen } from '../../../../src/descriptor/types.ts';
import type { Session } from '../../../../src/server/access/context.ts';
import { searchLists } from '../../../../src/server/engine/records/search_lists.ts';
import { product } from '../product.ts';

let screens: Map<string, Screen>;
const session = (isRefused: (screen: Screen) => boolean = () => false) =>
  ({ rights: { refuse: (screen: Screen) => (isRefused(screen) ? 'no' : null) } }) as unknown as Session;
const asked = (text: string, by = session()) =>
  searchLists(by, screens, text).map(({ label, route }) => [label, decodeURIComponent(route)]);

beforeAll(async () => {
  ({ screens } = await product);
});

it.each(['quotations last week', 'Quotation from last week', "last week's quotations", 'quot LAST_WEEK'])(
  '"%s" leads to the list with that filter',
  (text) => {
    expect(asked(text)).toContainEqual([
      'Quotations: Valid until last week',
      '/Quotation?filter=["valid_until","within","last_week"]',
    ]);
  },
);

it('uses the longest period that it recognises, and none without a list or a right', () => {
  expect(asked('inspections this financial year')[0]![1]).toContain('"within","this_fy"');
  expect(asked('inspections this year')[0]![1]).toContain('"within","this_year"');
  expect(asked('last week')).toEqual([]);
  expect(asked('quotations of Kaveri')).toEqual([]);
  expect(asked('quotations kaveri yesterday')).toEqual([]);
  expect(
    asked(
      'quotations yesterday',
      session(() => true),
    ),
  ).toEqual([]);
});
