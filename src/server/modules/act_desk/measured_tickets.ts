import type { Holding } from '../../../domain/act_desk/holdings.ts';
import { holdingsOf } from '../../../domain/act_desk/holdings.ts';
import type { Priority } from '../../../domain/act_desk/priority.ts';
import type { ScoreRule } from '../../../domain/act_desk/ticket_score.ts';
import type { OpenHours } from '../../../domain/open_hours.ts';
import type { ClockEntry } from '../../../domain/sla_clock.ts';
import { elapsedMinutes, stretchesOf } from '../../../domain/sla_clock.ts';
import { businessHours } from '../../access/people/business_hours.ts';
import { tableName, quoted } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import type { SqlParams } from '../../db/sql_text.ts';
import type { ReportCall } from '../../engine/reports/report_source.ts';

/** The types from which ticket figures are read. */
export const TICKET_READS = {
  ticket: ['responded_at', 'resolved_at', 'priority', 'assignee_id', 'group_role_id', 'rating', 'reopen_count'],
  service: [],
  service_category: [],
  slab: [],
  role: [],
  employee: [],
  branch: [],
  business_calendar: [],
  holiday: [],
  weekoff: [],
} as const;

/** A ticket with the readings of its clocks, computed from its log. */
export interface MeasuredTicket {
  id: number;
  ticket_no: string;
  subject: string;
  raised_at: string;
  raised_day: string;
  raised_hour: number;
  raised_weekday: number;
  status: string;
  priority: Priority;
  service_id: number;
  service: string;
  group_role_id: number | null;
  group: string | null;
  assignee_id: number | null;
  assignee: string | null;
  branch_id: number;
  branch: string;
  slab_id: number | null;
  reopen_count: number;
  forward_count: number;
  rating: number | null;
  response: { used: number; target: number | null };
  resolution: { used: number; target: number | null };
  /** Business minutes for which the clock was paused before the solution. */
  paused: number;
  holdings: Holding[];
  /** A group's share of the promised time in percent, by its number; missing = undefined. */
  shares: ReadonlyMap<number, string>;
}

interface Stored extends Omit<MeasuredTicket, 'response' | 'resolution' | 'paused' | 'holdings' | 'shares'> {
  entity_id: number;
  answered_ms: number | null;
  solved_ms: number | null;
  raised_ms: number;
  response_minutes: number | null;
  resolution_minutes: number | null;
  round_the_clock: boolean;
  slab_calendar: number | null;
}

interface Clock {
  id: number;
  clock: 'response' | 'resolution';
  target: string | null;
  calendar: number | 'always' | null;
  holders: { at: number; holder: [number | null, number | null] }[];
}

/** Maximum number of tickets in a report; beyond it the refusal suggests a shorter period. */
export const MAX_MEASURED = 5_000;
const ENDED = new Set(['resolved', 'closed', 'cancelled', 'merged', 'rejected']);

/**
 * Tickets that a reader may see, each with the minutes of its clocks, its pauses and its holders, in a few statements.
 * @param where conditions over `t`, with their values already bound
 * @param zone the reader's time zone, for days and hours
 */
export async function measuredTickets(
  { session, scoped }: ReportCall,
  { where, values, zone }: { where: string[]; values: SqlParams; zone: string },
): Promise<MeasuredTicket[]> {
  const { tenant } = session;
  const table = (type: string) => tableName(tenant.schema, type);
  const own = scoped('ticket', 't', values);
  const local = `(t.raised_at at time zone ${values.bind(zone)})`;
  const stored = await tenant.db.query<Stored>(
    preparedStatement(
      `select t.id, t.entity_id, t.ticket_no, t.subject, t.raised_at, ${local}::date::text as raised_day, extract(hour from ${local})::int as raised_hour, extract(isodow from ${local})::int as raised_weekday,
         t.status, t.priority, t.service_id, v.name as service, t.group_role_id, g.role_name as "group", t.assignee_id, e.name as assignee, t.branch_id, b.name as branch, t.slab_id,
         coalesce(t.reopen_count, 0) as reopen_count, coalesce(t.forward_count, 0) as forward_count, t.rating,
         (extract(epoch from t.raised_at) * 1000)::float8 as raised_ms, (extract(epoch from t.responded_at) * 1000)::float8 as answered_ms, (extract(epoch from t.resolved_at) * 1000)::float8 as solved_ms,
         p.response_minutes, p.resolution_minutes, coalesce(p.round_the_clock, false) as round_the_clock, s.calendar_id as slab_calendar
       from ${table('ticket')} t join ${table('service')} v on v.id = t.service_id join ${table('branch')} b on b.id = t.branch_id
       left join ${table('role')} g on g.id = t.group_role_id left join ${table('employee')} e on e.id = t.assignee_id
       left join ${table('slab')} s on s.id = t.slab_id left join ${table('slab__targets')} p on p.parent_id = s.id and p.priority = t.priority
       where ${[...own, 't.active', ...where].join(' and ')} order by t.raised_at desc, t.id desc limit ${MAX_MEASURED + 1}`,
      values.list,
    ),
  );
  const ids = stored.map(({ id }) => id);
  const services = [...new Set(stored.map(({ service_id: id }) => id))];
  const [log, clocks, shares] = await Promise.all([
    tenant.db.query<{ id: number; at: number; to: string; running: string[] | null }>(
      preparedStatement(
        `select record_id as id, (extract(epoch from at) * 1000)::float8 as at, to_state as "to", running from ${quoted(tenant.schema)}.transition_log where record_type = 'ticket' and record_id = any($1::bigint[]) order by transition_log.id`,
        [ids],
      ),
    ),
    tenant.db.query<Clock>(
      preparedStatement(
        `select record_id as id, clock, target::text, calendar, holders from ${quoted(tenant.schema)}.record_clock where record_type = 'ticket' and record_id = any($1::bigint[])`,
        [ids],
      ),
    ),
    tenant.db.query<{ service_id: number; group_role_id: number; share: string }>(
      preparedStatement(
        `select parent_id as service_id, group_role_id, share::text from ${tableName(tenant.schema, 'service__shares')} where parent_id = any($1::bigint[])`,
        [services],
      ),
    ),
  ]);
  const logOf = Map.groupBy(log, ({ id }) => id);
  const clockOf = new Map(clocks.map((one) => [`${one.id} ${one.clock}`, one]));
  const sharesOf = Map.groupBy(shares, ({ service_id: id }) => id);
  const calendars = new Map<string, Promise<OpenHours>>();
  const earliest = Math.min(...stored.map(({ raised_ms: at }) => at), Date.now());
  const hoursOf = (calendar: number | 'always' | null, entityId: number, branchId: number) => {
    const key = `${calendar} ${entityId} ${branchId}`;
    const asked = calendars.get(key) ?? businessHours(tenant, { entityId, branchId }, { calendar, from: earliest });
    calendars.set(key, asked);
    return asked;
  };
  const now = Date.now();
  return Promise.all(
    stored.map(async (one): Promise<MeasuredTicket> => {
      const { answered_ms: answered, solved_ms: solved, raised_ms: begun } = one;
      const [answer, solution] = [clockOf.get(`${one.id} response`), clockOf.get(`${one.id} resolution`)];
      const calendar = solution ? solution.calendar : one.round_the_clock ? 'always' : one.slab_calendar;
      const hours = await hoursOf(calendar, one.entity_id, one.branch_id);
      const lines = logOf.get(one.id) ?? [];
      // An imported ticket has no log: it ran until it was solved.
      const entries: ClockEntry[] = [
        { at: begun, runs: true },
        ...lines.map(({ at, running }) => ({ at, runs: running?.includes('resolution') === true })),
        ...(lines.length === 0 && ENDED.has(one.status) ? [{ at: solved ?? begun, runs: false }] : []),
      ];
      const stretches = stretchesOf(entries);
      const until = answered ?? (ENDED.has(one.status) ? (solved ?? now) : now);
      const used = elapsedMinutes(stretches, hours, now);
      const waits = stretchesOf(
        lines.map(({ at, to, running }) => ({ at, runs: to === 'paused' && running?.includes('resolution') !== true })),
      );
      const starts = (solution?.holders ?? []).map(({ at, holder: [group, person] }) => ({ at, group, person }));
      return {
        ...one,
        response: {
          used: elapsedMinutes(stretches, hours, until),
          target: answer ? (answer.target === null ? null : Number(answer.target)) : one.response_minutes,
        },
        resolution: {
          used,
          target: solution ? (solution.target === null ? null : Number(solution.target)) : one.resolution_minutes,
        },
        paused: elapsedMinutes(waits, hours, now),
        holdings: holdingsOf(
          starts.length > 0 ? starts : [{ at: begun, group: one.group_role_id, person: one.assignee_id }],
          stretches,
          hours,
          now,
        ),
        shares: new Map((sharesOf.get(one.service_id) ?? []).map(({ group_role_id: id, share }) => [id, share])),
      };
    }),
  );
}

/** How the slabs score, by their number. */
export async function scoreRules({ session: { tenant } }: ReportCall): Promise<Map<number, ScoreRule>> {
  const rows = await tenant.db.query<{
    id: number;
    basis: string;
    response_share: string | null;
    reopen_penalty: string | null;
    bands: ScoreRule['bands'];
  }>(
    `select s.id, s.basis, s.response_share::text, s.reopen_penalty::text,
       coalesce((select json_agg(json_build_object('from', b.from_value::text, 'to', b.to_value::text, 'score', b.score::text) order by b.from_value) from ${tableName(tenant.schema, 'slab__bands')} b where b.parent_id = s.id), '[]') as bands
     from ${tableName(tenant.schema, 'slab')} s where s.applies_to = 'ticket'`,
  );
  return new Map(
    rows.map(({ id, basis, bands, response_share: share, reopen_penalty: penalty }) => [
      id,
      {
        basis: basis === 'business_minutes' ? 'business_minutes' : 'pct_of_target',
        bands,
        responseShare: share ?? '30',
        reopenPenalty: penalty ?? '10',
      },
    ]),
  );
}
