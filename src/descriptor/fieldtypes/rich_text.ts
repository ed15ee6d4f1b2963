import { textType } from './plain_text.ts';

/** Formatted text as a small, safe subset of HTML. */
export const rich_text = textType('rich_text', {
  format: (value) => String(value ?? '').replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ').trim(),
  clean: (value) => value,
});
