import { afterEach, expect, it } from 'vitest';
import { focusField } from '../../../../../src/client/runtime/form/focus_field.ts';

const form = (prefix: string, group = false) =>
  `<div data-field="value"><input ${group ? '' : `id="${prefix}-value"`} name="${prefix}"><div id="${prefix}-value-message"></div></div>`;

const focused = () => (document.activeElement as HTMLInputElement).name;

afterEach(() => {
  document.body.innerHTML = '';
});

it('finds the field in its form, also a group whose controls have their own names', () => {
  document.body.innerHTML = form('under') + form('above', true);
  focusField('above', 'value');
  expect(focused()).toBe('above');
  focusField('under', 'value');
  expect(focused()).toBe('under');
});

it('leaves the focus alone when the form has gone', () => {
  document.body.innerHTML = form('next');
  focusField('gone', 'value');
  expect(document.activeElement).toBe(document.body);
});
