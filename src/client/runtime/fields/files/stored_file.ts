/** A file that the server has stored. */
export interface StoredFile {
  id: number;
  name: string;
  size: number;
  type: string;
}

/** Files that wait on this device have numbers from here on, which no server gives. */
export const ON_DEVICE = 2 ** 52;
