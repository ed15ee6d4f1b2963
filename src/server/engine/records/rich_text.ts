import sanitizeHtml from 'sanitize-html';
import type { Field, Screen } from '../../../descriptor/types.ts';

/** The small, safe subset of HTML that formatted texts consist of: the same as the editor makes (src/client/runtime/fields/rich_text/sanitise.ts). */
const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: ['p', 'br', 'strong', 'em', 'u', 's', 'ul', 'ol', 'li', 'a', 'h3', 'h4', 'blockquote', 'code', 'pre'],
  allowedAttributes: { a: ['href', 'rel', 'target'] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  transformTags: {
    b: 'strong',
    i: 'em',
    div: 'p',
    h1: 'h3',
    h2: 'h3',
    h5: 'h4',
    h6: 'h4',
    strike: 's',
    del: 's',
    a: (_tag, { href }) => ({
      tagName: 'a',
      attribs: { ...(href !== undefined && { href }), rel: 'noopener noreferrer', target: '_blank' },
    }),
  },
  // What only runs, frames or hides takes its text along.
  nonTextTags: [
    'script',
    'style',
    'template',
    'iframe',
    'object',
    'embed',
    'svg',
    'math',
    'noscript',
    'title',
    'head',
    'textarea',
    'option',
  ],
};

/** Formatted text without anything that could run or load something; text that is not on the list stays as text. */
export function cleanHtml(html: string): string {
  return sanitizeHtml(html, OPTIONS);
}

/** Whether a formatted text is as the product writes it, so that cleaning takes nothing from it. */
export function isCleanHtml(html: string): boolean {
  return cleanHtml(html) === html;
}

const fieldsOf = new WeakMap<Screen, Field[]>();

/** A record with its formatted texts cleaned, also those of child rows; the record itself where it has none. */
export function withCleanTexts(screen: Screen, record: Record<string, unknown>): Record<string, unknown> {
  let fields = fieldsOf.get(screen);
  if (!fields) {
    fields = screen.fields.filter(
      (field) => field.type === 'rich_text' || field.rows?.some((column) => column.type === 'rich_text'),
    );
    fieldsOf.set(screen, fields);
  }
  if (fields.length === 0) return record;
  const clean = { ...record };
  for (const { name, rows } of fields) {
    const value = clean[name];
    if (typeof value === 'string') clean[name] = cleanHtml(value);
    else if (rows && Array.isArray(value)) {
      const texts = rows.filter((column) => column.type === 'rich_text').map((column) => column.name);
      clean[name] = value.map((row: unknown) =>
        row === null || typeof row !== 'object'
          ? row
          : {
              ...row,
              ...Object.fromEntries(
                Object.entries(row)
                  .filter(([key, text]) => texts.includes(key) && typeof text === 'string')
                  .map(([key, text]) => [key, cleanHtml(text as string)]),
              ),
            },
      );
    }
  }
  return clean;
}
