import type { FieldError } from '../../../descriptor/types.ts';

type Row = Record<string, unknown>;

/** What somebody did without a network, as their device sends it. */
export interface OfflineAct {
  /** Of one that makes a record it is the record's name for the acts that follow. */
  key: string;
  type: string;
  id?: number;
  /** In place of the number: the key of the act that made the record. */
  client_id?: string;
  /** `create`, `change`, `rows:<field>`, or a transition. */
  do: string;
  /** Of a change and of added rows the old and the new value by field, of a transition what it asks. */
  input: Row;
  /** When it was done, by the clock of the device. */
  at?: string;
  /** What it is called, for people. */
  title?: string;
  /** The refused act in whose place it is. */
  instead?: string;
}

/** What became of an act. */
export type OfflineOutcome =
  | { key: string; state: 'done'; id: number }
  /** An earlier act on the same record needs its person. */
  | { key: string; state: 'waits' }
  | {
      key: string;
      state: 'needs_you';
      code: string;
      message: string;
      details: FieldError[];
      /** Fields that somebody else has changed, as they are now. */
      theirs: Row;
    };
