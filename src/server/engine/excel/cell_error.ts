/** An error in a cell of a sheet. */
export interface CellError {
  /** Name of the sheet with child rows; absent for the sheet with the records. */
  sheet?: string;
  /** Row number as Excel shows it. */
  row: number;
  column: string;
  message: string;
}
