import sanitizeHtml from 'sanitize-html';
import type { Field, Screen } from '../../../descriptor/types.ts';

/**
 * The small, safe subset of HTML in formatted texts, the same as in the editor
 * (src/client/runtime/fields/rich_text/sanitise.ts).
 */
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
  // Elements that run, frame or hide content are removed with their text.
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

/** Formatted text without anything that could execute or load something; the text of other elements is kept. */
export function cleanHtml(html: string): string {
  return sanitizeHtml(html, OPTIONS);
}

/** Whether a formatted text is already in the product's form, so that sanitising would not change it. */
export function isCleanHtml(html: string): boolean {
  return cleanHtml(html) === html;
}

const fieldsOf = new WeakMap<Screen, Field[]>();

/** A record with sanitised texts, including child rows; the record itself if it has none. */
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
