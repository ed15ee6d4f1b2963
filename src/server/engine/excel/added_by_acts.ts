import type { Screen } from '../../../descriptor/types.ts';

type Row = Record<string, unknown>;

/** The records that an import would write. */
export interface PlannedWrites {
  inserts: Row[];
  updates: { id: number; before: Row; set: Row }[];
}

/** Whether adding a record of a type has side effects: then an import adds each one separately, as people do. */
export function isAddedByActs({ workflow }: Screen): boolean {
  return workflow?.insert !== undefined || workflow?.import !== undefined;
}
