import type { FieldError, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Queryable } from '../../db/database.ts';

type Row = Record<string, unknown>;

/** A record that changed, announced after it is stored. */
export interface RecordChange {
  type: string;
  id: number;
  op: 'I' | 'U' | 'D' | 'A' | 'X';
  entityId: number | null;
}

/** Somebody decided what another asked for. */
export interface Decision {
  from: unknown;
  to: unknown;
  /** For whom, as their deputy. */
  for: string | null;
  /** The people who had asked, by account. */
  requesters: number[];
}

/** What somebody did to one record. */
export interface RecordEvent {
  id: number;
  op: RecordChange['op'];
  /** Of changes, from and to by field; secrets left out. */
  change?: Row;
  /** The change decided something. */
  decision?: Decision;
}

/** What commits with a change: its entries of the activity log, and its announcement to other processes. */
export interface RecordAudit {
  /** Whether there is any for such changes of a type; decisions the log always keeps. */
  keeps(screen: Screen, op: RecordChange['op']): boolean;
  /** Stores the entries of one change and announces it, in its transaction. */
  store(tx: Queryable, session: Session, screen: Screen, event: RecordEvent): Promise<void>;
}

/** Answers of a bulk call: what changed, and why the others did not. */
export interface BulkAnswer {
  changed: number[];
  errors: { id: number; message: string }[];
  /** Fields that were sent and are changed in no record, and why. */
  not_taken?: FieldError[];
}
