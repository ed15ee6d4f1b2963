/** A file that the server has stored. */
export interface StoredFile {
  id: number;
  name: string;
  size: number;
  type: string;
}
