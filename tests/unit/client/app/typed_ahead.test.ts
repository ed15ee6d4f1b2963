import { afterEach, expect, it } from 'vitest';
import { openPanel, panel, takeTyped } from '../../../../src/client/app/layout/panels.ts';

afterEach(() => openPanel(null));

function press(key: string, more: KeyboardEventInit = {}): boolean {
  return document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
}

it('keeps what is typed between opening the search and its rendering', () => {
  expect(press('x')).toBe(true);
  openPanel('search');
  for (const key of ['l', 'i', 'g', 'Backspace', 'f', 't', ' ', '4']) expect(press(key)).toBe(false);
  // Shortcuts and keys that write nothing go where they went.
  expect(press('c', { ctrlKey: true })).toBe(true);
  expect(press('Shift')).toBe(true);
  expect(takeTyped()).toBe('lift 4');
  expect(press('y')).toBe(true);
  expect(takeTyped()).toBe('');
});

it('Esc closes a search that is not rendered yet, and clears the input', () => {
  openPanel('search');
  press('a');
  press('Escape');
  expect(panel.get()).toBeNull();
  expect(press('b')).toBe(true);
  expect(takeTyped()).toBe('');
});
