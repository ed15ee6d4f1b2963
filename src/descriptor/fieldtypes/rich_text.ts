import { WITH_PARTS } from './can.ts';
import { isMarkdown } from '../markdown.ts';
import { textType, tidy } from './plain_text.ts';
import { written } from './written.ts';

/** Formatted text: a small, safe subset of HTML, or Markdown where the field says so. */
export const rich_text = textType('rich_text', {
  can: { ...WITH_PARTS, excel: true, text: true },
  parse: (text, field) => {
    const value = isMarkdown(field) ? lines(written(text)) : tidy(written(text));
    return { value: value === '' ? null : value };
  },
  format: (value, field) =>
    value === null || value === undefined
      ? ''
      : isMarkdown(field)
        ? withoutMarks(written(value))
        : withoutTags(written(value)),
  excel: { write: (value, field) => (isMarkdown(field) ? written(value) : withoutTags(written(value))) },
  clean: (value, field) => (isMarkdown(field) && typeof value === 'string' ? lines(value) : value),
});

function lines(text: string): string {
  return text.replace(/\r\n?/g, '\n').trim();
}

function withoutTags(html: string): string {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The words of a Markdown text. */
function withoutMarks(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^[ \t]*(?:#{1,6}|[-*+>]|\d+\.)[ \t]+/gm, '')
    .replace(/\*\*|__|`+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
