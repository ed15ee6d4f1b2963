import { formatNumber } from '../../../descriptor/format.ts';
import type { Adopted, Offered } from '../../../domain/adoption.ts';

/** Rows whose name, code or location contains the text. */
export function matching(rows: Offered[], text: string): Offered[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return rows;
  return rows.filter(({ label, code, detail, above, within }) =>
    [label, code, detail, above, within].some((part) => part?.toLowerCase().includes(wanted)),
  );
}

/** Whether a row can be added, linked or updated. */
export const isOpen = ({ state, changes }: Offered): boolean => state !== 'taken' || changes.length > 0;

/** Whether another record uses the row's key, so that it can only be added under another one. */
export const mustRename = ({ state, clashes }: Offered): boolean => state === 'new' && clashes.length > 0;

/** "3 added, 1 linked, 2 updated." */
export function adoptedWords(done: Adopted): string {
  const parts = (['added', 'linked', 'updated'] as const).flatMap((what) =>
    done[what].length > 0 ? [`${formatNumber(done[what].length)} ${what}`] : [],
  );
  return `${parts.join(', ')}.`;
}

/**
 * The label of the button for the chosen rows: "Add 3", "Link 1", "Add 3, update 1". `anew` tells which become separate
 * records.
 */
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
