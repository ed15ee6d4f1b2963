import { designProblems, rowsOfBlocks } from '../../../descriptor/own_prints.ts';
import type { BlockRow } from '../../../descriptor/own_prints.ts';
import { productScreen } from '../../../descriptor/overlay.ts';
import type { Print } from '../../../descriptor/prints.ts';
import type { Screen } from '../../../descriptor/types.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

/** The shipped document of a design. */
function shipped(
  screens: ReadonlyMap<string, Screen>,
  document: unknown,
): { screen: Screen; print: Print } | undefined {
  const [type = '', name = ''] = String(document).split('.');
  const screen = screens.get(type);
  const print = screen && productScreen(screen).prints?.find((one) => one.name === name);
  return screen && print && { screen, print };
}

const rowsOf = (record: Record<string, unknown>): BlockRow[] => (record.blocks ?? []) as BlockRow[];

/** Print designs start with the shipped blocks; an error in a block is reported at its row. */
export default defineHooks({
  fill: (_session, record, stored, _services, screens) => {
    if (stored !== null || rowsOf(record).length > 0) return {};
    const of = shipped(screens, record.document);
    return of ? { blocks: rowsOfBlocks(of.print.blocks), paper: of.print.paper, landscape: of.print.landscape } : {};
  },
  check: (_session, record, _stored, screens) => {
    const of = shipped(screens, record.document);
    if (!of) return [{ field: 'document', message: 'This document cannot be printed.' }];
    const paper = (record.paper ?? of.print.paper) as Print['paper'];
    const print = { ...of.print, paper, landscape: record.landscape === true };
    return designProblems(screens, of.screen, print, rowsOf(record)).map(({ row, message }) => ({
      field: `blocks.${row}.content`,
      message,
    }));
  },
});
