import type { Job } from '../../../engine/modules.ts';
import { dayIn, placeOf } from '../../../services/clock/client_day.ts';
import { openDisclosures } from '../disclosures.ts';

/** Opens the declarations of the year of all directors of a company. */
export const yearlyDisclosures: Job = {
  elevated: true,
  async run({ company, actor, each }) {
    if (company === null) return;
    const { timezone, fyStartMonth } = placeOf({ ...actor, entityId: company });
    const today = dayIn(timezone);
    let made = 0;
    await each<true>(
      async (_unit, after) => (after === null || after === undefined ? [true] : []),
      async (person) => {
        made = await openDisclosures(person.elevated(), company, today, fyStartMonth);
        return today;
      },
    );
    return `${made} disclosures opened.`;
  },
};
