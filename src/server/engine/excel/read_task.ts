/** A file to be read in the isolated process: by path, or its bytes. */
export interface ReadTask {
  kind: 'read';
  file: { path: string } | { bytes: Uint8Array };
  /** The rows of one sheet below its headings, or all sheets unchanged. */
  of: { maxRows: number } | 'all_sheets';
}
