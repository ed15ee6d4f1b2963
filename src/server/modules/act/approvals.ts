import { createHash } from 'node:crypto';
import { formatDate, formatValue } from '../../../descriptor/format.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { ApprovalLevel, RecordApproval } from '../../../domain/approval_levels.ts';
import { levelDone } from '../../../domain/approval_levels.ts';
import { dayIn } from '../../../descriptor/place.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import type { Session } from '../../access/context.ts';
import { childTable, quoted, tableName } from '../../db/names.ts';
import { AppError } from '../../db/errors.ts';
import type { Approvals, OpenRequest } from '../../engine/approval/approvals.ts';
import { afterWorkingTime } from '../../access/people/working_hours.ts';
import type { ApprovalDeps, Step } from './approval_requests.ts';
import { ApprovalRequests, REQUEST } from './approval_requests.ts';
import type { Situation } from './approval_route.ts';
import { levelsOfProcess, refusalOf, routesOf } from './approval_route.ts';

type Row = Record<string, unknown>;

const LONGEST_CHANGES = 4_000;

/** Approval by the client's processes and authorities (act.md §3.6, §5.8). */
export function createApprovals(deps: ApprovalDeps): Approvals {
  const { screens } = deps;
  const requests = new ApprovalRequests(deps);

  /** Since when a level waits, when it reminds, and its time limit, by the working hours of the branch. */
  async function clockOf(session: Session, processId: unknown, level: number, branchId: unknown): Promise<Row> {
    const now = new Date();
    const none = { waits_since: now.toISOString(), remind_at: null, due_at: null, escalated_at: null };
    const rule =
      typeof processId === 'number'
        ? (await levelsOfProcess(session, processId)).find((one) => one.level === level)
        : undefined;
    if (!rule || (rule.remind_after === null && rule.time_limit === null)) return none;
    const unit = rule.time_unit ?? 'hours';
    const [remindAt, dueAt] = await afterWorkingTime(
      session.tenant,
      { entityId: session.entityId, branchId: typeof branchId === 'number' ? branchId : null },
      now,
      [rule.remind_after, rule.time_limit].map((count) => (count === null ? null : { count, unit })),
    );
    return { ...none, remind_at: remindAt?.toISOString() ?? null, due_at: dueAt?.toISOString() ?? null };
  }

  /** The first level that has somebody to ask, as waiting; the others come later. */
  const begin = (steps: Step[]): { steps: Step[]; current_level: number; waiting_for_ids: number[] } => {
    const first = Math.min(...steps.map(({ level }) => level));
    return {
      steps: steps.map((step) => ({ ...step, state: step.level === first ? 'waiting' : 'later' })),
      current_level: first,
      waiting_for_ids: steps.filter(({ level }) => level === first).map(({ approver_id: id }) => id),
    };
  };

  return {
    async ask(session, screen, record) {
      if (!requests.screen(session) || screen.scope === 'platform') return 'none';
      const situation = await situationOf(session, screen, record);
      const processes = await routesOf(session, screens(session), situation);
      if (processes.length === 0) return 'none';
      const asked = processes.filter(({ levels }) => levels.some(({ isAsked }) => isAsked));
      for (const process of asked) {
        const refused = refusalOf(situation, process);
        if (refused !== null) throw new AppError(422, 'invalid', refused);
      }
      for (const process of asked) {
        const steps = process.levels
          .filter(({ isAsked }) => isAsked)
          .flatMap(({ level, need, need_n, people }) =>
            people.map(({ id, why }): Step => ({
              level,
              approver_id: id,
              state: 'later',
              why: why.slice(0, 250),
              need,
              need_n,
              added: null,
            })),
          );
        const begun = begin(steps);
        const made = await requests.create(session, {
          subject: subjectOf(screen, record),
          transaction_type: screen.name,
          record_id: record.id,
          record_version: record.version,
          address: (screen.routes.view ?? screen.routes.edit ?? screen.routes.landing).replace(
            ':id',
            String(record.id),
          ),
          amount: situation.amount,
          asked_by_id: session.userId,
          on_behalf_of_id: situation.requesters.find((id) => id !== session.userId) ?? null,
          asked_at: new Date().toISOString(),
          branch_id: situation.branchId,
          process_id: process.id,
          state: 'waiting',
          digest: digestOf(screen, record),
          ...(await clockOf(session, process.id, begun.current_level, situation.branchId)),
          ...begun,
        });
        await requests.tell(session, 'approval.assigned', begun.waiting_for_ids, made);
      }
      return asked.length === 0 ? 'agreed' : 'open';
    },
    async open(session, screen, id, { lock = false } = {}) {
      if (!requests.screen(session) || !(await requests.isThere(session))) return [];
      const { db, schema } = session.tenant;
      const rows = await db.query<{
        id: number;
        waiting: number[] | null;
        asked_by: number | null;
        behalf: number | null;
        agreed: boolean;
        amount: string | null;
      }>(
        `select r.id, r.waiting_for_ids as waiting, r.asked_by_id as asked_by, r.on_behalf_of_id as behalf, r.amount,
           exists (select 1 from ${childTable(schema, REQUEST, 'steps')} s where s.parent_id = r.id and s.state = 'approved') as agreed
         from ${tableName(schema, REQUEST)} r where r.transaction_type = $1 and r.record_id = $2 and r.state = 'waiting' order by r.id${lock ? ' for update' : ''}`,
        [screen.name, id],
      );
      return rows.map(({ id: request, waiting, asked_by: requester, behalf, agreed, amount }): OpenRequest => ({
        id: request,
        waitingFor: waiting ?? [],
        askedBy: [requester, behalf].filter((one) => one !== null),
        requester,
        agreed,
        amount,
      }));
    },
    async decide(session, request, verdict, { for: giver, remark }) {
      const record = await requests.read(session, request.id);
      const steps = record.steps as Step[];
      const level = record.current_level as number;
      const as = giver?.userId ?? session.userId;
      const said = steps.map((step) =>
        step.level === level && step.approver_id === as && step.state === 'waiting'
          ? { ...step, state: verdict, by_id: session.userId, acted_at: new Date().toISOString(), remark }
          : step,
      );
      const decided = [...new Set([...((record.decided_by_ids as number[] | null) ?? []), session.userId])];
      const requester = [record.asked_by_id].filter((id): id is number => typeof id === 'number');
      if (verdict !== 'approved') {
        await requests.write(session, request.id, {
          steps: said,
          state: verdict,
          waiting_for_ids: [],
          decided_by_ids: decided,
        });
        // Where several processes must agree, the word of one ends them all.
        for (const other of await othersOf(session, record))
          await requests.write(session, other, { state: 'withdrawn', waiting_for_ids: [] });
        await requests.tell(session, 'approval.decided', requester, { ...record, state: verdict });
        return true;
      }
      const of = said.filter((step) => step.level === level);
      const agreed = of.filter(({ state }) => state === 'approved').length;
      // Who was added after the time limit may agree in place of the others; no more must agree than before.
      const first = of.filter(({ added }) => added !== true).length;
      if (!levelDone(of[0]!.need, of[0]!.need_n, first, agreed)) {
        await requests.write(session, request.id, {
          steps: said,
          decided_by_ids: decided,
          waiting_for_ids: request.waitingFor.filter((id) => id !== as),
        });
        return false;
      }
      const settled = said.map((step): Step =>
        step.level === level && step.state === 'waiting' ? { ...step, state: 'not_needed' } : step,
      );
      const later = settled.filter(({ state }) => state === 'later');
      if (later.length === 0) {
        await requests.write(session, request.id, {
          steps: settled,
          state: 'approved',
          waiting_for_ids: [],
          decided_by_ids: decided,
        });
        if ((await othersOf(session, record)).length > 0) return false;
        await requests.tell(session, 'approval.decided', requester, { ...record, state: 'approved' });
        return true;
      }
      const next = Math.min(...later.map((step) => step.level));
      const waiting = later.filter((step) => step.level === next).map((step) => step.approver_id);
      await requests.write(session, request.id, {
        steps: settled.map((step): Step => (step.level === next ? { ...step, state: 'waiting' } : step)),
        current_level: next,
        waiting_for_ids: waiting,
        decided_by_ids: decided,
        ...(await clockOf(session, record.process_id, next, record.branch_id)),
      });
      await requests.tell(session, 'approval.assigned', waiting, record);
      return false;
    },
    async changed(session, screen, record) {
      for (const request of await this.open(session, screen, record.id, { lock: true })) {
        const stored = await requests.read(session, request.id);
        const digest = digestOf(screen, record);
        if (stored.digest === digest) continue;
        const before = stored.steps as Step[];
        const agreed = before.some(({ state }) => state === 'approved');
        const fields = await lastChanged(session, screen, record.id);
        const line = `${formatDate(dayIn(placeOf(session).timezone))}, ${session.userName}${fields === '' ? '' : `: ${fields}`}`;
        const changes = `${typeof stored.changes === 'string' ? `${stored.changes}\n` : ''}${line}`;
        const set: Row = { digest, changes: changes.slice(-LONGEST_CHANGES) };
        if (!agreed) {
          await requests.write(session, request.id, set);
          continue;
        }
        const steps = before
          .filter(({ added }) => added !== true)
          .map((step): Step => ({ ...step, by_id: null, acted_at: null, remark: null }));
        const begun = begin(steps);
        await requests.write(session, request.id, {
          ...set,
          ...begun,
          ...(await clockOf(session, stored.process_id, begun.current_level, stored.branch_id)),
          began_again: `Changed after approval by ${session.userName}.`,
        });
        await requests.tell(session, 'approval.assigned', begun.waiting_for_ids, stored);
      }
    },
    async withdraw(session, screen, id) {
      for (const request of await this.open(session, screen, id, { lock: true }))
        await requests.write(session, request.id, { state: 'withdrawn', waiting_for_ids: [] });
    },
    async levels(session, screen, id) {
      if (!requests.screen(session) || !(await requests.isThere(session))) return [];
      const { db, schema } = session.tenant;
      const s = quoted(schema);
      const rows = await db.query<
        Omit<RecordApproval, 'levels'> & { current_level: number; steps: (ShownStep & { level: number })[] }
      >(
        `select r.id, r.state, r.current_level, p.name as process, a.name as asked_by, r.asked_at, r.waits_since, r.due_at, r.changes,
           (select coalesce(json_agg(json_build_object('level', t.level, 'need', t.need, 'need_n', t.need_n, 'state', t.state, 'name', u.name, 'why', t.why,
              'by', case when t.by_id <> t.approver_id then b.name end, 'at', t.acted_at, 'remark', t.remark) order by t.level, t.position), '[]')
            from ${childTable(schema, REQUEST, 'steps')} t left join ${s}.users u on u.id = t.approver_id left join ${s}.users b on b.id = t.by_id where t.parent_id = r.id) as steps
         from ${tableName(schema, REQUEST)} r left join ${tableName(schema, 'approval_process')} p on p.id = r.process_id left join ${s}.users a on a.id = r.asked_by_id
         where r.transaction_type = $1 and r.record_id = $2
           and r.record_version is not distinct from (select l.record_version from ${tableName(schema, REQUEST)} l where l.transaction_type = $1 and l.record_id = $2 order by l.id desc limit 1)
         order by r.id`,
        [screen.name, id],
      );
      return rows.map(({ steps, current_level: current, ...request }) => ({
        ...request,
        levels: [...Map.groupBy(steps, ({ level }) => level)].map(([level, people]): ApprovalLevel => ({
          level,
          state: levelState(request.state, level, current),
          need: people[0]!.need,
          need_n: people[0]!.need_n,
          people: people.map(({ level: _level, need: _need, need_n: _needN, ...person }) => person),
        })),
      }));
    },
  };

  /** Other requests of the same record that still wait. */
  async function othersOf({ tenant: { db, schema } }: Session, record: WireRecord): Promise<number[]> {
    const rows = await db.query<{ id: number }>(
      `select id from ${tableName(schema, REQUEST)} where transaction_type = $1 and record_id = $2 and state = 'waiting' and id <> $3 order by id for update`,
      [record.transaction_type, record.record_id, record.id],
    );
    return rows.map(({ id }) => id);
  }

  /** The titles of the fields that the last change of a record changed. */
  async function lastChanged({ tenant: { db, schema } }: Session, screen: Screen, id: number): Promise<string> {
    const [row] = await db.query<{ change: Row | null }>(
      `select change from ${quoted(schema)}.history where record_type = $1 and record_id = $2 order by id desc limit 1`,
      [screen.name, id],
    );
    return Object.keys(row?.change ?? {})
      .flatMap((name) => screen.fields.find((field) => field.name === name)?.title ?? [])
      .join(', ');
  }
}

type ShownStep = ApprovalLevel['people'][number] & Pick<ApprovalLevel, 'need' | 'need_n'>;

/** How a level of a request stands. */
function levelState(request: string, level: number, current: number): ApprovalLevel['state'] {
  if (request === 'approved' || level < current) return 'done';
  if (level > current) return 'later';
  return request === 'waiting' ? 'waiting' : 'stopped';
}

/** Who asks for what, where and of which amount. */
export async function situationOf(session: Session, screen: Screen, record: WireRecord): Promise<Situation> {
  const { db, schema } = session.tenant;
  const s = quoted(schema);
  const field = screen.fields.find(({ name }) => name === screen.approval?.requester);
  const named = field && typeof record[field.name] === 'number' ? (record[field.name] as number) : null;
  const [person] =
    named === null
      ? []
      : await db.query<{ id: number | null; employee_id: number | null; name: string }>(
          field!.ref!.type === 'users'
            ? `select id, employee_id, name from ${s}.users where id = $1`
            : `select u.id, e.id as employee_id, e.name from ${s}.employee e left join ${s}.users u on u.employee_id = e.id where e.id = $1 order by u.id limit 1`,
          [named],
        );
  return {
    screen,
    record,
    amount: amountOf(screen, record),
    branchId: typeof record.branch_id === 'number' ? record.branch_id : null,
    branchName: typeof record.branch_id__label === 'string' ? record.branch_id__label : null,
    requester: {
      userId: person?.id ?? session.userId,
      employeeId: person ? person.employee_id : session.employeeId,
      name: person?.name ?? session.userName,
    },
    requesters: [...new Set([session.userId, ...(person?.id ? [person.id] : [])])],
  };
}

const amountOf = ({ approval }: Screen, record: Row): string | null => {
  const value = approval?.amount === undefined ? null : record[approval.amount];
  return value === null || value === undefined ? null : String(value as string | number);
};

function subjectOf(screen: Screen, record: WireRecord): string {
  const words = screen.label.map((name) =>
    formatValue(
      screen.fields.find((field) => field.name === name)!,
      record[name],
      record,
    ),
  );
  return `${screen.title} ${words.filter((text) => text !== '').join(' · ') || record.id}`.slice(0, 250);
}

/** What is approved, as one value: another record has another. Whatever the system fills in does not count. */
function digestOf(screen: Screen, record: Row): string {
  const names = screen.approval?.binds;
  const bound = screen.fields.filter(({ name, readOnly }) => (names ? names.includes(name) : !readOnly));
  const values = bound.map(({ name, rows }) => [
    name,
    rows && Array.isArray(record[name])
      ? (record[name] as Row[]).map((row) => rows.map((column) => row[column.name] ?? null))
      : (record[name] ?? null),
  ]);
  return createHash('sha256').update(JSON.stringify(values)).digest('hex');
}
