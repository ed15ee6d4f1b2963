import type { Action } from '../../../engine/modules.ts';
import { comparison } from '../template_tasks.ts';
import { proposal, updateLines } from '../update_lines.ts';

/** Fills a template update with what differs between the checklist and the newest version of its template. */
export const proposeUpdate: Action = {
  async run({ unit, record }) {
    const id = record?.mstr_chk_id;
    const compared = typeof id === 'number' ? await comparison(unit, id) : null;
    if (!compared)
      return unit.refuse([{ field: 'mstr_chk_id', message: 'This checklist has the newest version of its template.' }]);
    const lines = await updateLines(unit, compared);
    return { set: { changes: lines.map((one) => ({ line: one.line, take: proposal(one) })) } };
  },
};
