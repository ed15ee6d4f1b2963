import type { FilterExpression } from './types.ts';

/** The quantities of a source's rows used by a target: the source's column, and an expression on the target's row. */
export type Settles = Record<string, string>;

/** How rows of a source become rows of a target. */
export interface MadeRows {
  /** The rows field of the source. */
  from: string;
  /** Only rows that meet this condition; its names belong to the row, then to the record. */
  when?: string;
  /** Columns of the target with expressions on the source's row. */
  set: Record<string, string>;
  /** Columns of the source that add up the quantities used by its targets. */
  settles: Settles;
  /** The limit of a column: an expression on the source's row. */
  limit: Record<string, string>;
}

/** What one document each is created for: the rows of the source, or the records of a type. */
export type MadeEach = { rows: string; when?: string } | { type: string; filter?: FilterExpression };

/** A document created from another. */
export interface Make {
  name: string;
  /** The type that is made. */
  to: string;
  title: string;
  icon?: string;
  /** Only from records that meet this condition. */
  when?: string;
  /** A record has at most one that is not cancelled. */
  once: boolean;
  set: Record<string, string>;
  /** By rows field of the target. */
  rows: Record<string, MadeRows>;
  /** The transition of the target from which its quantities count; absent: from its creation. */
  at?: string;
  /** The source may be cancelled even if targets exist. */
  cascade: boolean;
  /** One document for each of these, all at once. */
  each?: MadeEach;
  /** The function of an action of the target, which completes the initial values of its form. */
  run?: string;
}

/** The source of a new record. */
export interface MadeFrom {
  type: string;
  id: number;
  make: string;
  /** For a make with `each`: the row or record for which it is created. */
  each?: number;
}

/** A record at the other end of a link, as far as its reader may see it. */
export interface LinkedRecord {
  type: string;
  title: string;
  id: number;
  label: string;
  state: { label: string; colour?: string } | null;
  /** The revision number; only for other revisions of a record. */
  revision?: number;
  address: string | null;
}

/** The records from which a record was created, those created from it, and its revisions if there are several. */
export interface LinkedRecords {
  from: LinkedRecord[];
  to: LinkedRecord[];
  revisions?: LinkedRecord[];
}

/** Records of one type that refer to a record by one of their fields. */
export interface RelatedGroup {
  type: string;
  /** The plural title of the type. */
  title: string;
  /** "rows_field.column" for child rows; their list is filtered by `[field, "in", [id]]`. */
  field: string;
  /** The field's title. */
  by: string;
  count: number;
  /** There are more than were counted. */
  capped: boolean;
}
