import { createStore } from '../store.ts';

/** The open dialog of the frame: one at a time. */
export type Panel = 'company' | 'add' | 'search' | 'problems' | 'menu' | 'notifications' | null;

export const panel = createStore<Panel>(null);

export function openPanel(name: Panel): void {
  panel.set(name);
  if (name === 'search') catchTyping();
  else takeTyped();
}

let typed = '';

const caught = (event: KeyboardEvent) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.key === 'Backspace') typed = typed.slice(0, -1);
  else if (event.key === 'Escape') return openPanel(null);
  else if (event.key.length !== 1) return;
  else typed += event.key;
  event.preventDefault();
  event.stopPropagation();
};

/** Buffers typed keys until the search is ready: on the first load that takes a while. */
function catchTyping(): void {
  addEventListener('keydown', caught, true);
}

/** The keys typed before the search was ready; from now on keys go to the focused element. */
export function takeTyped(): string {
  removeEventListener('keydown', caught, true);
  const text = typed;
  typed = '';
  return text;
}

/** The manual's page about this one, in a new tab. */
export function openHelp(): void {
  window.open(`/usermanual_view/here?from=${encodeURIComponent(location.pathname)}`, '_blank');
}
