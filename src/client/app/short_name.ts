/** Names and designations are truncated after 15 characters; the tooltip has the full text. */
export function shortName(name: string): string {
  const letters = [...name];
  return letters.length > 15 ? `${letters.slice(0, 15).join('')}…` : name;
}
