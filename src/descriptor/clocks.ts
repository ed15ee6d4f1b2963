import type { Band } from '../domain/sla_clock.ts';

/** A clock of a record: how long it has been in certain states, in business hours. */
export interface Clock {
  name: string;
  title: string;
  /** States in which it runs. */
  runs: string[];
  /** States in which it is paused: always, or if the field at the end of a path of references is true. */
  pauses: Record<string, true | string>;
  /** The time from which it runs; default: when the record was created. */
  from?: string;
  /** A function of a module, or minutes and a calendar; absent: it only measures time. */
  target?: { run: string } | { minutes: number | string; calendar?: string };
  /** Fields whose change recalculates the target. */
  on: string[];
  /** The field with the due time. */
  field: string;
  /** The field with its state. */
  value: string;
  bands: Band[];
  /** Fields with the current holder of the record. */
  by: string[];
}

/** The event published when a band begins. */
export const bandEvent = (clock: Pick<Clock, 'name'>, band: string): string => `${clock.name}_${band}`;
