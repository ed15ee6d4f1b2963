import { expect, it } from 'vitest';
import {
  CARD_FIELDS,
  cardTexts,
  chosenFields,
  keepFields,
} from '../../../../../src/client/modules/organisation/card_fields.ts';
import { ChartTree, listedPerson } from '../../../../../src/domain/organisation/chart_tree.ts';

it('a card shows the fields that its reader chose, in their usual order; each user has own ones', () => {
  const head = {
    ...listedPerson({ id: 1, parent: null, name: 'Meena', empno: 'L1', designation: 'Head' }),
    department: 'Information technology',
    branch: 'Chennai',
    score: 95.91,
  };
  const one = listedPerson({ id: 2, parent: 1, name: 'Elango', empno: 'L2', designation: null });
  const post = { ...listedPerson({ id: -3, parent: 1, name: '', empno: '', designation: 'Engineer' }), wanted: 2 };
  const tree = new ChartTree([head, one, post]);
  expect(chosenFields(7)).toEqual(['designation', 'department', 'branch']);
  // A text that is too long does not end with the sign between two fields.
  expect(cardTexts(head, chosenFields(7), tree)).toEqual(['Meena', 'Head', 'Information technology…']);
  keepFields(7, ['score', 'designation', 'span']);
  const chosen = chosenFields(7);
  expect(chosen).toEqual(['designation', 'span', 'score']);
  expect(cardTexts(head, chosen, tree)).toEqual(['Meena', 'Head', '1 direct · 95.9']);
  // A vacant post is no report and has its own lines. What somebody does not have takes no room.
  expect(cardTexts(one, chosen, tree)).toEqual(['Elango', 'L2', '']);
  expect(cardTexts(post, chosen, tree)).toEqual(['Engineer', 'Vacant, 2 posts', '']);
  expect(chosenFields(8)).toEqual(['designation', 'department', 'branch']);
  keepFields(7, []);
  expect(cardTexts(head, chosenFields(7), tree)).toEqual(['Meena', '', '']);
  expect(CARD_FIELDS).toHaveLength(9);
});
