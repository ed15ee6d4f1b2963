import { formatNumber } from '../../../descriptor/format.ts';
import type { Adopted, Offered } from '../../../domain/adoption.ts';

/** Rows whose name, code or place holds the text. */
export function matching(rows: Offered[], text: string): Offered[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return rows;
  return rows.filter(({ label, code, detail, above }) =>
    [label, code, detail, above].some((part) => part?.toLowerCase().includes(wanted)),
  );
}

/** Whether something can be done with a row: added, linked or brought up to date. */
export const isOpen = ({ state, changes }: Offered): boolean => state !== 'taken' || changes.length > 0;

/** Whether a key of the row is something else's here, so that it can come under another one alone. */
export const mustRename = ({ state, clashes }: Offered): boolean => state === 'new' && clashes.length > 0;

/** "3 added, 1 linked, 2 updated." */
export function adoptedWords(done: Adopted): string {
  const parts = (['added', 'linked', 'updated'] as const).flatMap((what) =>
    done[what].length > 0 ? [`${formatNumber(done[what].length)} ${what}`] : [],
  );
  return `${parts.join(', ')}.`;
}

/** What the button does with the chosen rows: "Add 3", "Link 1", "Add 3, update 1". `anew` tells which come as records of their own. */
export function wishWords(rows: Offered[], anew: (row: Offered) => boolean): string {
  const parts = Object.entries(
    Object.groupBy(rows, (row) =>
      row.state === 'taken' ? 'update' : row.state === 'same' && !anew(row) ? 'link' : 'add',
    ),
  );
  if (parts.length === 0) return 'Add';
  const words = ['add', 'link', 'update']
    .flatMap((what) => parts.filter(([key]) => key === what).map(([, of]) => `${what} ${formatNumber(of.length)}`))
    .join(', ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
