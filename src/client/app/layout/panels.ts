import { createStore } from '../store.ts';

/** The dialog of the frame that is open: one at a time. */
export type Panel = 'company' | 'add' | 'search' | 'problems' | 'menu' | 'notifications' | null;

export const panel = createStore<Panel>(null);

export function openPanel(name: Panel): void {
  panel.set(name);
}

/** The manual's page about this one, in a tab of its own. */
export function openHelp(): void {
  window.open(`/usermanual_view/here?from=${encodeURIComponent(location.pathname)}`, '_blank');
}
