import { formatDate } from '../../../descriptor/format.ts';
import { dayIn } from '../../../descriptor/place.ts';
import type { WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import { quoted, tableName } from '../../db/names.ts';
import { systemSession } from '../../engine/events/system_session.ts';
import { inUnit } from '../../engine/records/unit_of_work.ts';
import type { ApprovalDeps, Step } from './approval_requests.ts';
import { ApprovalRequests, REQUEST, zoneOfRequest } from './approval_requests.ts';
import { LOG, MESSAGES, bandsOf } from './approval_bands.ts';
import { ensureTables } from '../../db/tenants.ts';
import { levelsOfProcess } from './approval_route.ts';

/** The maximum number of requests per client and sweep; the next one continues. */
const MAX_SWEPT = 500;

/**
 * Sends due reminders of requests and asks further people after the time limit, each once, without ever deciding: every
 * request in its own transaction, with its messages. @returns the number of reminders, and of requests past their time
 * limit
 */
export async function sweepApprovals(
  deps: ApprovalDeps,
  tenant: Tenant,
): Promise<{ reminded: number; escalated: number }> {
  const requests = new ApprovalRequests(deps);
  const done = { reminded: 0, escalated: 0 };
  if (!(await requests.isThere({ tenant }))) return done;
  const table = tableName(tenant.schema, REQUEST);
  const late = `active and state = 'waiting' and (remind_at <= now() or due_at <= now() and escalated_at is null or band_at <= now())`;
  const rows = await tenant.db.query<{ id: number; entity_id: number }>(
    `select id, entity_id from ${table} where ${late} order by least(remind_at, due_at, band_at), id limit ${MAX_SWEPT}`,
  );
  if (rows.length > 0) await ensureTables(tenant, deps.screens(systemSession(tenant, null, null)), [MESSAGES, LOG]);
  let failure: unknown;
  for (const { id, entity_id: company } of rows)
    try {
      const what = await inUnit(systemSession(tenant, company, null), ({ session }) => look(session, id), {
        cause: 'job',
      });
      if (what) done[what]++;
    } catch (error) {
      // A request whose message fails does not hold up the others.
      failure ??= error;
    }
  if (failure) throw failure;
  return done;

  async function look(session: Session, id: number): Promise<'reminded' | 'escalated' | null> {
    // The row is locked by a decision or another server: it is examined again next time.
    const [mine] = await session.tenant.db.query<{ past: boolean; band: boolean }>(
      `select coalesce(due_at <= now() and escalated_at is null, false) as past, coalesce(band_at <= now(), false) as band from ${table} where id = $1 and ${late} for update skip locked`,
      [id],
    );
    if (!mine) return null;
    if (mine.band) {
      const people = await bandsReached(requests, session, await requests.read(session, id));
      if (!mine.past) return people;
    }
    const record = await requests.read(session, id);
    if (mine.past) {
      await pastLimit(requests, session, record);
      return 'escalated';
    }
    await requests.write(session, id, { remind_at: null });
    await requests.notify(session, 'approval.reminder', (record.waiting_for_ids as number[] | null) ?? [], record, {
      limit: limitWords(session, record),
    });
    return 'reminded';
  }
}

function limitWords(session: Session, record: WireRecord): string {
  const { due_at: at } = record;
  if (typeof at !== 'string') return '';
  return ` It should be decided by ${formatDate(dayIn(zoneOfRequest(session, record), Date.parse(at)))}.`;
}

/**
 * Processes the bands that a level's slab has reached, each once: reminds people who have not decided, asks their
 * managers if the band requires it, and sends the band's message.
 */
async function bandsReached(
  requests: ApprovalRequests,
  session: Session,
  record: WireRecord,
): Promise<'reminded' | 'escalated'> {
  const rule =
    typeof record.process_id === 'number'
      ? (await levelsOfProcess(session, record.process_id)).find((one) => one.level === record.current_level)
      : undefined;
  const branch = typeof record.branch_id === 'number' ? record.branch_id : null;
  const bands = rule ? await bandsOf(session, rule, branch, new Date(String(record.waits_since))) : [];
  const done = Number(record.bands_done ?? 0);
  const reached = bands.filter(({ at }, index) => index >= done && at.getTime() <= Date.now());
  const asksManagers = reached.some(({ action }) => action === 'assign_manager');
  const added = asksManagers ? await peopleToAdd(session, record, 'escalate_manager') : [];
  await requests.write(session, record.id, {
    bands_done: done + reached.length,
    band_at: bands[done + reached.length]?.at.toISOString() ?? null,
    ...withPeople(record, added),
  });
  if (reached.length > 0)
    await requests.notify(session, 'approval.reminder', (record.waiting_for_ids as number[] | null) ?? [], record, {
      limit: limitWords(session, record),
    });
  await requests.notify(
    session,
    'approval.escalated',
    added.map(({ id }) => id),
    record,
  );
  const waiting = (record.waiting_for_ids as number[] | null) ?? [];
  for (const [index, band] of reached.entries())
    await requests.reachBand(session, record, band, done + index, [
      ...waiting,
      ...(band.action === 'assign_manager' ? added.map(({ id }) => id) : []),
    ]);
  return added.length > 0 ? 'escalated' : 'reminded';
}

/** The additional approvers: nobody who is asked already, and not the requester. */
async function peopleToAdd(
  session: Session,
  record: WireRecord,
  how: 'escalate_manager' | 'next_level',
): Promise<{ id: number; why: string }[]> {
  const steps = (record.steps as Step[]).filter(({ level }) => level === record.current_level);
  const asked = new Set(steps.map(({ approver_id: id }) => id));
  const requesters = [record.asked_by_id, record.on_behalf_of_id];
  return (await furtherPeople(session, record, how)).filter(({ id }) => !asked.has(id) && !requesters.includes(id));
}

/** The fields of a request for additional approvers of its level. */
function withPeople(record: WireRecord, added: { id: number; why: string }[]): Record<string, unknown> {
  if (added.length === 0) return {};
  const steps = record.steps as Step[];
  const level = record.current_level as number;
  const [one] = steps.filter((step) => step.level === level);
  return {
    waiting_for_ids: [...((record.waiting_for_ids as number[] | null) ?? []), ...added.map(({ id }) => id)],
    steps: [
      ...steps,
      ...added.map(({ id, why }): Step => ({
        level,
        approver_id: id,
        state: 'waiting',
        why: why.slice(0, 250),
        need: one!.need,
        need_n: one!.need_n,
        added: true,
      })),
    ],
  };
}

/** After the time limit of a level: reminds people who have not decided, and asks further people. */
async function pastLimit(requests: ApprovalRequests, session: Session, record: WireRecord): Promise<void> {
  const waiting = (record.waiting_for_ids as number[] | null) ?? [];
  const rule =
    typeof record.process_id === 'number'
      ? (await levelsOfProcess(session, record.process_id)).find((one) => one.level === record.current_level)
      : undefined;
  const how = rule?.on_timeout ?? 'remind';
  const added = how === 'remind' ? [] : await peopleToAdd(session, record, how);
  await requests.write(session, record.id, {
    remind_at: null,
    escalated_at: new Date().toISOString(),
    ...withPeople(record, added),
  });
  await requests.notify(session, 'approval.reminder', waiting, record, { limit: ' The time limit has passed.' });
  await requests.notify(
    session,
    'approval.escalated',
    added.map(({ id }) => id),
    record,
  );
}

/** The additional approvers after the time limit; administrators if nobody else is found. */
async function furtherPeople(
  { tenant: { db, schema } }: Session,
  record: WireRecord,
  how: 'escalate_manager' | 'next_level',
): Promise<{ id: number; why: string }[]> {
  const s = quoted(schema);
  const usable = `u.active and u.status = 'active' and not coalesce(u.is_service, false)`;
  const steps = record.steps as Step[];
  const later = steps.filter(({ state }) => state === 'later').map(({ level }) => level);
  const next = how === 'next_level' && later.length > 0 ? Math.min(...later) : null;
  const ids = steps.filter(({ level }) => level === next).map(({ approver_id: id }) => id);
  const found =
    next !== null
      ? await db.query<{ id: number; why: string }>(
          `select u.id, 'Of level ' || $2::int || ', after the time limit' as why from ${s}.users u where ${usable} and u.id = any($1::bigint[]) order by u.id`,
          [ids, next],
        )
      : await db.query<{ id: number; why: string }>(
          `select u.id, min('Manager of ' || g.name || ', after the time limit') as why from ${s}.users g join ${s}.employee e on e.id = g.employee_id
             join ${s}.users u on u.employee_id = e.reporting_to_id where ${usable} and g.id = any($1::bigint[]) group by u.id order by u.id`,
          [record.waiting_for_ids ?? []],
        );
  if (found.length > 0) return found;
  return db.query<{ id: number; why: string }>(
    `select u.id, 'Administrator, after the time limit' as why from ${s}.users u where ${usable} and u.is_admin order by u.id`,
  );
}
