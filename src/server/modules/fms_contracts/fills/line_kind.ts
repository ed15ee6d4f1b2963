import type { Fill } from '../../../engine/modules.ts';
import { linesOf } from '../contract_lines.ts';

/** Each lift is covered as its contract is; a line keeps its kind, by which the database holds lifts apart. */
export const lineKind: Fill = {
  run: ({ record }) => Promise.resolve({ lines: linesOf(record).map(() => ({ cover_kind: record.contract_kind })) }),
};
