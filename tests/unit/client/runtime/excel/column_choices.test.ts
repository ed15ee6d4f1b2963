import { describe, expect, it } from 'vitest';
import type { FoundColumn, FoundColumns } from '../../../../../src/client/runtime/excel/column_choices.ts';
import {
  choicesToSend,
  chosenText,
  firstChoices,
  missingFields,
  withChoices,
} from '../../../../../src/client/runtime/excel/column_choices.ts';

const column = (heading: string, state: FoundColumn['state'], field: string | null, guess: string | null = null) => ({
  heading,
  column: 'A',
  field,
  state,
  guess,
  sample: 'x',
});
const found: FoundColumns = {
  sheet: 'Parties',
  sheets: ['Parties'],
  remembered: false,
  fields: [
    { name: 'name', title: 'Name', required: true },
    { name: 'phone', title: 'Phone', required: false },
    { name: 'site', title: 'Site', required: false },
    { name: 'code', title: 'Code', required: true },
  ],
  columns: [
    column('Name', 'matched', 'name'),
    column('Mobile', 'unknown', null, 'phone'),
    column('Name (2)', 'doubled', null),
    column('Colour', 'unknown', null),
    column('Place', 'chosen', 'site'),
    column('Created on', 'kept', null),
  ],
};

describe('the columns of a file', () => {
  it('start with known and guessed fields; the rest is ignored', () => {
    expect([...firstChoices(found)]).toEqual([
      ['Name', 'name'],
      ['Mobile', 'phone'],
      ['Name (2)', null],
      ['Colour', null],
      ['Place', 'site'],
    ]);
  });

  it('are sent if the headings alone are not clear', () => {
    expect(choicesToSend(found, firstChoices(found)).map(({ heading }) => heading)).toEqual([
      'Mobile',
      'Name (2)',
      'Colour',
      'Place',
    ]);
    const swapped = new Map(firstChoices(found)).set('Name', null).set('Name (2)', 'name');
    expect(choicesToSend(found, swapped)).toContainEqual({ heading: 'Name', field: null });
    expect(choicesToSend(found, swapped)).toContainEqual({ heading: 'Name (2)', field: 'name' });
  });

  it('name required fields without a column', () => {
    expect(missingFields(found, firstChoices(found))).toEqual(['Code']);
    expect(missingFields(found, new Map(firstChoices(found)).set('Colour', 'code'))).toEqual([]);
  });

  it('stay when the server refuses them, with the reason', () => {
    const kept = withChoices(found, [
      { heading: 'Mobile', field: 'phone' },
      { heading: 'Colour', field: null },
    ]);
    expect(firstChoices(kept).get('Mobile')).toBe('phone');
    expect(chosenText({ ...kept, sheets: ['Parties', 'Old'] })).toBe(
      'The sheet "Parties" is read. "Mobile" goes to Phone. "Colour" is left out. "Place" goes to Site.',
    );
  });
});
