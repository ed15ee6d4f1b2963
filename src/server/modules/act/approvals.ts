import { Exact } from '../../../descriptor/exact.ts';
import { formatAmount, formatDate } from '../../../descriptor/format.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { ApprovalLevel, RecordApproval } from '../../../domain/approval_levels.ts';
import { dayIn } from '../../../descriptor/place.ts';
import type { Session } from '../../access/context.ts';
import { childTable, quoted, tableName } from '../../db/names.ts';
import { AppError } from '../../db/errors.ts';
import type { Approvals, OpenRequest, RemarkWhen } from '../../engine/approval/approvals.ts';
import { afterWorkingTime } from '../../access/people/working_hours.ts';
import type { ApprovalDeps, Step } from './approval_requests.ts';
import { ApprovalRequests, REQUEST, zoneOfRequest } from './approval_requests.ts';
import { bandsOf } from './approval_bands.ts';
import type { RoutedProcess, Situation } from './approval_route.ts';
import { amountField, levelsOfProcess, namedProcess, refusalOf, routesOf } from './approval_route.ts';
import { afterAgreed, begin, stepsOf } from './approval_steps.ts';
import type { Requester } from './approval_subject.ts';
import { amountOf, currencyOfAmount, digestOf, lastChanged, situationOf, subjectOf } from './approval_subject.ts';

type Row = Record<string, unknown>;

const LONGEST_CHANGES = 4_000;

/** Approval by the client's processes and authorities (act.md §3.6, §5.8). */
export function createApprovals(deps: ApprovalDeps): Approvals {
  const { screens } = deps;
  const requests = new ApprovalRequests(deps);

  /**
   * The data of a level when it starts: since when it waits, its reminder and time limit, by the working hours of the
   * branch, and its approvers.
   */
  async function levelBegins(session: Session, processId: unknown, level: number, branchId: unknown): Promise<Row> {
    const now = new Date();
    const rule =
      typeof processId === 'number'
        ? (await levelsOfProcess(session, processId)).find((one) => one.level === level)
        : undefined;
    const none: Row = {
      waits_since: now.toISOString(),
      remind_at: null,
      due_at: null,
      escalated_at: null,
      remark_when: rule?.remark_when ?? null,
      may_change: rule?.may_change ?? null,
      band_at: null,
      bands_done: 0,
    };
    if (!rule) return none;
    const branch = typeof branchId === 'number' ? branchId : null;
    const [band] = await bandsOf(session, rule, branch, now);
    if (band) none.band_at = band.at.toISOString();
    if (rule.remind_after === null && rule.time_limit === null) return none;
    const unit = rule.time_unit ?? 'hours';
    const [remindAt, dueAt] = await afterWorkingTime(
      session.tenant,
      { entityId: session.entityId, branchId: branch },
      now,
      [rule.remind_after, rule.time_limit].map((count) => (count === null ? null : { count, unit })),
    );
    return { ...none, remind_at: remindAt?.toISOString() ?? null, due_at: dueAt?.toISOString() ?? null };
  }

  /** The processes for the current document. @throws AppError 422 if one of them finds no approver */
  async function askedBy(session: Session, situation: Situation): Promise<{ fits: boolean; asked: RoutedProcess[] }> {
    const processes = await routesOf(session, screens(session), situation);
    const asked = processes.filter(({ levels }) => levels.some(({ isAsked }) => isAsked));
    for (const process of asked) {
      const refused = refusalOf(situation, process);
      if (refused !== null) throw new AppError(422, 'invalid', refused);
    }
    return { fits: processes.length > 0, asked };
  }

  /** Opens the request of a process for a document. `round`: the document's version at the time of the request. */
  async function openRequest(
    session: Session,
    { screen, record, amount, branchId, requesters }: Situation & { record: WireRecord },
    process: RoutedProcess,
    by: { asked_by_id: unknown; asked_at: unknown; record_version: unknown },
  ): Promise<void> {
    const begun = begin(stepsOf(process.levels));
    const made = await requests.create(session, {
      subject: subjectOf(screen, record),
      transaction_type: screen.name,
      record_id: record.id,
      address: (screen.routes.view ?? screen.routes.edit ?? screen.routes.landing).replace(':id', String(record.id)),
      amount,
      currency: currencyOfAmount(screen, record),
      ...by,
      on_behalf_of_id: requesters.find((id) => id !== by.asked_by_id) ?? null,
      branch_id: branchId,
      process_id: process.id,
      state: 'waiting',
      digest: digestOf(screen, record),
      ...(await levelBegins(session, process.id, begun.current_level, branchId)),
      ...begun,
    });
    await requests.notify(session, 'approval.assigned', begun.waiting_for_ids, made);
  }

  return {
    async ask(session, screen, record) {
      if (!requests.screen(session) || screen.scope === 'platform') return 'none';
      const situation = { ...(await situationOf(session, screen, record)), record };
      const { fits, asked } = await askedBy(session, situation);
      // The condition of a named process says that no approval is needed.
      if (!fits) return typeof namedProcess(screen, record) === 'number' ? 'agreed' : 'none';
      for (const process of asked)
        await openRequest(session, situation, process, {
          asked_by_id: session.userId,
          asked_at: new Date().toISOString(),
          record_version: record.version,
        });
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
        remark_when: RemarkWhen | null;
        may_change: string[] | null;
      }>(
        `select r.id, r.waiting_for_ids as waiting, r.asked_by_id as asked_by, r.on_behalf_of_id as behalf, r.amount, r.remark_when, r.may_change,
           exists (select 1 from ${childTable(schema, REQUEST, 'steps')} s where s.parent_id = r.id and s.state = 'approved') as agreed
         from ${tableName(schema, REQUEST)} r where r.transaction_type = $1 and r.record_id = $2 and r.state = 'waiting' order by r.id${lock ? ' for update' : ''}`,
        [screen.name, id],
      );
      return rows.map(({ waiting, asked_by: requester, behalf, ...request }): OpenRequest => ({
        id: request.id,
        waitingFor: waiting ?? [],
        askedBy: [requester, behalf].filter((one) => one !== null),
        requester,
        agreed: request.agreed,
        amount: request.amount,
        remarkWhen: request.remark_when ?? 'never',
        mayChange: request.may_change ?? [],
      }));
    },
    async decide(session, request, verdict, { for: delegator, remark, edited }) {
      const record = await requests.read(session, request.id);
      const level = record.current_level as number;
      const as = delegator?.userId ?? session.userId;
      const said = (record.steps as Step[]).map((step) =>
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
        // If several processes must agree, a decision of one ends them all.
        for (const other of await othersOf(session, record))
          await requests.write(session, other, { state: 'withdrawn', waiting_for_ids: [] });
        await requests.notify(session, 'approval.decided', requester, { ...record, state: verdict });
        return true;
      }
      if (edited) refuseMore(edited.screen, edited.record, request);
      const rules = typeof record.process_id === 'number' ? await levelsOfProcess(session, record.process_id) : [];
      const { steps, on } = afterAgreed(said, level, rules);
      const set: Row = {
        ...(edited && (await changeOf(session, edited.screen, edited.record, record))),
        decided_by_ids: decided,
      };
      if (on === null) {
        await requests.write(session, request.id, { ...set, steps, state: 'approved', waiting_for_ids: [] });
        if ((await othersOf(session, record)).length > 0) return false;
        await requests.notify(session, 'approval.decided', requester, { ...record, state: 'approved' });
        return true;
      }
      const isNext = on.current_level !== level;
      await requests.write(session, request.id, {
        ...set,
        ...on,
        ...(isNext && (await levelBegins(session, record.process_id, on.current_level, record.branch_id))),
      });
      if (isNext) await requests.notify(session, 'approval.assigned', on.waiting_for_ids, record);
      return false;
    },
    async changed(session, screen, record) {
      const digest = digestOf(screen, record);
      const waiting: WireRecord[] = [];
      for (const { id } of await this.open(session, screen, record.id, { lock: true }))
        waiting.push(await requests.read(session, id));
      const stale = waiting.filter((request) => request.digest !== digest);
      const [first] = stale;
      if (!first) return;
      // The changed amount or a condition may now lead to other levels.
      const situation = { ...(await situationOf(session, screen, record, await requesterOf(session, first))), record };
      const { asked } = await askedBy(session, situation);
      for (const request of stale) {
        const route = asked.find(({ id }) => id === request.process_id);
        if (!route && asked.length > 0)
          await requests.write(session, request.id, { state: 'withdrawn', waiting_for_ids: [] });
        else await changedFor(session, screen, record, request, route);
      }
      const known = new Set(waiting.map(({ process_id: id }) => id));
      for (const process of asked.filter(({ id }) => !known.has(id)))
        await openRequest(session, situation, process, {
          asked_by_id: first.asked_by_id,
          asked_at: first.asked_at,
          record_version: first.record_version,
        });
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

  /** The fields of a request after its document changed: the content to approve, and who changed what. */
  async function changeOf(session: Session, screen: Screen, record: WireRecord, request: WireRecord): Promise<Row> {
    const fields = await lastChanged(session, screen, record.id);
    const line = `${formatDate(dayIn(zoneOfRequest(session, request)))}, ${session.userName}${fields === '' ? '' : `: ${fields}`}`;
    const changes = `${typeof request.changes === 'string' ? `${request.changes}\n` : ''}${line}`;
    return {
      digest: digestOf(screen, record),
      amount: amountOf(screen, record),
      currency: currencyOfAmount(screen, record),
      changes: changes.slice(-LONGEST_CHANGES),
    };
  }

  /** A waiting document was changed: if somebody had agreed, or other levels now apply, approval starts again. */
  async function changedFor(
    session: Session,
    screen: Screen,
    record: WireRecord,
    request: WireRecord,
    route: RoutedProcess | undefined,
  ): Promise<void> {
    const before = request.steps as Step[];
    const now = route ? stepsOf(route.levels) : [];
    const levels = (steps: Step[]) => [...new Set(steps.map(({ level }) => level))].join();
    const isElsewhere = now.length > 0 && levels(now) !== levels(before);
    const agreed = before.some(({ state }) => state === 'approved');
    const set = await changeOf(session, screen, record, request);
    if (!agreed && !isElsewhere) {
      await requests.write(session, request.id, set);
      return;
    }
    const again = before
      .filter(({ added }) => added !== true)
      .map((step): Step => ({ ...step, by_id: null, acted_at: null, remark: null }));
    const begun = begin(isElsewhere ? now : again);
    await requests.write(session, request.id, {
      ...set,
      ...begun,
      ...(await levelBegins(session, request.process_id, begun.current_level, request.branch_id)),
      ...(agreed && { began_again: `Changed after approval by ${session.userName}.` }),
    });
    await requests.notify(session, 'approval.assigned', begun.waiting_for_ids, request);
  }

  /** The requester, whoever changes the document now. */
  async function requesterOf({ tenant: { db, schema } }: Session, request: WireRecord): Promise<Requester | undefined> {
    const [requester] = await db.query<{ id: number; employee_id: number | null; name: string }>(
      `select id, employee_id, name from ${tableName(schema, 'users')} where id = $1`,
      [request.asked_by_id],
    );
    return requester && { userId: requester.id, employeeId: requester.employee_id, name: requester.name };
  }

  /** Other waiting requests of the same record. */
  async function othersOf({ tenant: { db, schema } }: Session, record: WireRecord): Promise<number[]> {
    const rows = await db.query<{ id: number }>(
      `select id from ${tableName(schema, REQUEST)} where transaction_type = $1 and record_id = $2 and state = 'waiting' and id <> $3 order by id for update`,
      [record.transaction_type, record.record_id, record.id],
    );
    return rows.map(({ id }) => id);
  }
}

/** An approver must not increase the document beyond the request. @throws AppError 422 */
function refuseMore(screen: Screen, record: WireRecord, { amount }: OpenRequest): void {
  const now = amountOf(screen, record);
  if (now === null || amount === null || new Exact(now).abs().lte(new Exact(amount).abs())) return;
  const inWords = (value: string) => formatAmount(amountField(screen), value, record);
  throw new AppError(
    422,
    'invalid',
    `It would come to ${inWords(now)}, but ${inWords(amount)} was requested. Send it back so that more can be requested.`,
  );
}

type ShownStep = ApprovalLevel['people'][number] & Pick<ApprovalLevel, 'need' | 'need_n'>;

/** The state of a request's level. */
function levelState(request: string, level: number, current: number): ApprovalLevel['state'] {
  if (request === 'approved' || level < current) return 'done';
  if (level > current) return 'later';
  return request === 'waiting' ? 'waiting' : 'stopped';
}
