import { profileInWords } from '../../../../domain/act_filings/applicability.ts';
import type { Job } from '../../../engine/modules.ts';
import { dayIn, placeOf } from '../../../services/clock/client_day.ts';
import { actsOfCompany, companyProfile } from '../company_profile.ts';

/** Compares the acts with the company's current facts; notifies its secretaries of acts that start or stop applying. */
export const compareActs: Job = {
  elevated: true,
  async run({ company, actor, each }) {
    const today = dayIn(placeOf({ ...actor, entityId: company }).timezone);
    let changed = 0;
    await each(
      (_unit, after) => Promise.resolve(after ? [] : [company]),
      async (person) => {
        const unit = person.elevated();
        const profile = await companyProfile(unit);
        const known = new Map(
          (
            await unit.query<{ id: number; act_id: number; applies: boolean }>(
              'select id, act_id, applies from {act_application} where entity_id = $1 and active',
              [company],
            )
          ).map((row) => [row.act_id, row]),
        );
        const isFirst = known.size === 0;
        const to = (
          await unit.query<{ id: number }>(
            `select u.id from {users} u where u.active and u.status = 'active' and u.secretary_flag
               and exists (select 1 from {users.companies} c where c.parent_id = u.id and c.entity_id = $1) order by u.id`,
            [company],
          )
        ).map(({ id }) => id);
        const words = profileInWords(profile);
        for (const { id, short_name: name, applies, replaced_by: next } of await actsOfCompany(unit, profile, today)) {
          const before = known.get(id);
          if (before?.applies === applies) continue;
          const said = { applies, since: today, company_then: words };
          if (before) await unit.update('act_application', before.id, said);
          else await unit.create('act_application', { act_id: id, ...said });
          changed++;
          // The first day is a baseline, and a new act that does not apply is no news.
          if (isFirst || to.length === 0 || (!before && !applies)) continue;
          await unit.notify({
            event: applies ? 'act.applies' : 'act.no_longer',
            to,
            entityId: company,
            link: '/acts_of_company',
            values: {
              act: name,
              company: words,
              next: next === null ? '' : `${next} replaces it: adopt its checklists.`,
            },
          });
        }
        return company;
      },
    );
    return `${changed} acts started or stopped applying.`;
  },
};
