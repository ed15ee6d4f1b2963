import { act, renderHook } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { useDraft } from '../../../../../src/client/runtime/fields/draft.ts';

const drawn = (onChange: (value: unknown) => void) =>
  renderHook(({ value }) => useDraft({ value, parse: (text) => ({ value: text }), onChange }), {
    initialProps: { value: 'a' },
  });

it('a late value from the form does not overwrite newer input', () => {
  const onChange = vi.fn<(value: unknown) => void>();
  const { result, rerender } = drawn(onChange);
  const type = (text: string) =>
    act(() => {
      result.current.type(text);
      result.current.commit();
    });
  type('ab');
  type('abc');
  rerender({ value: 'ab' });
  expect(result.current.held()).toBe('abc');
  rerender({ value: 'abc' });
  expect(result.current.held()).toBe('abc');
  rerender({ value: 'from elsewhere' });
  expect(result.current.held()).toBeNull();
});

it('a value typed back before the form answered is passed on again', () => {
  const onChange = vi.fn<(value: unknown) => void>();
  const { result } = drawn(onChange);
  for (const text of ['ab', 'a'])
    act(() => {
      result.current.type(text);
      result.current.commit();
    });
  expect(onChange.mock.calls).toEqual([['ab'], ['a']]);
});

it('knows that the form has not answered yet, so that an earlier value is not taken for an outside change', () => {
  const { result, rerender } = drawn(vi.fn<(value: unknown) => void>());
  act(() => {
    result.current.type('ab');
    result.current.commit();
    result.current.type('abc');
    result.current.settle();
  });
  expect(result.current.held()).toBeNull();
  rerender({ value: 'ab' });
  expect(result.current.isWaiting()).toBe(true);
  rerender({ value: 'abc' });
  expect(result.current.isWaiting()).toBe(false);
});
