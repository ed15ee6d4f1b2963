import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DateTime } from 'luxon';
import type { HolidaySpan, WeekOffPolicy, WorkingDays } from '../../domain/working_days.ts';
import { workingDays } from '../../domain/working_days.ts';
import type { Tenant } from '../context.ts';
import { quoted } from '../db/names.ts';
import { AppError, notFound } from '../errors.ts';

export interface WorkingDayRouteDeps {
  ensure(tenant: Tenant, types: string[]): Promise<unknown>;
}

/** Days of one answer at most: three years. */
const MOST_DAYS = 1_098;

const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && DateTime.fromISO(text).isValid;

/** Working days of a branch, or of the company: for everybody who is signed in, since dates are reckoned by them everywhere. */
export async function workingDayRoutes(app: FastifyInstance, { ensure }: WorkingDayRouteDeps): Promise<void> {
  async function answer({ session, query }: FastifyRequest): Promise<WorkingDays> {
    const { tenant, entityId } = session;
    if (tenant.schema === 'public') throw notFound();
    if (entityId === null) throw new AppError(400, 'bad_request', 'Choose a company first.', { field: 'entity_id' });
    const { branch_id: given = '', from = '', to = '' } = query as Record<string, string | undefined>;
    for (const [field, value] of [['from', from], ['to', to]] as const)
      if (!isDate(value)) throw new AppError(400, 'bad_request', `${field} is a date, YYYY-MM-DD.`, { field });
    if (to < from) throw new AppError(400, 'bad_request', 'The last day cannot be before the first.', { field: 'to' });
    if ((Date.parse(to) - Date.parse(from)) / 86_400_000 >= MOST_DAYS) throw new AppError(400, 'bad_request', 'Ask for three years at most.', { field: 'to' });
    if (given !== '' && !/^\d{1,15}$/.test(given)) throw new AppError(400, 'bad_request', 'branch_id is a whole number.', { field: 'branch_id' });
    await ensure(tenant, ['branch', 'weekoff', 'holiday']);
    const s = quoted(tenant.schema);
    const branch = given === '' ? null : Number(given);
    const rows =
      branch === null
        ? [{ state_id: null, holiday_group: null }]
        : await tenant.db.query<{ state_id: number | null; holiday_group: string | null }>(`select state_id, holiday_group from ${s}.branch where id = $1 and entity_id = $2`, [branch, entityId]);
    const [place] = rows;
    if (!place) throw notFound();
    const [policies, holidays] = await Promise.all([
      tenant.db.query<WeekOffPolicy & { own: boolean }>(
        `select effective_from::text, coalesce($1::bigint = any(branches), false) as own,
           coalesce((select json_agg(json_build_object('weekday', r.weekday, 'weeks', to_jsonb(r.weeks), 'part', r.part)) from ${s}.weekoff__rules r where r.parent_id = w.id), '[]') as rules,
           coalesce((select json_agg(json_build_object('date', x.date::text, 'working', coalesce(x.working, true))) from ${s}.weekoff__exceptions x where x.parent_id = w.id), '[]') as exceptions
         from ${s}.weekoff w where active and (coalesce($1::bigint = any(branches), false) or is_default or coalesce(cardinality(branches), 0) = 0)
         order by is_default desc nulls last, id`,
        [branch],
      ),
      tenant.db.query<HolidaySpan>(
        `select date::text, to_date::text from ${s}.holiday where active and entity_id = $1 and holiday_type <> 'optional' and date <= $3::date and coalesce(to_date, date) >= $2::date
           and (coalesce(cardinality(branches), 0) = 0 or $4::bigint = any(branches)) and (coalesce(cardinality(states), 0) = 0 or $5::bigint = any(states))
           and (lower(holiday_group) = 'all' or lower(holiday_group) = lower($6::text)) order by date, id`,
        [entityId, from, to, branch, place.state_id, place.holiday_group],
      ),
    ]);
    // A branch's own policy beats the one for all.
    const own = policies.filter((policy) => policy.own);
    return workingDays(from, to, own.length > 0 ? own : policies, holidays);
  }

  for (const prefix of ['/tapi', '/api']) app.get(`${prefix}/working_days`, answer);
}
