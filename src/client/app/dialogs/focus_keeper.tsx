import { useFocusFinders } from '@fluentui/react-components';
import { useEffect } from 'react';
import { focusKeeper } from '../feedback.ts';

/**
 * Fluent's focus manager ends with its last user, and a dialog that was that user would leave the page hidden from
 * screen readers. This one stays, beside every page.
 */
export function FocusKeeper(): null {
  useFocusFinders();
  return null;
}

/** Every dialog that may be the only one in use keeps the focus manager from its first moment on. */
export function useFocusKeeper(): void {
  useEffect(() => focusKeeper.set(() => FocusKeeper), []);
}
