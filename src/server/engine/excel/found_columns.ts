import type { Screen } from '../../../descriptor/types.ts';
import { guessedField } from './column_guess.ts';
import { importFields } from './sheet_columns.ts';
import type { ColumnMap } from './sheet_columns.ts';
import type { Sheet } from './sheet_read.ts';
import { isBlank } from './sheet_read.ts';
import { columnLetters } from './workbook_sheet.ts';

/** A column of the sheet, as shown to the person before the dry run. */
export interface FoundColumn {
  heading: string;
  /** Its letters in the sheet. */
  column: string;
  /** The name of the field it is imported into. */
  field: string | null;
  /**
   * `chosen` by a person, now or for an earlier file; `doubled` = another column has the same field; `kept` by the
   * system.
   */
  state: 'matched' | 'chosen' | 'unknown' | 'doubled' | 'kept';
  /** The name of the field that an unknown heading probably means. */
  guess: string | null;
  /** The text of its first filled cell. */
  sample: string | null;
}

/** The sheet that an import reads, and the other sheets. */
export interface FoundSheet {
  sheet: string;
  /** Names of all visible sheets with content. */
  sheets: string[];
  columns: FoundColumn[];
}

const SAMPLE_LENGTH = 60;

/** Describes the columns of a sheet; empty columns with unknown headings are left out. */
export function foundSheet(screen: Screen, sheet: Sheet, map: ColumnMap): FoundSheet {
  const first = firstCells(sheet);
  const unknown = new Set(map.unknown.map(({ index }) => index));
  const doubled = new Set(map.doubled.map(({ index }) => index));
  const free = importFields(screen).filter((field) => !map.columns.includes(field));
  const stateOf = (index: number): FoundColumn['state'] => {
    if (doubled.has(index)) return 'doubled';
    if (map.chosen.has(index)) return 'chosen';
    if (unknown.has(index)) return 'unknown';
    return map.columns[index] ? 'matched' : 'kept';
  };
  const columns = map.headings.flatMap((heading, index): FoundColumn[] => {
    const state = stateOf(index);
    const sample = first.get(index) ?? null;
    if (heading === '' || (sample === null && (state === 'unknown' || state === 'doubled'))) return [];
    const guess = state === 'unknown' ? guessedField(heading, free) : null;
    // Two similar headings are not both assigned to it.
    if (guess) free.splice(free.indexOf(guess), 1);
    return [
      {
        heading,
        column: columnLetters(index),
        field: map.columns[index]?.name ?? null,
        state,
        guess: guess?.name ?? null,
        sample,
      },
    ];
  });
  return { sheet: sheet.name, sheets: sheet.name === '' ? [] : [sheet.name, ...sheet.others], columns };
}

/** The text of the first filled cell of each column; empty columns are absent. */
export function firstCells({ rows }: Sheet): Map<number, string> {
  const first = new Map<number, string>();
  for (const { cells } of rows)
    for (const [index, cell] of cells.entries()) if (!first.has(index) && !isBlank(cell)) first.set(index, shown(cell));
  return first;
}

function shown(cell: unknown): string {
  const text = cell instanceof Date ? cell.toISOString().slice(0, 10).split('-').reverse().join('-') : String(cell);
  return text.length > SAMPLE_LENGTH ? `${text.slice(0, SAMPLE_LENGTH - 1)}…` : text;
}

/** Whether the person needs to assign columns before they are checked. */
export const isOpen = ({ sheets, columns }: FoundSheet, sheetChosen: boolean): boolean =>
  (sheets.length > 1 && !sheetChosen) || columns.some(({ state }) => state === 'unknown' || state === 'doubled');
