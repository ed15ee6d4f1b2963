import { textType } from './plain_text.ts';
import { written } from './written.ts';

/** Formatted text as a small, safe subset of HTML. */
export const rich_text = textType('rich_text', {
  format: (value) => written(value).replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ').trim(),
  clean: (value) => value,
});
