import type { WireRecord } from '../../../../descriptor/types.ts';
import type { Job, Services } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { dayIn, placeOf } from '../../../services/clock/client_day.ts';
import { followed } from '../bot_figures.ts';
import type { BotFound } from '../look_at.ts';
import { lookAt } from '../look_at.ts';

const BOTS_PER_STEP = 20;

const idsIn = (value: unknown): number[] => (Array.isArray(value) ? value.map(Number) : []);

/** Whether a person may see the figure that a bot reports: the finding quotes it. */
async function maySee(services: Services, unit: Unit, own: Unit, user: number, bot: WireRecord, { last }: BotFound) {
  const person = await own.as(user);
  if (person === null || last === null) return false;
  const seen = await followed(services, unit, person, bot);
  if (typeof seen === 'string') return false;
  const same = seen.figures.at(-1)!;
  return same.first === last.first && same.value === last.value;
}

/** The message to people who may not see the figures. */
function plainText(bot: WireRecord, { state }: BotFound): string {
  if (bot.rule === 'band_change') return 'Its rating has changed.';
  return state === 'alarm' ? 'It needs a look.' : 'It is back to normal.';
}

/** Notifies the owner, the people that they chose, and the subscribers of a shared bot, through the bot's channels. */
async function report(services: Services, unit: Unit, own: Unit, bot: WireRecord, found: BotFound): Promise<void> {
  const isShared = bot.visibility === 'company';
  const people = new Set([
    Number(bot.owner_id),
    ...idsIn(bot.recipient_ids),
    ...(isShared ? idsIn(bot.subscriber_ids) : []),
  ]);
  const chosen = (bot.channels as string[] | null) ?? [];
  const has = (channel: string) => (chosen.length > 0 ? chosen : ['in_app']).includes(channel);
  const seeing: number[] = [];
  const others: number[] = [];
  for (const user of people)
    (user === Number(bot.owner_id) || (await maySee(services, unit, own, user, bot, found)) ? seeing : others).push(
      user,
    );
  const plain = plainText(bot, found);
  for (const [to, text] of [
    [seeing, `${plain} ${found.finding ?? ''}`.trim()],
    [others, plain],
  ] as const)
    if (to.length > 0)
      await unit.notify({
        event: 'kpi.bot',
        to: [...to],
        entityId: own.session.entityId,
        link: `/kpi_bots/view/${bot.id}`,
        record: { type: 'kpi_bot', id: bot.id },
        values: { bot: String(bot.name), text },
        channels: { inApp: has('in_app'), mail: has('mail'), push: has('push') },
      });
}

/**
 * Runs the bots of a company that are due today, or those of a KPI whose figure was approved. A bot reports only what has
 * changed; while it is muted it keeps its report until the day after.
 */
export const lookAtKpis: Job = {
  elevated: true,
  args: {
    type: 'object',
    properties: { kpi: { type: 'integer' }, employee: { type: 'integer' } },
    additionalProperties: false,
  },
  async run({ company, actor, args, services, each }) {
    const today = dayIn(placeOf({ ...actor, entityId: company }).timezone);
    const { kpi = null, employee = null } = args;
    const looked = await each<{ id: number }>(
      (unit, after) =>
        unit.query(
          `select id from {kpi_bot} where entity_id = $1 and active and id > $2
             and case when $4::bigint is not null then schedule = 'approved' and kpi_id = $4 and employee_id = $5::bigint
               when schedule = 'weekly' then extract(isodow from $3::date) = 1
               when schedule = 'monthly' then extract(day from $3::date) = 1 else true end
           order by id limit ${BOTS_PER_STEP}`,
          [company, after ?? 0, today, kpi, employee],
        ),
      async (own, bots) => {
        const unit = own.elevated();
        for (const { id } of bots) {
          const bot = await unit.read('kpi_bot', id);
          const person = await own.as(Number(bot.owner_id));
          if (person === null) continue;
          const found = await lookAt(services, unit, person, bot);
          const isSilent = typeof bot.muted_until === 'string' && bot.muted_until >= today;
          const known = (bot.reported as string | null) ?? found.before;
          const isNews = found.report !== null && found.report !== known;
          await unit.update('kpi_bot', id, {
            state: found.state,
            looked_month: found.looked_month,
            finding: found.finding,
            ...(!isSilent && found.report !== null && { reported: found.report }),
          });
          if (isNews && !isSilent) await report(services, unit, own, bot, found);
        }
        return bots.at(-1)!.id;
      },
    );
    return `${looked} bots run.`;
  },
};
