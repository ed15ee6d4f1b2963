/** A change that a library has made in a record since it was copied, as text. */
export interface LibraryChange {
  /** The field. */
  title: string;
  /** The value here, and in the library; null = empty. */
  from: string | null;
  to: string | null;
}

/** A key that the client already uses in another record: to copy the row beside it, it needs another value. */
export interface Clash {
  field: string;
  title: string;
  /** As the library has it. */
  value: string;
  own_label: string;
}

/** A row that is copied under other keys than the library's: field → value. */
export interface Renamed {
  id: number;
  set: Record<string, string>;
}

/** A row of a platform library, with its state at the client. */
export interface Offered {
  id: number;
  code: string;
  label: string;
  detail: string | null;
  /** Its parent in the library. */
  above: string | null;
  /** The record of the library that it is a row of. */
  within?: string;
  /** taken: already copied; same: the client has its own record under the same key. */
  state: 'new' | 'taken' | 'same';
  own_id: number | null;
  own_label: string | null;
  /** For rows not copied yet: keys that the client already uses. */
  clashes: Clash[];
  /** For copied rows: what is newer in the library and different here. */
  changes: LibraryChange[];
}

/** The rows that a library offers a client. */
export interface Offer {
  data: Offered[];
  industry: string | null;
  /** Records here whose row the platform no longer offers: they stay as they are. */
  withdrawn: { id: number; label: string; code: string }[];
}

/** The result for the chosen rows. */
export interface Adopted {
  added: { id: number; label: string }[];
  linked: { id: number; label: string }[];
  updated: { id: number; label: string }[];
  errors: { id: number; label: string; message: string }[];
}
