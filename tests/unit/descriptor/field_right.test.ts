import { expect, test } from 'vitest';
import { fieldRightError, productScreen, restricted } from '../../../src/descriptor/overlay.ts';
import { loadScreens } from '../../../src/server/engine/descriptors/load.ts';

const { screens } = await loadScreens('schemas');
const grade = screens.get('employee_grade')!;

test('a progress field is changed by transitions, not by a field right', () => {
  const lead = screens.get('admin_lead')!;
  expect(fieldRightError(lead, lead.looks!.board!.by, 'read', false)).toMatch(/goes on by its steps/);
  expect(fieldRightError(lead, lead.looks!.board!.by, 'hidden', false)).toMatch(/it says how far the record is/);
});

test('a screen with restricted fields is derived from the product’s; fields that cannot be restricted stay', () => {
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

test('no restriction leaves the screen and its derived data unchanged', () => {
  expect(restricted(grade, new Map())).toBe(grade);
});
