import { spreadOf, usedPercent } from '../../../domain/act_desk/ticket_score.ts';
import { formatNumber } from '../../../descriptor/format.ts';
import { Exact } from '../../../descriptor/exact.ts';
import type { ReportRow } from '../../../domain/report.ts';
import { AppError } from '../../db/errors.ts';
import { tableName } from '../../db/names.ts';
import { SqlParams } from '../../db/sql_text.ts';
import type { ReportCall, ReportSource } from '../../engine/reports/report_source.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import type { MeasuredTicket } from './measured_tickets.ts';
import { MAX_MEASURED, TICKET_READS, measuredTickets } from './measured_tickets.ts';

const FILTERS = ['service_id', 'branch_id', 'group_role_id', 'assignee_id', 'priority', 'status'] as const;

/**
 * The tickets for the parameters of a report, with their figures.
 * @throws AppError 422 if they are too many, or the days are in the wrong order
 */
export async function ticketsOf(
  call: ReportCall,
  from: string,
  to: string,
  more: (values: SqlParams) => string[] = () => [],
): Promise<MeasuredTicket[]> {
  if (to < from) throw new AppError(422, 'validation', 'The last day cannot be before the first.', { field: 'to' });
  const { parameters, session } = call;
  const values = new SqlParams();
  const zone = placeOf(session).timezone ?? session.tenant.timezone;
  const day = (column: string) => `(${column} at time zone ${values.bind(zone)})::date`;
  const column = parameters.counted_by === 'closed' ? 't.closed_at' : 't.raised_at';
  const where = [
    `${day(column)} between ${values.bind(from)}::date and ${values.bind(to)}::date`,
    ...FILTERS.flatMap((name) =>
      parameters[name] === null || parameters[name] === undefined
        ? []
        : [`t.${name} = ${values.bind(parameters[name])}`],
    ),
    ...(parameters.service_category_id === null || parameters.service_category_id === undefined
      ? []
      : [`v.service_category_id = ${values.bind(parameters.service_category_id)}`]),
    ...more(values),
  ];
  const found = await measuredTickets(call, { where, values, zone });
  if (found.length > MAX_MEASURED)
    throw new AppError(422, 'validation', `There are more than ${MAX_MEASURED} tickets. Choose a shorter time.`, {
      field: 'from',
    });
  return found;
}

export const isLate = ({ used, target }: { used: number; target: number | null }): boolean =>
  target !== null && used > target;
export const percentOf = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${new Exact(part).times(100).div(whole).toDecimalPlaces(2).toFixed(2)} %`;
const minutes = (value: number): number => Math.round(value);

/** Tickets with their clocks, pauses and holders (act 7). */
const ticketsReport: ReportSource = {
  reads: TICKET_READS,
  async rows(call) {
    const { parameters } = call;
    const all = await ticketsOf(call, String(parameters.from), String(parameters.to));
    const breached = (one: MeasuredTicket) => isLate(one.resolution) || isLate(one.response);
    const found = parameters.breached === true ? all.filter(breached) : all;
    const rows = found.map((one): ReportRow => ({
      ticket: one.id,
      ticket__label: one.ticket_no,
      raised_at: one.raised_at,
      subject: one.subject,
      service: one.service,
      priority: one.priority,
      status: one.status,
      holder: one.assignee ?? one.group,
      response_used: minutes(one.response.used),
      response_target: one.response.target,
      resolution_used: minutes(one.resolution.used),
      resolution_target: one.resolution.target,
      used_percent: usedPercent(one.resolution)?.toDecimalPlaces(2).toFixed(2) ?? null,
      paused: minutes(one.paused),
      reopened: one.reopen_count,
      forwarded: one.forward_count,
      rating: one.rating,
    }));
    const spread = spreadOf(found.map(({ resolution }) => minutes(resolution.used)));
    const days = Map.groupBy(found.toReversed(), ({ raised_day: day }) => day);
    return {
      rows,
      figures: [
        { title: 'Tickets', value: formatNumber(found.length) },
        { title: 'Late', value: percentOf(found.filter(breached).length, found.length), tone: 'warning' as const },
        { title: 'Mean minutes', value: spread ? formatNumber(Number(spread.mean)) : '–' },
        { title: '90 % took at most (minutes)', value: spread ? formatNumber(spread.ninetieth) : '–' },
      ],
      chart: {
        x: [...days.keys()].map((day) => day.split('-').reverse().slice(0, 2).join('-')),
        series: [
          { title: 'Raised', values: [...days.values()].map((of) => of.length) },
          { title: 'Late', values: [...days.values()].map((of) => of.filter(breached).length) },
        ],
      },
    };
  },
};

/** The number of tickets raised in each hour of the week. */
export const hoursReport: ReportSource = {
  reads: TICKET_READS,
  async rows(call) {
    const { parameters } = call;
    const found = await ticketsOf(call, String(parameters.from), String(parameters.to));
    const NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
    const hours = [...new Set(found.map(({ raised_hour: hour }) => hour))].toSorted((a, b) => a - b);
    const name = (hour: number) => `${String(hour).padStart(2, '0')}:00`;
    const rows = NAMES.flatMap((weekday, at) =>
      hours.map((hour) => ({
        weekday,
        hour: name(hour),
        tickets: found.filter((one) => one.raised_weekday === at + 1 && one.raised_hour === hour).length,
      })),
    );
    return { rows, pivot: hours.map((hour) => ({ value: name(hour), title: name(hour) })) };
  },
};

/** The minutes for which each group and person held tickets, against their share of the promised time (act 5.5). */
export const holdingsReport: ReportSource = {
  reads: TICKET_READS,
  async rows(call) {
    const { parameters, session } = call;
    const found = await ticketsOf(call, String(parameters.from), String(parameters.to), (values) =>
      typeof parameters.ticket_id === 'number' ? [`t.id = ${values.bind(parameters.ticket_id)}`] : [],
    );
    const names = async (type: 'role' | 'employee', column: string) =>
      new Map(
        (
          await session.tenant.db.query<{ id: number; name: string }>(
            `select id, ${column} as name from ${tableName(session.tenant.schema, type)}`,
          )
        ).map(({ id, name }) => [id, name]),
      );
    const [groups, people] = await Promise.all([names('role', 'role_name'), names('employee', 'name')]);
    const rows = found.flatMap((one) =>
      one.holdings.map((held): ReportRow => {
        const share = held.group === null ? undefined : one.shares.get(held.group);
        const own =
          share === undefined || one.resolution.target === null
            ? null
            : new Exact(one.resolution.target).times(share).div(100).toDecimalPlaces(0).toNumber();
        return {
          ticket: one.id,
          ticket__label: one.ticket_no,
          group: held.group === null ? null : (groups.get(held.group) ?? null),
          person: held.person === null ? null : (people.get(held.person) ?? null),
          from_at: new Date(held.from).toISOString(),
          to_at: held.to === null ? null : new Date(held.to).toISOString(),
          minutes: minutes(held.minutes),
          share: own,
          over: own === null ? null : Math.max(0, minutes(held.minutes) - own),
        };
      }),
    );
    const byGroup = Map.groupBy(rows, ({ group }) => String(group ?? 'No group'));
    return {
      rows,
      chart: {
        x: [...byGroup.keys()],
        series: [
          {
            title: 'Minutes',
            values: [...byGroup.values()].map((of) => of.reduce((sum, row) => sum + Number(row.minutes), 0)),
          },
        ],
      },
    };
  },
};

export default ticketsReport;
