import type { Field } from '../../../descriptor/types.ts';

/** Common synonyms of field names, by type. */
const OTHER_NAMES: Record<string, string[]> = {
  phone: ['mobile', 'cell', 'telephone', 'contact', 'whatsapp'],
  email: ['mail'],
  gstin: ['gst'],
  pincode: ['pin', 'zip', 'postal'],
  code: ['id', 'number', 'no'],
};
/** Similarity from which one text is taken to mean the other. */
const ALIKE = 0.5;

/** The field that an unknown heading probably means; null = none is similar. */
export function guessedField(head: string, fields: Field[]): Field | null {
  let [best, max]: [Field | null, number] = [null, 0];
  for (const field of fields) {
    const likeness = Math.max(likenessOf(head, field.title), likenessOf(head, field.name), byOtherName(head, field));
    if (likeness >= ALIKE && likeness > max) [best, max] = [field, likeness];
  }
  return best;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

function byOtherName(head: string, { type }: Field): number {
  const names = OTHER_NAMES[type] ?? [];
  return wordsOf(head).some((word) => names.includes(word)) ? ALIKE : 0;
}

/** 1 for equal texts, lower the more letters and words differ. */
function likenessOf(one: string, other: string): number {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  if (a.length === 0 || b.length === 0) return 0;
  const [few, many] = a.length <= b.length ? [a, b] : [b, a];
  if (few.every((word) => many.includes(word))) return 0.7 + (0.3 * few.length) / many.length;
  const [x, y] = [pairsOf(a.join('')), pairsOf(b.join(''))];
  const shared = x.filter((pair) => y.includes(pair)).length;
  return (2 * shared) / Math.max(1, x.length + y.length);
}

const pairsOf = (text: string) =>
  Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2));
