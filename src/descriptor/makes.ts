import type { FilterExpression } from './types.ts';

/** What of a source's rows has gone into a target: the source's column, and the expression over the target's row. */
export type Settles = Record<string, string>;

/** How rows of a source become rows of a target. */
export interface MadeRows {
  /** The rows field of the source. */
  from: string;
  /** Only rows for which this holds; names are the row's, then the record's. */
  when?: string;
  /** Columns of the target and the expressions over the source's row. */
  set: Record<string, string>;
  /** Columns of the source that add up what its targets took. */
  settles: Settles;
  /** By column, an expression over the source's row that the column may not pass. */
  limit: Record<string, string>;
}

/** What one document each is made for: the rows of the source, or the records of a type. */
export type MadeEach = { rows: string; when?: string } | { type: string; filter?: FilterExpression };

/** One document made from another. */
export interface Make {
  name: string;
  /** The type that is made. */
  to: string;
  title: string;
  icon?: string;
  /** Only from records for which this holds. */
  when?: string;
  /** A record has at most one that lives. */
  once: boolean;
  set: Record<string, string>;
  /** By rows field of the target. */
  rows: Record<string, MadeRows>;
  /** The transition of the target from which what it took counts; absent: from its beginning. */
  at?: string;
  /** Cancelling the source is not stopped by what was made of it. */
  cascade: boolean;
  /** One document for each of these, all at once. */
  each?: MadeEach;
  /** The function of an action of the target, which completes what its form opens with. */
  run?: string;
}

/** Where a new record comes from. */
export interface MadeFrom {
  type: string;
  id: number;
  make: string;
  /** Of a make with `each`: the row or the record that it is made for. */
  each?: number;
}

/** A record at the other end of a link, as far as its reader may see it. */
export interface LinkedRecord {
  type: string;
  title: string;
  id: number;
  label: string;
  state: { label: string; colour?: string } | null;
  /** Which revision it is; of other revisions of a record. */
  revision?: number;
  address: string | null;
}

/** What a record was made from, what it leads to, and its revisions where it has several. */
export interface LinkedRecords {
  from: LinkedRecord[];
  to: LinkedRecord[];
  revisions?: LinkedRecord[];
}

/** Records of one type that refer to a record by one of their fields. */
export interface RelatedGroup {
  type: string;
  /** Of the type, in the plural. */
  title: string;
  /** "rows_field.column" of child rows; their list is asked for it by the filter `[field, "in", [id]]`. */
  field: string;
  /** The field's title. */
  by: string;
  count: number;
  /** There are more than were counted. */
  capped: boolean;
}
