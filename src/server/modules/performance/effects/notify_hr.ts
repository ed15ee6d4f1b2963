import type { Effect } from '../../../engine/modules.ts';
import { peopleWithAction } from '../people_with_action.ts';

/** The right of people who decide appeals. */
const DECIDES = 'RELEASE_RATING';

/** Notifies HR of an appeal: the people who decide it, except the reviewer and the manager, who are notified anyway. */
export const notifyHr: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const [hr, above] = await Promise.all([
      peopleWithAction(unit, unit.session.entityId, DECIDES),
      unit.query<{ user_id: number | null }>('select user_id from {employee} where id = any($1)', [
        [record.manager_id, record.reviewer_id, record.employee_id].filter((id) => typeof id === 'number'),
      ]),
    ]);
    const known = new Set(above.map(({ user_id: user }) => Number(user)));
    await unit.notify({
      event: 'appraisal.appealed',
      to: hr.filter((id) => !known.has(id) && id !== unit.session.userId),
      entityId: unit.session.entityId,
      link: `/appraisal_landing/view/${record.id}`,
      record: { type: 'appraisal', id: record.id },
      values: { number: String(record.number), member: String(record.employee_id__label ?? '') },
    });
  },
};
