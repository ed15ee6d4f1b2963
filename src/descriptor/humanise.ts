/** "date_of_joining" → "Date of joining"; a trailing _id is left out. */
export function humanise(name: string): string {
  const words = name
    .replace(/_ids?$/, '')
    .replace(/_/g, ' ')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
