import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DateTime } from 'luxon';
import type { WorkingDays } from '../../domain/working_days.ts';
import type { Tenant } from '../context.ts';
import { AppError, notFound } from '../errors.ts';
import { CALENDAR_TYPES, workingCalendar } from '../people/working_calendar.ts';

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
    await ensure(tenant, CALENDAR_TYPES);
    const calendar = await workingCalendar(tenant, { entityId, branchId: given === '' ? null : Number(given) }, from, to);
    if (!calendar) throw notFound();
    const { planned: _planned, ...days } = calendar;
    return days;
  }

  for (const prefix of ['/tapi', '/api']) app.get(`${prefix}/working_days`, answer);
}
