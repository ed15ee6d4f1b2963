import type { Screen } from '../../../descriptor/types.ts';

type Row = Record<string, unknown>;

/** What an import would write. */
export interface PlannedWrites {
  inserts: Row[];
  updates: { id: number; before: Row; set: Row }[];
}

/** Whether something happens when a record of a type is added: then an import adds each by itself, as people do. */
export function isAddedByActs({ workflow }: Screen): boolean {
  return workflow?.insert !== undefined || workflow?.import !== undefined;
}
