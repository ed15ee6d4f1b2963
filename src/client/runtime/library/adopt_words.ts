import type { Adopted, Offered } from '../../../domain/adoption.ts';

/** Rows whose name, code or place holds the text. */
export function matching(rows: Offered[], text: string): Offered[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return rows;
  return rows.filter(({ label, code, detail, above }) => [label, code, detail, above].some((part) => part?.toLowerCase().includes(wanted)));
}

/** "3 added, 1 linked." */
export function adoptedWords({ added, linked }: Adopted): string {
  const parts = [...(added.length > 0 ? [`${added.length.toLocaleString('en-IN')} added`] : []), ...(linked.length > 0 ? [`${linked.length.toLocaleString('en-IN')} linked`] : [])];
  return `${parts.join(', ')}.`;
}
