import { useEffect, useEffectEvent } from 'react';

/** True if a key press belongs to something else: a field being typed in, an open dialog or menu. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return true;
  const target = event.target as HTMLElement | null;
  if (target?.closest('input:not([type=checkbox]), textarea, select, [contenteditable=true]')) return true;
  return document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null;
}

/** "/" searches, "n" adds. */
export function useLandingKeys(keys: Record<string, (() => void) | null>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const action = keys[event.key];
    if (!action || isTaken(event)) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
