import type { Band } from '../domain/sla_clock.ts';

/** A clock of a record: how long it has been in some of its states, over business hours. */
export interface Clock {
  name: string;
  title: string;
  /** States in which it runs. */
  runs: string[];
  /** States in which it stands still: always, or where what a path of references leads to is true. */
  pauses: Record<string, true | string>;
  /** The moment from which it runs; default: when the record was made. */
  from?: string;
  /** A function of a module, or minutes and a calendar; absent: the time alone is measured. */
  target?: { run: string } | { minutes: number | string; calendar?: string };
  /** Fields whose change sets the target anew. */
  on: string[];
  /** The field of the moment at which it is due. */
  field: string;
  /** The field of how it stands. */
  value: string;
  bands: Band[];
  /** Fields that say who holds the record. */
  by: string[];
}

/** What a clock says to others when a band begins. */
export const bandEvent = (clock: Pick<Clock, 'name'>, band: string): string => `${clock.name}_${band}`;
