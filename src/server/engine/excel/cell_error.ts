/** What is wrong in a cell of a sheet. */
export interface CellError {
  /** Name of the sheet, of child rows; the records' own sheet has none. */
  sheet?: string;
  /** Row number as Excel shows it. */
  row: number;
  column: string;
  message: string;
}
