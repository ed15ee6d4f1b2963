import type { FieldError, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Queryable } from '../../db/database.ts';

type Row = Record<string, unknown>;

/** A change of a record, announced after it is stored. */
export interface RecordChange {
  type: string;
  id: number;
  op: 'I' | 'U' | 'D' | 'A' | 'X';
  entityId: number | null;
}

/** A decision on another person's request. */
export interface Decision {
  from: unknown;
  to: unknown;
  /** The delegators on whose behalf it was made. */
  for: string | null;
  /** The accounts of the people who had asked. */
  requesters: number[];
}

/** A person's action on one record. */
export interface RecordEvent {
  id: number;
  op: RecordChange['op'];
  /** For changes, from and to by field; without secrets. */
  change?: Row;
  /** The change decided something. */
  decision?: Decision;
}

/** Commits together with a change: its activity log entries, and its announcement to other processes. */
export interface RecordAudit {
  /** Whether such changes of a type are logged; decisions are always logged. */
  keeps(screen: Screen, op: RecordChange['op']): boolean;
  /** Stores the entries of one change and announces it, in its transaction. */
  store(tx: Queryable, session: Session, screen: Screen, event: RecordEvent): Promise<void>;
}

/** The result of a bulk call: which records changed, and why the others did not. */
export interface BulkAnswer {
  changed: number[];
  errors: { id: number; message: string }[];
  /** Sent fields that are not changed in any record, and why. */
  not_taken?: FieldError[];
}
