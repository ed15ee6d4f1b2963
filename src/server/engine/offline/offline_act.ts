import type { FieldError } from '../../../descriptor/types.ts';

type Row = Record<string, unknown>;

/** An action done without a network, as the device sends it. */
export interface OfflineAct {
  /** For an action that creates a record, later actions refer to the record by it. */
  key: string;
  type: string;
  id?: number;
  /** Instead of the id: the key of the action that created the record. */
  client_id?: string;
  /** `create`, `change`, `rows:<field>`, or a transition. */
  do: string;
  /** For a change and for added rows the old and new values by field; for a transition the fields it asks for. */
  input: Row;
  /** When it was done, by the device's clock. */
  at?: string;
  /** Its title for people. */
  title?: string;
  /** The refused action that it replaces. */
  instead?: string;
}

/** What became of an act. */
export type OfflineOutcome =
  | { key: string; state: 'done'; id: number }
  /** An earlier action on the same record awaits a decision. */
  | { key: string; state: 'waits' }
  | {
      key: string;
      state: 'needs_you';
      code: string;
      message: string;
      details: FieldError[];
      /** The current values of fields that somebody else has changed. */
      theirs: Row;
    };
