/** Allowed elements of a formatted text; of their attributes only a link's address. */
const allowed = new Set([
  'P',
  'BR',
  'STRONG',
  'EM',
  'U',
  'S',
  'UL',
  'OL',
  'LI',
  'A',
  'H3',
  'H4',
  'BLOCKQUOTE',
  'CODE',
  'PRE',
]);
const renamed: Record<string, string> = {
  B: 'STRONG',
  I: 'EM',
  DIV: 'P',
  H1: 'H3',
  H2: 'H3',
  H5: 'H4',
  H6: 'H4',
  STRIKE: 'S',
  DEL: 'S',
};
/** Removed with their content. */
const dropped = new Set([
  'SCRIPT',
  'STYLE',
  'TEMPLATE',
  'IFRAME',
  'OBJECT',
  'EMBED',
  'SVG',
  'MATH',
  'NOSCRIPT',
  'TITLE',
  'HEAD',
]);

/** Block elements: a table row with none of these in it is one line. */
const lines = 'p, div, ul, ol, h1, h2, h3, h4, h5, h6, blockquote, pre';

/**
 * Reduces formatted text to a small, safe subset of HTML, rebuilt from known elements: for other elements only the text
 * is kept. Parsed in a document that executes and loads nothing.
 */
export function sanitise(html: string): string {
  const source = new DOMParser().parseFromString(html, 'text/html');
  const target = document.implementation.createHTMLDocument('');
  copy(source.body, target.body, target);
  const result = target.body.innerHTML;
  return target.body.textContent?.trim() === '' ? '' : result;
}

function copy(from: Node, to: Element, target: Document): void {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) {
      to.append(target.createTextNode(node.textContent ?? ''));
      continue;
    }
    if (!(node instanceof Element) && node.nodeType !== Node.ELEMENT_NODE) continue;
    const element = node as Element;
    const tag = element.tagName.toUpperCase();
    if (dropped.has(tag)) continue;
    const name = tag === 'TR' && !element.querySelector(lines) ? 'P' : (renamed[tag] ?? tag);
    if (!allowed.has(name)) {
      copy(element, to, target);
      if ((tag === 'TD' || tag === 'TH') && element.nextElementSibling) to.append(' ');
      continue;
    }
    const made = target.createElement(name);
    if (name === 'A') {
      const address = safeAddress(element.getAttribute('href'));
      if (address === null) {
        copy(element, to, target);
        continue;
      }
      made.setAttribute('href', address);
      made.setAttribute('rel', 'noopener noreferrer');
      made.setAttribute('target', '_blank');
    }
    copy(element, made, target);
    to.append(made);
  }
}

/** Harmless addresses; "javascript:" and similar ones execute code. */
export function safeAddress(href: string | null | undefined): string | null {
  // Browsers skip control characters in addresses, so "java\nscript:" would be one.
  // oxlint-disable-next-line no-control-regex
  const address = href?.replace(/[\s\u0000-\u001f]/g, '') ?? '';
  return /^(https?:\/\/|mailto:|tel:|\/(?!\/))/i.test(address) ? address : null;
}
