import DOMPurify from 'dompurify';
import { Marked } from 'marked';

/** A stored file as the address of a picture: `![Lift](file:12)`. */
const STORED = /^file:(\d{1,15})$/;

const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    // One level below the page's own headings.
    heading({ tokens, depth }) {
      const level = Math.min(depth + 2, 6);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
    },
    image({ href, text }) {
      const file = STORED.exec(href)?.[1];
      if (file !== undefined) return `<img data-file="${file}" alt="${escaped(text)}">`;
      // Pictures of other sites would reveal the reader to them; they become links.
      return `<a href="${escaped(href)}">${escaped(text === '' ? href : text)}</a>`;
    },
  },
});

const ALLOWED_TAGS = [
  'p',
  'br',
  'strong',
  'em',
  'del',
  'ul',
  'ol',
  'li',
  'a',
  'h3',
  'h4',
  'h5',
  'h6',
  'blockquote',
  'code',
  'pre',
  'hr',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
  'img',
];

/**
 * Markdown as safe HTML: only allowed elements, no scripts, no executable addresses. Pictures have the id of their file
 * in `data-file`; the displaying component requests the address.
 */
export function renderMarkdown(text: string): string {
  const html = marked.parse(text, { async: false });
  const purifier = DOMPurify(window);
  purifier.addHook('afterSanitizeAttributes', (node) => {
    if (node.tagName !== 'A') return;
    node.setAttribute('rel', 'noopener noreferrer');
    node.setAttribute('target', '_blank');
  });
  return purifier.sanitize(html, {
    ALLOWED_TAGS,
    ALLOWED_ATTR: ['href', 'alt', 'data-file', 'start'],
    ADD_URI_SAFE_ATTR: ['data-file', 'start'],
    ALLOW_DATA_ATTR: false,
    ALLOWED_URI_REGEXP: /^(?:https?:\/\/|mailto:|tel:|\/(?!\/)|#)/i,
  });
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
