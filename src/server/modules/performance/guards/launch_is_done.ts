import type { Guard } from '../../../engine/modules.ts';

/** A launch is closed only when none of its appraisals is open. */
export const launchIsDone: Guard = {
  elevated: true,
  async check({ unit: person, record }) {
    const [open] = await person.elevated().query<{ number: string; more: number }>(
      `select number, (count(*) over ())::int as more from {appraisal}
       where launch_id = $1 and active and status not in ('acknowledged', 'closed', 'excluded') order by number limit 1`,
      [record.id],
    );
    return open
      ? [
          {
            field: 'state',
            message:
              open.more === 1
                ? `Appraisal ${open.number} is not acknowledged yet.`
                : `${open.more} appraisals are not acknowledged yet, ${open.number} among them.`,
          },
        ]
      : [];
  },
};
