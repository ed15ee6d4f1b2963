/** The content of a cell; for an error, its name. */
export type CellValue = string | number | boolean | Date | null;

export type SheetRows = (CellValue[] | undefined)[];

/** Rows and columns counted from 0; the end is inclusive. */
export interface Area {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

/** One sheet of a workbook as its file has it. */
export interface WorkbookSheet {
  name: string;
  /** By row and column; holes for empty cells. */
  rows: SheetRows;
  /** Cells with a formula whose result was not saved: row and column from 0. */
  unsaved: [number, number][];
  merged: Area[];
  /** Hidden rows with content. */
  hiddenRows: number;
  /** Names of the other visible sheets with content. */
  others: string[];
}

/** The range of a reference such as B2:D5; null = invalid. */
export function areaOf(reference: string): Area | null {
  const [, left, top, right = left, bottom = top] =
    /^\$?([A-Z]+)\$?(\d+)(?::\$?([A-Z]+)\$?(\d+))?$/.exec(reference) ?? [];
  if (left === undefined) return null;
  return { left: columnNumber(left), top: Number(top) - 1, right: columnNumber(right!), bottom: Number(bottom) - 1 };
}

/** The column index of a cell name: A = 0; -1 = none. */
export function columnNumber(name: string): number {
  let column = 0;
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at) - 64;
    if (code < 1 || code > 26) break;
    column = column * 26 + code;
  }
  return column - 1;
}

/** The letters of a column: 0 = A. */
export function columnLetters(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest > 0 ? columnLetters(rest - 1) : '') + String.fromCharCode(65 + (column % 26));
}
