import { holdingScore, ticketScore, weightedScore } from '../../../domain/act_desk/ticket_score.ts';
import type { Priority } from '../../../domain/act_desk/priority.ts';
import type { ScoreRule } from '../../../domain/act_desk/ticket_score.ts';
import { Exact } from '../../../descriptor/exact.ts';
import { monthsOf } from '../../../domain/head_count.ts';
import type { ReportRow } from '../../../domain/report.ts';
import { tableName } from '../../db/names.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';
import type { MeasuredTicket } from './measured_tickets.ts';
import { TICKET_READS, scoreRules } from './measured_tickets.ts';
import { isLate, percentOf, ticketsOf } from './tickets_report.ts';

type By = 'person' | 'group' | 'service' | 'branch' | 'month';

/** The share of a ticket in the score of one person, group, service, branch or month. */
interface Part {
  key: string;
  name: string;
  ticket: MeasuredTicket;
  score: string | null;
  late: boolean;
  /** False: it was only passed on; a person who had it for no minute and did not end it is not accountable. */
  held: boolean;
}

const SOLVED = new Set(['resolved', 'closed']);
/** These are not scored (act 5.5). */
const LEFT_OUT = new Set(['cancelled', 'merged', 'rejected', 'pending_approval']);

function partsOf(one: MeasuredTicket, by: By, rule: ScoreRule | undefined, names: Map<string, string>): Part[] {
  const whole =
    rule && ticketScore(rule, { response: one.response, resolution: one.resolution, reopened: one.reopen_count });
  const part = (key: unknown, name: string | null): Part => ({
    key: String(key ?? ''),
    name: name ?? 'Nobody',
    ticket: one,
    score: whole?.toFixed() ?? null,
    late: isLate(one.resolution),
    held: true,
  });
  if (by === 'service') return [part(one.service_id, one.service)];
  if (by === 'branch') return [part(one.branch_id, one.branch)];
  if (by === 'month') return [part(one.raised_day.slice(0, 7), one.raised_day.slice(0, 7))];
  // People and groups are accountable for the time that they held a ticket.
  const held = new Map<string, { group: number | null; minutes: number }>();
  for (const { group, person, minutes } of one.holdings) {
    const key = by === 'person' ? person : group;
    if (key === null) continue;
    const known = held.get(String(key));
    held.set(String(key), { group, minutes: (known?.minutes ?? 0) + minutes });
  }
  return [...held].map(([key, { group, minutes }]) => {
    const share = group === null ? null : (one.shares.get(group) ?? null);
    const last = String((by === 'person' ? one.assignee_id : one.group_role_id) ?? '');
    const isHeld = minutes > 0 || (last === key && SOLVED.has(one.status));
    const own = isHeld && rule && holdingScore(rule, { used: minutes, target: one.resolution.target }, share);
    const target = one.resolution.target === null ? null : (one.resolution.target * Number(share ?? 100)) / 100;
    return {
      key,
      name: names.get(`${by} ${key}`) ?? '–',
      ticket: one,
      score: own ? own.toFixed() : null,
      late: isLate({ used: minutes, target }),
      held: isHeld,
    };
  });
}

const scoreOf = (parts: readonly Part[]): string | null =>
  weightedScore(
    parts.flatMap(({ score, ticket }): { priority: Priority; score: string }[] =>
      score === null ? [] : [{ priority: ticket.priority, score }],
    ),
  );

const DRILL: Readonly<Record<By, string | null>> = {
  person: 'assignee_id',
  group: 'group_role_id',
  service: 'service_id',
  branch: 'branch_id',
  month: null,
};

/** The SLA score by person, group, service, branch or month, and its trend (act 5.5, 7). */
const slaScore: ReportSource = {
  reads: TICKET_READS,
  async rows(call) {
    const { parameters, session } = call;
    const by = String(parameters.score_by ?? 'group') as By;
    const [from, to] = [String(parameters.from), String(parameters.to)];
    const length = monthsOf(from, to < from ? from : to).length;
    const back = (month: string, count: number) => {
      const at = new Date(`${month}-01T00:00:00Z`);
      at.setUTCMonth(at.getUTCMonth() - count);
      return at.toISOString().slice(0, 7);
    };
    const lastDay = (month: string) => {
      const at = new Date(`${month}-01T00:00:00Z`);
      return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).toISOString().slice(0, 10);
    };
    const scored = ({ status }: MeasuredTicket) => !LEFT_OUT.has(status);
    const rules = await scoreRules(call);
    const now = (await ticketsOf(call, `${from}-01`, lastDay(to))).filter(scored);
    const before = (await ticketsOf(call, `${back(from, length)}-01`, lastDay(back(from, 1)))).filter(scored);
    const names = new Map(
      (
        await session.tenant.db.query<{ key: string; name: string }>(
          `select 'group ' || id as key, role_name as name from ${tableName(session.tenant.schema, 'role')} union all select 'person ' || id, name from ${tableName(session.tenant.schema, 'employee')}`,
        )
      ).map(({ key, name }) => [key, name]),
    );
    const parts = (of: MeasuredTicket[]) => of.flatMap((one) => partsOf(one, by, rules.get(one.slab_id ?? 0), names));
    const earlier = Map.groupBy(parts(before), ({ key }) => key);
    const groups = [...Map.groupBy(parts(now), ({ key }) => key)].toSorted(([, a], [, b]) =>
      by === 'month' ? a[0]!.key.localeCompare(b[0]!.key) : a[0]!.name.localeCompare(b[0]!.name),
    );
    const rows = groups.map(([key, own]): ReportRow => {
      const score = scoreOf(own);
      const last = by === 'month' ? null : scoreOf(earlier.get(key) ?? []);
      const held = own.filter((one) => one.held);
      const answered = own.filter(({ ticket }) => ticket.response.target !== null);
      return {
        name: own[0]!.name,
        tickets: own.length,
        response: percentOf(answered.filter(({ ticket }) => !isLate(ticket.response)).length, answered.length),
        resolution: percentOf(held.filter(({ late }) => !late).length, held.length),
        breached: own.filter(({ late }) => late).length,
        reopened: own.reduce((sum, { ticket }) => sum + ticket.reopen_count, 0),
        score,
        change: score === null || last === null ? null : new Exact(score).minus(last).toFixed(2),
        drill: DRILL[by] ?? 'status',
        drill_to: DRILL[by] ? key : '',
        from: `${by === 'month' ? key : from}-01`,
        until: lastDay(by === 'month' ? key : to),
      };
    });
    const all = scoreOf(now.flatMap((one) => partsOf(one, 'month', rules.get(one.slab_id ?? 0), names)));
    return {
      rows,
      figures: [
        { title: 'Score', value: all ?? '–', note: 'Weighted by priority' },
        { title: 'Tickets', value: String(now.length) },
      ],
      chart: {
        x: rows.map(({ name }) => String(name)),
        series: [{ title: 'Score', values: rows.map(({ score }) => (score === null ? null : Number(score))) }],
      },
      totals: { score: all },
    };
  },
};

export default slaScore;
