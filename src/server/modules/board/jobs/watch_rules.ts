import type { Job } from '../../../engine/modules.ts';
import { dayIn, placeOf } from '../../../services/clock/client_day.ts';
import { setDesignationHolders } from '../designation_holders.ts';
import { refreshFindings } from '../findings.ts';
import { notifyOfFindings } from '../notify_of_findings.ts';
import { setMembers } from '../membership.ts';
import { countVacantDays } from '../vacant_days.ts';

/**
 * Checks the rules of a company's board every night, counts the days of its vacant seats, lets access to the units follow
 * the accounts of their members, and notifies the units' secretaries of new violations.
 */
export const watchRules: Job = {
  elevated: true,
  async run({ company, actor, each }) {
    if (company === null) return;
    const today = dayIn(placeOf({ ...actor, entityId: company }).timezone);
    let found = 0;
    await each<true>(
      async (_unit, after) => (after === null || after === undefined ? [true] : []),
      async (person) => {
        const unit = person.elevated();
        const units = await unit.query<{ id: number }>(
          `select id from {board_unit} where entity_id = $1 and active and state = 'constituted' order by id`,
          [company],
        );
        for (const { id } of units) await setMembers(unit, id);
        const fresh = await refreshFindings(unit, company, today);
        await setDesignationHolders(unit, null);
        await countVacantDays(unit, 'entity_id = $2 and active and abolished_on is null', [today, company]);
        found = fresh.length;
        await notifyOfFindings(unit, fresh);
        return today;
      },
    );
    return `${found} new findings.`;
  },
};
