import type { Effect } from '../../../engine/modules.ts';

/** Adds the latest message to the conversation of a question: an answer, a reason, or the question itself. */
export const say: Effect = {
  elevated: true,
  async apply({ unit: person, record, input, before }) {
    const said = input.answer ?? input.reason ?? (before === null ? record.question : null);
    if (typeof said !== 'string' || said === '') return;
    const unit = person.elevated();
    const { thread } = await unit.read('board_query', record.id);
    await unit.update('board_query', record.id, {
      thread: [...((thread as object[] | null) ?? []), { at: unit.at.toISOString(), by_id: unit.session.userId, said }],
    });
  },
};

/**
 * Reads the figure of a question again with the person's current access; if it no longer exists, the question is
 * unchanged.
 */
export const valueNow: Effect = {
  elevated: true,
  async apply({ unit, services, record }) {
    const { dashboard, tile, filters } = record;
    if (typeof dashboard !== 'string' || typeof tile !== 'string') return;
    const found = await services.figure(unit.session, {
      dashboard,
      tile,
      filters: typeof filters === 'string' ? filters : '',
    });
    if (!found) return;
    await unit
      .elevated()
      .update('board_query', record.id, { value_now: found.value, compared_at: unit.at.toISOString() });
  },
};
