import { describe, expect, it } from 'vitest';
import type { FilterExpression, Screen } from '../../../../../src/descriptor/types.ts';
import { operatorsFor } from '../../../../../src/descriptor/filter.ts';
import { conditionOf, draftOf, operatorChoices } from '../../../../../src/client/runtime/landing/filter_draft.ts';
import { idsInConditions } from '../../../../../src/client/runtime/landing/filter_words.ts';
import { contractScreen } from '../contract_screen.ts';

const screen: Screen = contractScreen();
const field = (name: string) => screen.fields.find((one) => one.name === name)!;

describe('an edited condition', () => {
  it('offers only operators that the server accepts', () => {
    for (const one of screen.fields) {
      for (const { op } of operatorChoices(one)) {
        // Yes and No are ticked; one tick alone is sent as "eq".
        expect(operatorsFor(one), `${one.name} ${op}`).toContain(one.type === 'boolean' && op === 'in' ? 'eq' : op);
      }
    }
  });

  it.each<FilterExpression>([
    ['name', 'contains', 'lift'],
    ['status', 'in', ['draft']],
    ['status', 'notin', ['draft']],
    ['branch_id', 'notin', [3]],
    ['name', 'ne', 'lift'],
    ['renewed', 'eq', false],
    ['starts_on', 'between', ['2026-04-01', '2027-03-31']],
    ['floors', 'gte', 3],
    ['branch_id', 'in', [3]],
    ['branch_id', 'empty'],
  ])('opens %j and closes to the same', (...condition) => {
    const one = field(condition[0] as string);
    expect(conditionOf(one, draftOf(one, condition as FilterExpression))).toEqual({ condition });
  });
});

describe('a chip', () => {
  it('loads only the labels of its ids', () => {
    const wanted = idsInConditions(
      [
        ['branch_id', 'in', [3, 7]],
        ['branch_id', 'contains', 'chen'],
        ['floors', 'eq', 3],
      ],
      screen,
    );
    expect(wanted.map(({ field: { name }, ids }) => [name, ids])).toEqual([['branch_id', [3, 7]]]);
  });
});
