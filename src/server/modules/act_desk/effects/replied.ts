import type { Effect } from '../../../engine/modules.ts';
import { isRequester, writerOf } from '../ticket_people.ts';
import { writeEvent } from '../write_event.ts';

type Row = Record<string, unknown>;

const rowsOf = (rows: unknown): Row[] => (Array.isArray(rows) ? (rows as Row[]) : []);

/** A message on a ticket: the agent's first one starts the work, the requester's ends a pause. */
export const replied: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const all = unit.elevated();
    const fromRequester = isRequester(unit, record);
    const message = {
      at: unit.at.toISOString(),
      by_name: writerOf(unit, record),
      from_requester: fromRequester,
      text: record.reply_text,
    };
    await all.update('ticket', record.id, { replies: [...rowsOf(record.replies), message], reply_text: null });
    await writeEvent(all, record, 'replied', { to: fromRequester ? 'By the requester' : 'By the desk' });
    if (fromRequester) await all.takeAuto('ticket', record.id, 'resume_by_reply');
    else if (record.assignee_id === unit.session.employeeId) await all.takeAuto('ticket', record.id, 'start_by_reply');
  },
};

/** A note hidden from the requester. */
export const noted: Effect = {
  elevated: true,
  async apply({ unit, record, input }) {
    const all = unit.elevated();
    const note = { at: unit.at.toISOString(), by_name: writerOf(unit, record), text: input.note_text };
    await all.update('ticket', record.id, { notes: [...rowsOf(record.notes), note], note_text: null });
    await writeEvent(all, record, 'noted');
  },
};
