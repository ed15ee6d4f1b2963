import type { Job } from '../../../engine/modules.ts';
import { dayIn, placeOf } from '../../../services/clock/client_day.ts';
import { refreshFindings } from '../findings.ts';

/** Checks the rules of a company's board every night and notifies the units' secretaries of new violations. */
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
        const fresh = await refreshFindings(unit, company, today);
        found = fresh.length;
        const rows = await unit.query<{ id: number; unit: string; user_id: number | null }>(
          `select u.id, u.name as unit, e.user_id from {board_unit} u left join {employee} e on e.id = u.secretary_id where u.id = any($1)`,
          [fresh.map((one) => one.unit_id)],
        );
        for (const { id, unit: name, user_id: user } of rows) {
          if (user === null) continue;
          const own = fresh.filter((one) => one.unit_id === id);
          await unit.notify({
            event: 'board',
            to: [user],
            values: {
              subject: `${name}: ${own.length === 1 ? 'a rule is' : `${own.length} rules are`} violated`,
              text: own.map(({ source, remedy }) => `${source}: ${remedy}`).join('\n'),
            },
            link: '/board_findings',
          });
        }
        return today;
      },
    );
    return `${found} new findings.`;
  },
};
