import type { Fill } from '../../../engine/modules.ts';
import { comparison } from '../template_tasks.ts';
import { summaryOf, updateLines } from '../update_lines.ts';

type Row = Record<string, unknown>;

/** The differences in words: the value when it was adopted, that of the template, and that of the company. */
export const updateLinesInWords: Fill = {
  async run({ unit, record }) {
    const id = record.mstr_chk_id;
    const compared = typeof id === 'number' ? await comparison(unit, id) : null;
    const lines = compared ? await updateLines(unit, compared) : [];
    const byLine = new Map(lines.map((one) => [one.line, one]));
    const version = compared?.template.version_no ?? null;
    return {
      template_version: version,
      summary: compared ? summaryOf(lines, version) : 'This checklist has the newest version of its template.',
      changes: ((record.changes as Row[] | null) ?? []).map((row) => {
        const { task, what, kind, was, template, ours } = byLine.get(String(row.line)) ?? {};
        return { ...row, task, what, kind, was, template, ours };
      }),
    };
  },
};
