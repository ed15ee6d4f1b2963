import { dayIn, zoneOf } from '../../../descriptor/place.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DateTime } from 'luxon';
import type { CopiedHoliday, DayOff, WeekOffPolicy, WorkingDays } from '../../../domain/working_days.ts';
import { copyOfYear, dayOf, workingDays } from '../../../domain/working_days.ts';
import type { CalendarDays } from '../../../domain/calendar.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import { AppError, notFound } from '../../db/errors.ts';
import { holidaysOfYears } from '../../platform/calendar/holiday_years.ts';
import { HOLIDAY } from '../../platform/calendar/holiday_notices.ts';
import type { NamedHoliday } from '../../access/people/working_calendar.ts';
import { CALENDAR_TYPES, holidaysThatCount, restDays } from '../../access/people/working_calendar.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { calendarEvents } from '../../platform/calendar/calendar.ts';
import { authorize, authorizeAny } from '../../access/rights/authorize.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';

export interface WorkingDayRouteDeps {
  ensure(tenant: Tenant, types: string[]): Promise<unknown>;
  screens: (session: Session) => Map<string, Screen>;
  engine: Engine;
}

/** The maximum number of days in one answer: three years. */
const MAX_DAYS = 1_098;
/** Three months. */
const MAX_CALENDAR_DAYS = 93;
const WEEKOFF = 'weekoff';
const PREVIEW_WEEKS = 8;
const MAX_COPIED = 300;

const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && DateTime.fromISO(text).isValid;
const addDays = (day: string, days: number): string =>
  DateTime.fromISO(day, { zone: 'utc' }).plus({ days }).toISODate()!;

/** Working days of a branch, or of the company: for all signed-in people, because dates everywhere depend on them. */
export async function workingDayRoutes(
  app: FastifyInstance,
  { ensure, screens, engine }: WorkingDayRouteDeps,
): Promise<void> {
  /** Week-offs and holidays of a branch, or of the company, in a span of days. */
  async function calendarOf(
    { session, query }: Pick<FastifyRequest, 'session' | 'query'>,
    employeeId: number | null = null,
  ): Promise<{ from: string; to: string; policies: WeekOffPolicy[]; holidays: NamedHoliday[] }> {
    const { tenant } = session;
    const entityId = companyOf(session);
    const { branch_id: given = '', from = '', to = '' } = query as Record<string, string | undefined>;
    for (const [field, value] of [
      ['from', from],
      ['to', to],
    ] as const)
      if (!isDate(value)) throw new AppError(400, 'bad_request', `${field} is a date, YYYY-MM-DD.`, { field });
    if (to < from) throw new AppError(400, 'bad_request', 'The last day cannot be before the first.', { field: 'to' });
    if ((Date.parse(to) - Date.parse(from)) / 86_400_000 >= MAX_DAYS)
      throw new AppError(400, 'bad_request', 'Request at most three years.', { field: 'to' });
    if (given !== '' && !/^\d{1,15}$/.test(given))
      throw new AppError(400, 'bad_request', 'branch_id is a whole number.', { field: 'branch_id' });
    await ensure(tenant, CALENDAR_TYPES);
    const rest = await restDays(
      tenant,
      { entityId, branchId: given === '' ? null : Number(given), employeeId },
      from,
      to,
    );
    if (!rest) throw notFound();
    return { from, to, ...rest };
  }

  async function answer(request: FastifyRequest): Promise<WorkingDays> {
    const { from, to, policies, holidays } = await calendarOf(request);
    return workingDays(from, to, policies, holidaysThatCount(holidays));
  }

  /**
   * One's own days, by default those of one's branch, and what is due on them: for everybody, limited to what they may
   * see.
   */
  async function days({ session, query }: FastifyRequest): Promise<{ data: CalendarDays }> {
    const { mine = '1', ...span } = query as Record<string, string | undefined>;
    if (mine !== '0' && mine !== '1') throw new AppError(400, 'bad_request', 'mine is 1 or 0.', { field: 'mine' });
    const { branchId } = session as LiveSession;
    const { from, to, policies, holidays } = await calendarOf(
      { session, query: { ...span, branch_id: branchId === null ? '' : String(branchId) } },
      session.employeeId,
    );
    if ((Date.parse(to) - Date.parse(from)) / 86_400_000 >= MAX_CALENDAR_DAYS)
      throw new AppError(400, 'bad_request', 'Request at most three months.', { field: 'to' });
    const { week_offs, half_days } = workingDays(from, to, policies, holidaysThatCount(holidays));
    const named = holidays.map(({ name, date, to_date: until, holiday_type: type }) => ({
      name,
      date,
      to_date: until ?? null,
      optional: type === 'optional',
    }));
    return {
      data: {
        week_offs,
        half_days,
        holidays: named,
        ...(await calendarEvents(session, screens(session), { from, to, mine: mine === '1' })),
      },
    };
  }

  /** The same with the names of holidays, for people who may list holidays. */
  async function year(request: FastifyRequest): Promise<{ data: WorkingDays & { named: NamedHoliday[] } }> {
    authorize(request.session, screenOf(request.session, HOLIDAY), 'landing');
    const { from, to, policies, holidays } = await calendarOf(request);
    return { data: { ...workingDays(from, to, policies, holidaysThatCount(holidays)), named: holidays } };
  }

  /** A preview of copying last year's holidays to the next year; nothing is stored. */
  async function proposed({ session, query }: FastifyRequest): Promise<{ data: CopiedHoliday[] }> {
    const screen = screenOf(session, HOLIDAY);
    authorize(session, screen, 'landing');
    const { year: given = '' } = query as { year?: string };
    const entityId = companyOf(session);
    const to = nextYear(given);
    await ensure(session.tenant, [HOLIDAY]);
    const rows = await holidaysOfYears(session.tenant, entityId, [given, to]);
    return {
      data: copyOfYear(
        rows.filter((row) => row.financial_year === given),
        rows.filter((row) => row.financial_year === to),
      ),
    };
  }

  /** Stores the reviewed copies, each validated like in the list. */
  async function copy({
    session,
    body,
  }: FastifyRequest): Promise<{ data: { made: number; errors: { copy_of: number; message: string }[] } }> {
    const screen = screenOf(session, HOLIDAY);
    authorize(session, screen, 'add_screen', screen.access.action);
    companyOf(session);
    await ensure(session.tenant, [HOLIDAY]);
    const errors: { copy_of: number; message: string }[] = [];
    let made = 0;
    for (const { copy_of: id, date, to_date: until } of (
      body as { rows: { copy_of: number; date: string; to_date?: string | null }[] }
    ).rows) {
      try {
        const values = await engine.copy(session, screen, id);
        const { name, holiday_group: group } = await engine.read(session, screen, id);
        await engine.create(
          session,
          screen,
          { ...values, name, holiday_group: group, date, to_date: until ?? null },
          'copy of the year',
        );
        made++;
      } catch (thrown) {
        if (!(thrown instanceof AppError)) throw thrown;
        errors.push({ copy_of: id, message: thrown.details.map(({ message }) => message).join(' ') || thrown.message });
      }
    }
    return { data: { made, errors } };
  }

  /** A preview of coming weeks under one policy, with the rule that makes each day off. */
  async function preview({
    session,
    params,
    query,
  }: FastifyRequest): Promise<{ data: { name: string; from: string; days: (DayOff & { date: string })[] } }> {
    const screen = screenOf(session, WEEKOFF);
    authorizeAny(session, screen, ['view_screen', 'edit_screen']);
    const id = Number((params as { id: string }).id);
    if (!Number.isSafeInteger(id)) throw notFound();
    const { from: given = dayIn(zoneOf(session, placeOf(session).zones)) } = query as { from?: string };
    if (!isDate(given)) throw new AppError(400, 'bad_request', 'from is a date, YYYY-MM-DD.', { field: 'from' });
    await ensure(session.tenant, [WEEKOFF]);
    const policy = await engine.read(session, screen, id);
    // Whole weeks from a Monday on, as a calendar shows them.
    const from = DateTime.fromISO(given, { zone: 'utc' }).startOf('week').toISODate()!;
    const days = Array.from({ length: PREVIEW_WEEKS * 7 }, (_, at) => {
      const date = addDays(from, at);
      return { date, ...dayOf(date, [policy as unknown as WeekOffPolicy]) };
    });
    return { data: { name: policy.name as string, from: policy.effective_from as string, days } };
  }

  function screenOf(session: Session, type: string): Screen {
    const screen = screens(session).get(type);
    if (!screen || session.tenant.schema === 'public') throw notFound();
    return screen;
  }

  for (const prefix of ['/tapi', '/api']) {
    app.get(`${prefix}/working_days`, answer);
    app.get(`${prefix}/calendar`, days);
    app.get(`${prefix}/holiday/year`, year);
    app.get(`${prefix}/holiday/copy`, proposed);
    app.post(`${prefix}/holiday/copy`, { schema: { body: COPY_BODY } }, copy);
    app.get(`${prefix}/weekoff/:id/preview`, preview);
  }
}

const COPY_BODY = {
  type: 'object',
  required: ['rows'],
  properties: {
    rows: {
      type: 'array',
      minItems: 1,
      maxItems: MAX_COPIED,
      items: {
        type: 'object',
        required: ['copy_of', 'date'],
        properties: {
          copy_of: { type: 'integer', minimum: 1 },
          date: { type: 'string', format: 'date' },
          to_date: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] },
        },
      },
    },
  },
};

function companyOf({ tenant, entityId }: Session): number {
  if (tenant.schema === 'public') throw notFound();
  if (entityId === null) throw new AppError(400, 'bad_request', 'Choose a company first.', { field: 'entity_id' });
  return entityId;
}

/** `2026-2027` → `2027-2028`. */
function nextYear(year: string): string {
  const [, first = ''] = /^(\d{4})-\d{4}$/.exec(year) ?? [];
  if (first === '')
    throw new AppError(400, 'bad_request', 'year is a financial year, such as 2026-2027.', { field: 'year' });
  return `${Number(first) + 1}-${Number(first) + 2}`;
}
