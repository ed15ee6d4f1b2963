import type { Fill } from '../../../engine/modules.ts';
import { partNames } from '../line_part.ts';
import { linesOf } from '../sheet_lines.ts';

/** What each line of a sheet is limited to, such as a channel, by name. */
export const dimensionNames: Fill = {
  async run({ unit, record }) {
    const lines = linesOf(record);
    const names = await partNames(unit, lines);
    return { lines: lines.map((line, at) => ({ ...line, part: names[at] })) };
  },
};
