/** A row of a library, with what the client has of it. */
export interface Offered {
  id: number;
  code: string;
  label: string;
  detail: string | null;
  above: string | null;
  state: 'new' | 'taken' | 'same';
  own_id: number | null;
  own_label: string | null;
}

export interface Adopted {
  added: { id: number; label: string }[];
  linked: { id: number; label: string }[];
  errors: { id: number; label: string; message: string }[];
}

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
