/** A file to be read where it can do no harm: by its path, or its bytes. */
export interface ReadTask {
  kind: 'read';
  file: { path: string } | { bytes: Uint8Array };
  /** The rows of one sheet below its heads, or all sheets as they are. */
  of: { maxRows: number } | 'all_sheets';
}
