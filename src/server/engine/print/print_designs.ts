import { blocksOfRows } from '../../../descriptor/own_prints.ts';
import type { BlockRow } from '../../../descriptor/own_prints.ts';
import type { Print } from '../../../descriptor/prints.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';

/** The name under which a design is previewed. */
export const TRIED = 'tried';

/** Whether records of a type are print designs. */
export function isOfDesigns({ serves }: Screen): boolean {
  return typeof serves === 'object' && 'prints' in serves;
}

/**
 * The target of a design, and the print it describes; null if the record is not a design, or its target does not exist.
 */
export function designOf(
  screens: ReadonlyMap<string, Screen>,
  { serves }: Screen,
  record: WireRecord,
): { of: Screen; print: Print } | null {
  if (typeof serves !== 'object' || !('prints' in serves)) return null;
  const { document, paper, landscape, blocks } = serves.prints;
  const [type = '', name = ''] = String(record[document]).split('.');
  const of = screens.get(type);
  const print = of?.prints?.find((one) => one.name === name);
  if (!of || !print) return null;
  const { own: _, when: __, ...rest } = print;
  return {
    of,
    print: {
      ...rest,
      paper: record[paper] as Print['paper'],
      landscape: record[landscape] === true,
      blocks: blocksOfRows((record[blocks] ?? []) as BlockRow[]),
    },
  };
}
