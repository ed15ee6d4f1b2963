/** A row of a library of the platform, with what the client has of it. */
export interface Offered {
  id: number;
  code: string;
  label: string;
  detail: string | null;
  /** What it stands below in the library. */
  above: string | null;
  /** taken: it is here already; same: the client has a record of its own under the same key. */
  state: 'new' | 'taken' | 'same';
  own_id: number | null;
  own_label: string | null;
}

/** What became of rows that were chosen. */
export interface Adopted {
  added: { id: number; label: string }[];
  linked: { id: number; label: string }[];
  errors: { id: number; label: string; message: string }[];
}
