const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', apos: "'" };
/** Elements whose content is not what somebody wrote: styles, and the message that is answered. */
const LEFT_OUT: ReadonlySet<string> = new Set(['style', 'script', 'head', 'title', 'blockquote']);
const NEW_LINE: ReadonlySet<string> = new Set(['br', '/p', '/div', '/li', '/tr', '/h1', '/h2', '/h3', '/h4']);
const MAX_LENGTH = 200_000;

const decoded = (text: string): string =>
  text.replace(/&(#\d{1,6}|[a-z]{2,6});/gi, (all, name: string) =>
    name.startsWith('#') ? String.fromCodePoint(Number(name.slice(1))) : (ENTITIES[name.toLowerCase()] ?? all),
  );

/** The words of a mail that has no plain text, in time proportional to its length. */
export function textOfHtml(whole: string): string {
  const html = whole.slice(0, MAX_LENGTH);
  const lower = html.toLowerCase();
  const parts: string[] = [];
  for (let at = 0; at < html.length;) {
    const open = html.indexOf('<', at);
    parts.push(html.slice(at, open === -1 ? undefined : open).replace(/\s+/g, ' '));
    const close = open === -1 ? -1 : html.indexOf('>', open);
    if (close === -1) break;
    const name = /^\/?[a-z][a-z0-9]{0,15}/.exec(lower.slice(open + 1, open + 18))?.[0] ?? '';
    if (NEW_LINE.has(name)) parts.push('\n');
    const end = LEFT_OUT.has(name) ? lower.indexOf(`</${name}`, close) : close;
    if (end === -1) break;
    at = end === close ? close + 1 : end;
  }
  return decoded(parts.join(''))
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
