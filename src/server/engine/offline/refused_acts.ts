import { bringsPairs } from '../../../descriptor/offline_act.ts';
import { productScreen } from '../../../descriptor/overlay.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import { sightOf } from '../../../descriptor/visible.ts';
import type { Session } from '../../access/context.ts';
import { PEOPLE } from '../../access/people/people.ts';
import { AppError, notFound } from '../../db/errors.ts';
import { peopleTable, quoted, treeTable } from '../../db/names.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import type { Engine } from '../records/engine.ts';
import { inUnit } from '../records/unit_of_work.ts';
import { hiddenFields, touchesSight } from '../records/visible.ts';
import { accountsOf } from '../workflow/waiting.ts';
import type { OfflineAct, OfflineOutcome } from './offline_act.ts';
import { settleRefused } from './settle_refused.ts';

type Row = Record<string, unknown>;
type Refused = Extract<OfflineOutcome, { state: 'needs_you' }>;

/** A refused action, as stored until its person decides. */
export interface RefusedAct extends Omit<Refused, 'state'> {
  type: string;
  id: number | null;
  do: string;
  title: string;
  input: Record<string, unknown>;
  /** When it was done, by the corrected clock of the device. */
  done_at: string;
  refused_at: string;
  /** Who did it. */
  by: number;
  by__label: string;
}

/**
 * Stores a refused action with its whole content, once per key, and notifies the manager of the person who did it, and
 * those whom the type names. Conflicts with changes by others are left to the person: nobody else is notified of them.
 */
export async function keepRefused(
  { engine, screens, notifications }: RefusedDeps & { notifications: Notifications },
  actor: Session,
  act: OfflineAct,
  refused: Refused,
  about: { id: number | null; doneAt: Date; screen: Screen },
): Promise<void> {
  const isConflict = refused.code === 'changed_meanwhile';
  const concerned = isConflict ? [] : await concernedBy({ engine, screens }, actor, act, about);
  await inUnit(actor, async ({ session }) => {
    const { tenant, userId } = session;
    const s = quoted(tenant.schema);
    const title = (act.title ?? '').slice(0, 200) || about.screen.title;
    const fresh = await tenant.db.query(
      `insert into ${s}.refused_act as r (user_id, entity_id, key, record_type, record_id, act, title, input, done_at, code, message, details, theirs, notified)
       values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9, $10, $11, $12::jsonb, $13::jsonb, $14::bigint[])
       on conflict (user_id, entity_id, key) do update set code = excluded.code, message = excluded.message,
         input = excluded.input, details = excluded.details, theirs = excluded.theirs, notified = excluded.notified
       returning xmax = 0 as fresh`,
      [
        userId,
        session.entityId ?? 0,
        act.key,
        act.type,
        about.id,
        act.do,
        title,
        JSON.stringify(act.input),
        about.doneAt.toISOString(),
        refused.code,
        refused.message,
        JSON.stringify(refused.details),
        JSON.stringify(refused.theirs),
        concerned,
      ],
    );
    if (isConflict || fresh[0]?.fresh !== true) return;
    const managers = await tenant.db.query<{ id: number }>(
      `select m.id from ${s}.users u join ${s}.employee e on e.id = u.employee_id
       join ${s}.users m on m.employee_id = e.reporting_to_id and m.active where u.id = $1 and m.id <> u.id order by m.id`,
      [userId],
    );
    const { landing, view } = about.screen.routes;
    const page = about.id === null ? landing : (view?.replace(':id', String(about.id)) ?? landing);
    const notice = {
      event: 'offline.refused',
      values: { name: session.userName, title, message: refused.message },
      entityId: session.entityId,
      ...(about.id !== null && { record: { type: act.type, id: about.id } }),
    };
    const above = managers.map(({ id }) => id);
    const others = concerned.filter((id) => !above.includes(id));
    const link = '/team_list?refused=1';
    if (above.length > 0)
      await notifications.notify(tenant.db, tenant, { ...notice, to: above, link, groupKey: `${userId}` });
    if (others.length > 0)
      await notifications.notify(tenant.db, tenant, {
        ...notice,
        to: others,
        ...(page && { link: page }),
        groupKey: `${userId} ${act.type} ${about.id ?? act.key}`,
      });
  });
}

/** The accounts in the relations that the type names, except the person who did it. */
async function concernedBy(
  { engine, screens }: RefusedDeps,
  session: Session,
  { input }: OfflineAct,
  { id, screen }: { id: number | null; screen: Screen },
): Promise<number[]> {
  const names = screen.offline?.notify ?? [];
  if (names.length === 0) return [];
  let record: Row | null = null;
  try {
    // Of a record that was not created: what was entered, and what the fills make of it.
    record =
      id === null
        ? { ...input, ...(screen.fills && (await engine.fill(session, screen, null, input))) }
        : await engine.read(session, screen, id);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
  if (!record) return [];
  const found = await accountsOf(session, screens(session), screen, record as WireRecord, [...names]);
  return found.filter((one) => one !== session.userId);
}

/** Discards one's own action: its content stays readable for the manager. @throws AppError 404 */
export async function discardRefused(session: Session, key: string): Promise<void> {
  if (!(await settleRefused(session, key, 'discarded'))) throw notFound();
}

/**
 * Actions awaiting a decision: the person's own, those of all their subordinates, and those of which they were notified.
 * @param type only those on this type
 * @param id only those on this record of it
 */
export async function openRefused(session: Session, type?: string, id?: string): Promise<RefusedAct[]> {
  const { tenant, userId, employeeId } = session;
  // Platform users work only online.
  if (tenant.schema === 'public') return [];
  const s = quoted(tenant.schema);
  return tenant.db.query<RefusedAct>(
    `select r.key, r.record_type as type, r.record_id as id, r.act as do, r.title, r.input, r.done_at, r.at as refused_at, r.code, r.message,
       r.details, r.theirs, r.user_id as by, u.name as by__label
     from ${s}.refused_act r left join ${peopleTable(tenant.schema)} u on u.id = r.user_id
     where r.settled_at is null and r.entity_id = $2 and ($4::text is null or r.record_type = $4)
       and ($5::bigint is null or r.record_id = $5) and (r.user_id = $1 or $1 = any(r.notified)
       or exists (select 1 from ${s}.users w join ${treeTable(tenant.schema, PEOPLE)} t on t.descendant_id = w.employee_id
         where w.id = r.user_id and t.ancestor_id = $3 and t.depth > 0))
     order by r.user_id <> $1, r.id limit 200`,
    [userId, session.entityId ?? 0, employeeId, type ?? null, id ?? null],
  );
}

export interface RefusedDeps {
  engine: Engine;
  screens(session: Session): ReadonlyMap<string, Screen>;
}

/**
 * Another person's action as the reader may see it: nothing about a record that they cannot view, and no value of a
 * field hidden from them. Null = they may not see it at all.
 */
export async function seenRefused(
  { engine, screens }: RefusedDeps,
  session: Session,
  act: RefusedAct,
): Promise<RefusedAct | null> {
  const all = screens(session);
  const screen = all.get(act.type);
  if (!screen || session.rights.refuse(screen, 'view_screen') !== null) return null;
  try {
    if (act.id !== null) await engine.read(session, screen, act.id);
  } catch (error) {
    if (error instanceof AppError && [403, 404].includes(error.status)) return null;
    throw error;
  }
  // A record that does not exist yet belongs only to its author: the reader does not see restricted fields.
  const hidden =
    act.id === null
      ? sightOf(productScreen(screen)).keys()
      : (await hiddenFields(session, screen, all, [{ id: act.id }]))[0]!;
  const away = new Set([...hidden].map((name) => name.split('.')[0]));
  const isSeen = (name: string) => {
    const field = screen.fields.find((one) => one.name === name);
    // Besides fields, a transition asks for its reason and remark.
    if (!field) return act.do !== 'create' && !bringsPairs(act.do) && ['reason', 'remark'].includes(name);
    const part = field.part && all.get(field.part.type);
    return (
      !away.has(name) &&
      !field.secret &&
      !field.masked &&
      field.hidden !== 'always' &&
      !(part && touchesSight(part, all))
    );
  };
  const seen = (row: Row): Row => Object.fromEntries(Object.entries(row).filter(([name]) => isSeen(name)));
  const details = act.details.filter(({ field }) => isSeen(field.split('.')[0]!));
  return { ...act, input: seen(act.input), theirs: seen(act.theirs), details };
}
