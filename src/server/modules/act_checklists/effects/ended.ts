import type { Effect } from '../../../engine/modules.ts';

/** What `act_checklists.task_ended` carries. */
export const TASK_ENDED = {
  type: 'object',
  required: ['origin', 'outcome'],
  properties: {
    origin: { type: 'string' },
    origin_type: { type: ['string', 'null'] },
    origin_id: { type: ['integer', 'null'] },
    outcome: { type: 'string' },
    done_on: { type: ['string', 'null'] },
  },
};

/** Announces the end of a task and its outcome to the case, filing or checklist that it belongs to. */
export const ended: Effect = {
  apply({ unit, record }) {
    unit.emit(
      'act_checklists.task_ended',
      {
        origin: record.origin,
        origin_type: record.origin_type ?? null,
        origin_id: record.origin_id ?? null,
        outcome: record.outcome ?? (record.state === 'cancelled' ? 'cancelled' : 'on_time'),
        done_on: record.done_on ?? null,
      },
      { type: 'chk_task_instance', id: record.id },
    );
    return Promise.resolve();
  },
};
