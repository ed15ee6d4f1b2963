import { useFocusFinders } from '@fluentui/react-components';
import { useEffect } from 'react';
import { focusKeeper } from '../feedback.ts';

/**
 * Fluent's focus manager ends with its last user; a dialog that was the last user would leave the page hidden from
 * screen readers. This component stays mounted beside every page.
 */
export function FocusKeeper(): null {
  useFocusFinders();
  return null;
}

/** Every dialog that may be the only user keeps the focus manager alive from the start. */
export function useFocusKeeper(): void {
  useEffect(() => focusKeeper.set(() => FocusKeeper), []);
}
