import { controlId } from './form_context.ts';

/** Brings a field into view and puts the focus into its control. */
export function focusField(prefix: string, name: string): void {
  const control = document.getElementById(controlId(prefix, name));
  // A group has no control of that id, but a line for its message; another form's field of that name is not meant.
  const place =
    control ?? document.getElementById(`${controlId(prefix, name)}-message`)?.closest<HTMLElement>('[data-field]');
  if (!place) return;
  place.scrollIntoView?.({ block: 'center' });
  const target = control?.matches('input, textarea, select, button, [tabindex], [contenteditable]')
    ? control
    : place.querySelector<HTMLElement>('input, textarea, select, button, [tabindex="0"]');
  target?.focus({ preventScroll: true });
}
