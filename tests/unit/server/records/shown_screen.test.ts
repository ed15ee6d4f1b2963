import { expect, test } from 'vitest';
import { shownScreen } from '../../../../src/server/http/records/hidden_fields.ts';
import { product } from '../product.ts';

const { screens } = await product;

test('the browser gets every field that a transition asks for, without fields that nobody reads', () => {
  let apart = 0;
  for (const screen of screens.values()) {
    const { fields, asked = [], workflow } = shownScreen(screen);
    const known = new Set([...fields, ...asked].map(({ name }) => name));
    const missing = workflow?.transitions.flatMap(({ ask }) => ask.filter(({ field }) => !known.has(field)));
    expect(missing ?? [], screen.name).toEqual([]);
    expect(
      fields.filter(({ hidden }) => hidden === 'always').map(({ name }) => name),
      screen.name,
    ).toEqual([]);
    apart += asked.length;
  }
  expect(apart).toBeGreaterThan(0);
});
