/** Names and designations are cut after 15 characters; the full text is in the tip. */
export function shortName(name: string): string {
  const letters = [...name];
  return letters.length > 15 ? `${letters.slice(0, 15).join('')}…` : name;
}
