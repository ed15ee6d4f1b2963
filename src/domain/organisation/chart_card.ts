import type { ChartPerson } from './chart_tree.ts';

/** Texts that were shortened. */
const cut = new Map<string, string>();
/** A text that fits on a card. */
export function short(text: string, letters: number): string {
  if (text.length <= letters) return text;
  const key = `${letters}/${text}`;
  let kept = cut.get(key);
  if (kept === undefined) {
    kept = `${text.slice(0, letters - 1).replace(/[\s·]+$/, '')}…`;
    cut.set(key, kept);
  }
  return kept;
}

/** The three lines of a card. */
export function cardLines(person: ChartPerson): [string, string, string] {
  return person.wanted > 0
    ? [
        short(person.designation ?? 'Vacant', 25),
        `Vacant${person.wanted > 1 ? `, ${person.wanted} posts` : ''}`,
        short(person.department ?? '', 26),
      ]
    : [
        short(person.name, 25),
        short(person.designation ?? person.empno, 28),
        short([person.department, person.branch].filter(Boolean).join(' · '), 26),
      ];
}
