import type { Fill } from '../../../engine/modules.ts';
import { linesOf } from '../contract_lines.ts';

/** Copies the contract's kind of cover to each line, because the database prevents overlaps by it. */
export const lineKind: Fill = {
  run: ({ record }) => Promise.resolve({ lines: linesOf(record).map(() => ({ cover_kind: record.contract_kind })) }),
};
