/** An error in a cell of a sheet. */
export interface CellError {
  /** Name of the sheet with child rows; absent for the sheet with the records. */
  sheet?: string;
  /** Row number as Excel shows it. */
  row: number;
  column: string;
  message: string;
  /** The record that the cell names, if there is none: it may be added. */
  unknown?: UnknownRecord;
}

/** A record that a file names and that does not exist. */
export interface UnknownRecord {
  type: string;
  name: string;
}
