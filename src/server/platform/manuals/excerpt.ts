/** The text around the first match, without markup. */
export function excerpt(body: string, words: string[]): string {
  const text = body
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^[ \t]*(?:#{1,6}|[-*+>]|\d+\.)[ \t]+/gm, '')
    .replace(/\*\*|`+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  const lower = text.toLowerCase();
  const at = Math.max(
    0,
    Math.min(...words.map((word) => lower.indexOf(word.toLowerCase())).filter((place) => place >= 0), text.length) - 60,
  );
  const from = at >= text.length - 60 ? 0 : at;
  return `${from > 0 ? '…' : ''}${text.slice(from, from + 180)}${from + 180 < text.length ? '…' : ''}`;
}
