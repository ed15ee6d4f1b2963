import type { Field } from '../../../../descriptor/types.ts';
import styles from './rows.module.css';
import type { Place } from './sheet/places.ts';
import type { RowSheet } from './sheet/use_sheet.ts';

/** The errors in the rows, as links to their cells. */
export function RowProblems({
  found,
  unread,
  sheet,
  columns,
  onGo,
}: {
  found: ReadonlyMap<number, ReadonlyMap<string, string>>;
  unread: RowSheet['unread'];
  sheet: RowSheet;
  columns: Field[];
  onGo: (place: Place) => void;
}) {
  const problems: { row: number; column: number; text: string }[] = [];
  for (const [cell, { message }] of unread) {
    const [key, name] = cell.split(' ');
    problems.push({
      row: sheet.keys.indexOf(Number(key)),
      column: columns.findIndex((column) => column.name === name),
      text: message,
    });
  }
  for (const [row, messages] of found) {
    for (const [name, text] of messages)
      problems.push({
        row,
        column: Math.max(
          0,
          columns.findIndex((column) => column.name === name),
        ),
        text,
      });
  }
  if (problems.length === 0) return null;
  problems.sort((a, b) => a.row - b.row || a.column - b.column);
  return (
    <ul className={styles.problems}>
      {problems.slice(0, 4).map(({ row, column, text }) => (
        <li key={`${row} ${column} ${text}`}>
          <button type="button" onClick={() => onGo({ row, column })}>
            Row {row + 1}: {text}
          </button>
        </li>
      ))}
      {problems.length > 4 && <li>and {problems.length - 4} more</li>}
    </ul>
  );
}
