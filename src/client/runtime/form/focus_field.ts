import { controlId } from './form_context.ts';

/**
 * Focuses the first of these fields that has a control, without scrolling. Does nothing if the person is already
 * typing, or a dialog is open above the form.
 */
export function focusFirst(prefix: string, names: readonly string[], within: HTMLElement | null): void {
  const active = document.activeElement;
  if (active?.closest('[data-field], input, textarea, select')) return;
  const modal = document.querySelector('[aria-modal="true"], [role="alertdialog"]');
  if (modal && !modal.contains(within)) return;
  for (const name of names) {
    const control = document.getElementById(controlId(prefix, name));
    if (!control?.matches('input, textarea, select, button, [contenteditable]')) continue;
    control.focus({ preventScroll: true });
    return;
  }
}

/** Scrolls to a field and focuses its control. */
export function focusField(prefix: string, name: string): void {
  const control = document.getElementById(controlId(prefix, name));
  // A group has no control with that id, but a message line; a field of the same name in another form must not be
  // matched.
  const place =
    control ?? document.getElementById(`${controlId(prefix, name)}-message`)?.closest<HTMLElement>('[data-field]');
  if (!place) return;
  place.scrollIntoView?.({ block: 'center' });
  const target = control?.matches('input, textarea, select, button, [tabindex], [contenteditable]')
    ? control
    : place.querySelector<HTMLElement>('input, textarea, select, button, [tabindex="0"]');
  target?.focus({ preventScroll: true });
}
