import type { Action } from '../../../engine/modules.ts';
import { comparison } from '../template_tasks.ts';

const SHOWN = 12;

/** Says what the newest version of the template changed in an adopted checklist, and where the company changed the same. */
export const compareWithTemplate: Action = {
  async run({ unit, record }) {
    const compared = typeof record?.mstr_chk_id === 'number' ? await comparison(unit, record.mstr_chk_id) : null;
    if (!compared) return { done: 'This checklist has the newest version of its template.' };
    const { fields, added, removed } = compared.difference;
    const shown = (value: unknown) =>
      value === null ? 'empty' : typeof value === 'string' ? `“${value}”` : JSON.stringify(value);
    const lines = [
      ...fields.map(
        ({ task, field, base, theirs, ours, changed }) =>
          `${task} ${field.replaceAll('_', ' ')}: ${shown(base)} → ${shown(theirs)}${changed === 'both' ? `, here ${shown(ours)}` : ''}`,
      ),
      ...added.map((task) => `${task} is new`),
      ...removed.map((task) => `${task} is no longer in the template`),
    ];
    const more = lines.length > SHOWN ? ` … and ${lines.length - SHOWN} more` : '';
    return {
      done:
        lines.length === 0
          ? 'The new version changes nothing here.'
          : `Version ${String(compared.template.version_no)}: ${lines.slice(0, SHOWN).join('; ')}${more}.`,
    };
  },
};
