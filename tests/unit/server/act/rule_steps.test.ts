import { expect, test } from 'vitest';
import { offeredNames } from '../../../../src/descriptor/offered_names.ts';
import { RULE_EVENTS } from '../../../../src/server/modules/act_cases/rule_events.ts';
import { product } from '../product.ts';

test('a workflow rule hears every step that its form offers', async () => {
  const { screens } = await product;
  const fields = screens.get('workflow_rule')!.fields;
  const types = fields.find(({ name }) => name === 'record_type')!.options!;
  const step = fields.find(({ name }) => name === 'transition')!.fieldsOf!;
  const offered = types.flatMap(({ value: type }) =>
    offeredNames(screens.get(String(type))!, step).map(({ name }) => `${String(type)}.${name}`),
  );
  expect(offered.length).toBeGreaterThan(40);
  expect(offered.filter((event) => !RULE_EVENTS.includes(event))).toEqual([]);
});
