import { useEffect, useRef } from 'react';

/** True while a key press belongs to somebody else: a field being typed in, an open dialog or menu. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return true;
  const target = event.target as HTMLElement | null;
  if (target?.closest('input:not([type=checkbox]), textarea, select, [contenteditable=true]')) return true;
  return document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null;
}

/** "/" searches, "n" adds. */
export function useLandingKeys(keys: Record<string, (() => void) | null>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const action = latest.current[event.key];
      if (!action || isTaken(event)) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
