import { useEffect } from 'react';
import type { RefObject } from 'react';
import { isPhone } from '../../app/session.ts';
import { focusFirst } from './focus_field.ts';
import { fieldsInOrder, tabOf } from './FormLayout.tsx';
import type { FormController } from './use_form.ts';

/** Focuses the first editable field. Not on phones, where the keyboard would cover the form. */
export function useFirstFocus(
  { store, prefix, layout: { tab } }: FormController,
  within?: RefObject<HTMLElement | null>,
): void {
  useEffect(() => {
    if (isPhone()) return;
    const { screen } = store;
    const names = fieldsInOrder(screen).flatMap(({ name, readOnly, rows }) => {
      const state = store.field(name);
      return !readOnly && !rows && state.shown && !state.held && tabOf(screen, name) === tab ? [name] : [];
    });
    const frame = requestAnimationFrame(() => focusFirst(prefix, names, within?.current ?? null));
    return () => cancelAnimationFrame(frame);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, as the form opens: not with each tab
  }, [store]);
}
