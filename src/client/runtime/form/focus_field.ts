import { controlId } from './form_context.ts';

/** Brings a field into view and puts the focus into its control. */
export function focusField(prefix: string, name: string): void {
  const control = document.getElementById(controlId(prefix, name));
  const place = control ?? document.querySelector<HTMLElement>(`[data-field="${name}"]`);
  if (!place) return;
  place.scrollIntoView?.({ block: 'center' });
  const target = control?.matches('input, textarea, select, button, [tabindex], [contenteditable]') ? control : place.querySelector<HTMLElement>('input, textarea, select, button, [tabindex="0"]');
  target?.focus({ preventScroll: true });
}
