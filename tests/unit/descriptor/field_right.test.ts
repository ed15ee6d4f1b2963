import { expect, test } from 'vitest';
import { fieldRightError, productScreen, restricted } from '../../../src/descriptor/overlay.ts';
import { loadScreens } from '../../../src/server/engine/descriptors/load.ts';

const { screens } = await loadScreens('schemas');
const grade = screens.get('employee_grade')!;

test('what says how far a record is goes on by its steps, not by a right on the field', () => {
  const lead = screens.get('admin_lead')!;
  expect(fieldRightError(lead, lead.looks!.board!.by, 'read', false)).toMatch(/goes on by its steps/);
  expect(fieldRightError(lead, lead.looks!.board!.by, 'hidden', false)).toMatch(/it says how far the record is/);
});

test('a screen without what is kept is a screen of its own, made of the product’s; what cannot be kept stays', () => {
  const made = restricted(
    grade,
    new Map([
      ['max_ctc', 'hidden'],
      ['per_diem', 'read'],
      ['name', 'hidden'],
    ] as const),
  );
  expect(productScreen(made)).toBe(grade);
  expect(made.hash).not.toBe(grade.hash);
  expect(made.fields.map(({ name }) => name)).toEqual(
    grade.fields.map(({ name }) => name).filter((name) => name !== 'max_ctc'),
  );
  expect(made.fields.filter(({ readOnly }) => readOnly).map(({ name }) => name)).toEqual(['per_diem']);
  expect(made.rules).toEqual([]);
  expect(JSON.stringify([made.grid, made.form, made.schema, made.card, made.filters])).not.toContain('max_ctc');
});

test('nothing kept leaves the screen as it is, with all that was made of it', () => {
  expect(restricted(grade, new Map())).toBe(grade);
});
