import { afterEach, expect, it, vi } from 'vitest';
import { browserAction } from '../../../../src/client/runtime/browser_action.ts';
import type { Field, RecordAction, Screen, WireRecord } from '../../../../src/descriptor/types.ts';

const field = (name: string, type: string): Field => ({
  name,
  type,
  title: name,
  required: false,
  schema: { type: 'string' },
  secret: false,
  readOnly: false,
});
const screen = {
  title: 'Vendor',
  fields: [field('website', 'url'), field('gstin', 'text')],
  routes: { view: '/vendor/view/:id', edit: null },
} as unknown as Screen;
const record = { id: 7, version: 1, active: true, website: 'https://example.in/a', gstin: '33AAA' } as WireRecord;
const act = (action: Partial<RecordAction>, more: object = {}) =>
  browserAction(screen, { title: 'Do', ...action }, { ...record, ...more });

afterEach(() => vi.restoreAllMocks());

it('copies the address of the record, or the value of a field', async () => {
  const writeText = vi.fn<(text: string) => Promise<void>>(() => Promise.resolve());
  const withClipboard = Object.create(navigator) as Navigator;
  Object.defineProperty(withClipboard, 'clipboard', { value: { writeText } });
  vi.stubGlobal('navigator', withClipboard);
  await act({ browser: 'copy_link' });
  await act({ browser: 'copy', of: 'gstin' });
  expect(writeText.mock.calls).toEqual([[`${location.origin}/vendor/view/7`], ['33AAA']]);
  vi.unstubAllGlobals();
});

it('prints, and opens web addresses only, without giving them access to the page', async () => {
  const print = vi.spyOn(window, 'print').mockImplementation(() => undefined);
  const open = vi.spyOn(window, 'open').mockImplementation(() => null);
  await act({ browser: 'print' });
  await act({ browser: 'open', of: 'website' });
  await act({ browser: 'open', of: 'website' }, { website: 'javascript:alert(1)' });
  expect(print).toHaveBeenCalledTimes(1);
  expect(open.mock.calls).toEqual([['https://example.in/a', '_blank', 'noopener,noreferrer']]);
});
