import type { Job } from '../../../engine/modules.ts';
import { accountsOf } from '../task_people.ts';

/** From December on, owners of active checklists are notified if no holiday of the next year has been entered (§10). */
export const holidaysMissing: Job = {
  elevated: true,
  async run({ company, due, each }) {
    const year = Number(due.slice(0, 4)) + 1;
    let notified = 0;
    await each<{ owner_id: number }>(
      (unit, after) =>
        (after ?? null) === null
          ? unit.query(
              `select distinct m.owner_id from {master_checklist} m where m.entity_id = $1 and m.active and m.state = 'active'
                 and not exists (select 1 from {holiday} h where h.active and h.entity_id = $1 and extract(year from h.date) = $2)`,
              [company, year],
            )
          : Promise.resolve([]),
      async (person, owners) => {
        const unit = person.elevated();
        const to = await accountsOf(
          unit,
          owners.map(({ owner_id: id }) => id),
        );
        notified = to.length;
        if (to.length > 0)
          await unit.notify({
            event: 'checklist.attention',
            to,
            entityId: company,
            link: '/holiday',
            values: {
              checklist: 'Holidays',
              what: `none for ${year}`,
              text: `No holidays for ${year} have been entered. The dates of tasks in ${year} do not avoid holidays until they are.`,
            },
          });
        return year;
      },
    );
    return `${notified} ${notified === 1 ? 'owner' : 'owners'} notified.`;
  },
};
