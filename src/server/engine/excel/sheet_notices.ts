import { formatNumber } from '../../../descriptor/format.ts';
import type { Screen } from '../../../descriptor/types.ts';
import { AppError } from '../../db/errors.ts';
import { guessedField } from './column_guess.ts';
import { firstCells } from './found_columns.ts';
import type { ColumnMap } from './sheet_columns.ts';
import { importFields } from './sheet_columns.ts';
import type { Sheet } from './sheet_read.ts';
import { columnLetters } from './workbook_sheet.ts';

/**
 * What a person should know about a sheet before it is imported: what is left out, and what is imported although it is
 * hidden.
 * @throws AppError 422 if two columns have the same field
 */
export function sheetNotices(screen: Screen, sheet: Sheet, map: ColumnMap, sheetChosen: boolean): string[] {
  const first = firstCells(sheet);
  const filled = ({ index }: { index: number }) => first.has(index);
  // As written in the file, without the number of a repeated heading.
  const written = (index: number) => String(sheet.heads[index]).trim();
  const unnamed = [...first.keys()].filter((index) => (map.headings[index] ?? '') === '').sort((a, b) => a - b);
  const twice = map.doubled.find(filled);
  if (twice)
    throw new AppError(
      422,
      'invalid',
      `Column ${columnLetters(twice.index)} "${written(twice.index)}" fills the same field as another column. Remove one of the two, or give it another heading.`,
    );
  const free = importFields(screen).filter((field) => !map.columns.includes(field));
  return [
    ...(sheet.others.length === 0 || sheetChosen
      ? []
      : [`Only the sheet "${sheet.name}" is read, not ${sheet.others.map((name) => `"${name}"`).join(', ')}.`]),
    ...map.unknown.filter(filled).map(({ index, heading }) => {
      const guess = guessedField(heading, free);
      return `Column ${columnLetters(index)} "${written(index)}" is not known and is not imported.${guess ? ` If it is "${guess.title}", give it that head.` : ''}`;
    }),
    ...unnamed.map((index) => `Column ${columnLetters(index)} has no heading and is not imported.`),
    ...(sheet.hiddenRows === 0
      ? []
      : [
          sheet.hiddenRows === 1
            ? 'One row is hidden in the sheet. It is imported as well.'
            : `${formatNumber(sheet.hiddenRows)} rows are hidden in the sheet. They are imported as well.`,
        ]),
  ];
}

/** The notice for a read-only column whose cells differ from the stored values. */
export function changedReadOnly(title: string, rows: number[]): string {
  const shown = rows.slice(0, 5).join(', ');
  return `${title} cannot be imported: the system computes or maintains it. Its values in the file are ignored (row ${shown}${rows.length > 5 ? ` and ${rows.length - 5} more` : ''}).`;
}
