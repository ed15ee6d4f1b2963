import { createStore } from '../store.ts';

/** The dialog of the frame that is open: one at a time. */
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

/** Keeps what is typed until the search stands: on a page that loads for the first time that takes a while. */
function catchTyping(): void {
  addEventListener('keydown', caught, true);
}

/** What was typed before the search stood; from now on keys go where the focus is. */
export function takeTyped(): string {
  removeEventListener('keydown', caught, true);
  const text = typed;
  typed = '';
  return text;
}

/** The manual's page about this one, in a tab of its own. */
export function openHelp(): void {
  window.open(`/usermanual_view/here?from=${encodeURIComponent(location.pathname)}`, '_blank');
}
