/** What a library has changed in a record since it was taken over, in words. */
export interface LibraryChange {
  /** The field. */
  title: string;
  /** As it is here, and in the library; null = empty. */
  from: string | null;
  to: string | null;
}

/** A key that a record of the client's has already: taken over beside it, the row needs another value. */
export interface Clash {
  field: string;
  title: string;
  /** As the library has it. */
  value: string;
  own_label: string;
}

/** A row that is taken over under other keys than the library's: field → value. */
export interface Renamed {
  id: number;
  set: Record<string, string>;
}

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
  /** Of those that are not taken: keys that are the client's already. */
  clashes: Clash[];
  /** Of taken ones: what is newer in the library and different here. */
  changes: LibraryChange[];
}

/** What a library offers a client. */
export interface Offer {
  data: Offered[];
  industry: string | null;
  /** Records here whose row the platform does not offer any more: they stay as they are. */
  withdrawn: { id: number; label: string; code: string }[];
}

/** What became of rows that were chosen. */
export interface Adopted {
  added: { id: number; label: string }[];
  linked: { id: number; label: string }[];
  updated: { id: number; label: string }[];
  errors: { id: number; label: string; message: string }[];
}
