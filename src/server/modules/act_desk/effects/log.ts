import type { Effect } from '../../../engine/modules.ts';
import type { EventKind } from '../write_event.ts';
import { writeEvent } from '../write_event.ts';
import { nameOf } from '../ticket_people.ts';

const OUTCOMES: Readonly<Record<string, string>> = {
  fixed: 'Fixed',
  workaround: 'Workaround',
  information: 'Information given',
  duplicate: 'Duplicate',
  not_reproducible: 'Not reproducible',
  rejected: 'Not done',
};

/** Records a transition in the log of the ticket: `kind` names the event. */
export const log: Effect = {
  elevated: true,
  args: { type: 'object', required: ['kind'], additionalProperties: false, properties: { kind: { type: 'string' } } },
  async apply({ unit, args, record, before, input }) {
    const all = unit.elevated();
    const kind = args.kind as EventKind;
    const reason = typeof input.reason === 'string' ? input.reason : null;
    const upper = (value: unknown) => (typeof value === 'string' ? value.toUpperCase() : null);
    const spoken =
      kind === 'assigned'
        ? {
            from: await nameOf(all, 'employee', before?.assignee_id),
            to: await nameOf(all, 'employee', record.assignee_id),
          }
        : kind === 'priority'
          ? { from: upper(before?.priority), to: upper(record.priority) }
          : kind === 'paused'
            ? { to: await nameOf(all, 'pause_category', record.pause_category_id) }
            : kind === 'times'
              ? { from: await nameOf(all, 'slab', before?.slab_id), to: await nameOf(all, 'slab', record.slab_id) }
              : kind === 'resolved'
                ? { to: OUTCOMES[String(record.resolution_code)] ?? null }
                : {};
    const remark = kind === 'paused' ? ((record.pause_note as string | null) ?? null) : reason;
    await writeEvent(all, record, kind, { ...spoken, reason: remark });
  },
};
