import type { Field } from './types.ts';

/** Whether a formatted text is stored as Markdown rather than as HTML. */
export function isMarkdown({ schema }: Pick<Field, 'schema'>): boolean {
  return schema.contentMediaType === 'text/markdown';
}
