import type { Job } from '../../../engine/modules.ts';
import { dayIn, placeOf } from '../../../services/clock/client_day.ts';
import { lookAt } from '../look_at.ts';

const BOTS_PER_STEP = 20;

/** Runs the bots of a company that are due today; a bot reports only when its finding has changed, and not while it is muted. */
export const lookAtKpis: Job = {
  elevated: true,
  async run({ company, actor, services, each }) {
    const today = dayIn(placeOf({ ...actor, entityId: company }).timezone);
    const looked = await each<{ id: number }>(
      (unit, after) =>
        unit.query(
          `select id from {kpi_bot} where entity_id = $1 and active and id > $2 and case schedule
             when 'weekly' then extract(isodow from $3::date) = 1 when 'monthly' then extract(day from $3::date) = 1 else true end
           order by id limit ${BOTS_PER_STEP}`,
          [company, after ?? 0, today],
        ),
      async (own, bots) => {
        const unit = own.elevated();
        for (const { id } of bots) {
          const bot = await unit.read('kpi_bot', id);
          const owner = Number(bot.owner_id);
          const person = await own.as(owner);
          if (person === null) continue;
          const found = await lookAt(services, unit, person, bot);
          const isNews = found.state !== bot.state && (found.state === 'alarm' || bot.state === 'alarm');
          await unit.update('kpi_bot', id, { ...found });
          const isSilent = typeof bot.muted_until === 'string' && bot.muted_until >= today;
          if (!isNews || isSilent) continue;
          await unit.notify({
            event: 'kpi.bot',
            to: [...new Set([owner, ...((bot.recipient_ids as number[] | null) ?? [])])],
            entityId: company,
            link: `/kpi_bots/view/${id}`,
            record: { type: 'kpi_bot', id },
            values: {
              bot: String(bot.name),
              text: found.state === 'alarm' ? 'It needs a look.' : 'It is back to normal.',
            },
          });
        }
        return bots.at(-1)!.id;
      },
    );
    return `${looked} bots run.`;
  },
};
