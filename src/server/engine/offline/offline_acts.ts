import { addsRowsTo } from '../../../descriptor/offline_act.ts';
import { openedFields } from '../../../descriptor/opened_fields.ts';
import type { Screen } from '../../../descriptor/types.ts';
import { authorize, authorizeAny } from '../../access/rights/authorize.ts';
import type { Session } from '../../access/context.ts';
import { AppError, notFound } from '../../db/errors.ts';
import { quoted } from '../../db/names.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import type { Engine } from '../records/engine.ts';
import { lockRecords } from '../records/locks.ts';
import { inUnit } from '../records/unit_of_work.ts';
import { contentHash, onceForKey } from '../records/write_keys.ts';
import { addedRows, compared, filesSent, madeBefore, numbered } from './act_content.ts';
import type { OfflineAct, OfflineOutcome } from './offline_act.ts';
import { keepRefused } from './refused_acts.ts';
import { settleRefused } from './settle_refused.ts';

type Row = Record<string, unknown>;

/** Where the keys of offline actions are stored: for as long as a device may be offline. */
export const OFFLINE_ADDRESS = 'POST /tapi/offline';
export const OFFLINE_KEY_DAYS = 400;
/** The maximum age of a device's time that is accepted. */
const OLDEST_MS = 72 * 3_600_000;

/** Somebody else has changed a field in the meantime. */
class ChangedMeanwhile extends AppError {
  readonly theirs: Row;
  constructor(theirs: Row) {
    super(409, 'changed_meanwhile', 'Somebody else has changed this in the meantime.');
    this.theirs = theirs;
  }
}

export interface OfflineDeps {
  engine: Engine;
  screens(session: Session): ReadonlyMap<string, Screen>;
  /** Creates the tables that a type needs. */
  ensure(session: Session, screen: Screen): Promise<unknown>;
  notifications: Notifications;
}

/**
 * Executes the actions of a device in order, each in its own transaction and once per key, with the current rights and
 * state. If one awaits a decision, the later ones on the same record wait too, and so do those that refer to a record
 * that it would have created.
 * @param ahead by how much the device's clock is ahead of this one, in ms
 */
export async function takeOfflineActs(
  deps: OfflineDeps,
  session: Session,
  acts: readonly OfflineAct[],
  ahead = 0,
): Promise<OfflineOutcome[]> {
  const outcomes: OfflineOutcome[] = [];
  const waiting = new Set<string>();
  for (const act of acts) {
    const made = [act.client_id ?? [], madeBefore(act.input)].flat();
    const id = act.id ?? (act.client_id === undefined ? null : await madeBy(session, act.client_id));
    const own = [`${act.type} ${id ?? act.client_id ?? act.key}`, ...(act.do === CREATE ? [act.key] : [])];
    if ([...own, ...made].some((name) => waiting.has(name))) {
      for (const name of own) waiting.add(name);
      outcomes.push({ key: act.key, state: 'waits' });
      continue;
    }
    const doneAt = momentOf(act, ahead);
    try {
      const done = await inUnit(
        { ...session, origin: 'device' },
        async (unit) => {
          const { id: record } = await onceForKey(
            unit.session,
            // The times and the replaced action may differ when it is sent again.
            {
              key: act.key,
              address: OFFLINE_ADDRESS,
              hash: contentHash([act.type, act.do, act.id, act.client_id, act.input]),
            },
            async (by) => {
              const result = { id: await take(deps, by, act, id) };
              return { result, kept: result };
            },
            (kept) => Promise.resolve({ id: Number(kept.id) }),
          );
          await settleRefused(unit.session, act.instead ?? act.key, 'done');
          return record;
        },
        { cause: OFFLINE, at: doneAt },
      );
      outcomes.push({ key: act.key, state: 'done', id: done });
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      for (const name of own) waiting.add(name);
      const { code, message, details } = error;
      const theirs = error instanceof ChangedMeanwhile ? error.theirs : {};
      const refused = { key: act.key, state: 'needs_you' as const, code, message, details, theirs };
      const screen = deps.screens(session).get(act.type);
      // A file will follow; an action that the type does not allow is not kept.
      if (screen?.offline?.does.includes(act.do) && !['file_missing', 'key_reused'].includes(code))
        await keepRefused(deps, session, act, refused, { id, doneAt, screen });
      outcomes.push(refused);
    }
  }
  return outcomes;
}

const OFFLINE = 'offline';
const CREATE = 'create';

/** When an action was done: the device's time corrected to this clock, not in the future and not too long ago. */
function momentOf({ at }: OfflineAct, ahead: number): Date {
  const now = Date.now();
  const said = at === undefined ? now : Date.parse(at) - ahead;
  return new Date(Math.max(now - OLDEST_MS, Math.min(now, said)));
}

/** The record that an action of this person created; null = none. */
async function madeBy({ tenant, userId }: Session, key: string): Promise<number | null> {
  const [made] = await tenant.db.query<{ id: number }>(
    `select (answer ->> 'id')::bigint as id from ${quoted(tenant.schema)}.write_key where user_id = $1 and address = $2 and key = $3`,
    [userId, OFFLINE_ADDRESS, key],
  );
  return made?.id ?? null;
}

/**
 * The record that the device's first attempt created, of which only the response was lost: it had the same key. Claims
 * that key, so that an attempt still under way is refused.
 */
async function madeOnline(session: Session, type: string, key: string): Promise<number | null> {
  const { tenant, userId, entityId } = session;
  const table = `${quoted(tenant.schema)}.write_key`;
  const which = [userId, entityId ?? 0, `POST /tapi/${type}`, key];
  const fresh = await tenant.db.query(
    `insert into ${table} (user_id, entity_id, address, key, hash) values ($1, $2, $3, $4, '')
     on conflict (user_id, entity_id, address, key) do nothing returning 1`,
    which,
  );
  if (fresh.length > 0) return null;
  const [used] = await tenant.db.query<{ id: number | null }>(
    `select (answer ->> 'id')::bigint as id from ${table} where user_id = $1 and entity_id = $2 and address = $3 and key = $4`,
    which,
  );
  return used?.id ?? null;
}

async function take(
  deps: OfflineDeps,
  session: Session,
  { key, type, client_id: clientId, do: name, input: given }: OfflineAct,
  id: number | null,
): Promise<number> {
  const { engine } = deps;
  const screen = deps.screens(session).get(type);
  if (!screen?.offline?.does.includes(name) || screen.part) throw notFound();
  await deps.ensure(session, screen);
  const input = await numbered({ record: (key) => madeBy(session, key), file: filesSent(session) }, screen, given);
  if (name === CREATE) {
    authorize(session, screen, 'add_screen', screen.access.action);
    const made = await madeOnline(session, type, key);
    if (made !== null) return made;
    return (await engine.create(session, screen, input, OFFLINE)).id;
  }
  if (id === null)
    throw clientId === undefined
      ? notFound()
      : new AppError(409, 'made_missing', 'The record to which this belongs was not created.');
  const rows = addsRowsTo(name);
  if (rows === null && name !== 'change') {
    authorizeAny(session, screen, ['view_screen', 'edit_screen', 'approval_screen']);
    await engine.transition(session, screen, id, name, input, { cause: OFFLINE });
    return id;
  }
  authorize(session, screen, 'edit_screen', screen.access.action);
  await lockRecords(session, [{ type, id }]);
  const stored = await engine.read(session, screen, id);
  if (rows !== null) {
    const add = addedRows(stored, input, rows);
    // Whatever state it is in by now: evidence collected before stays with it.
    if (add.length > 0)
      await engine.update(
        session,
        openedFields(screen, [rows]),
        id,
        { [rows]: { add }, version: stored.version },
        OFFLINE,
      );
    return id;
  }
  const { set, theirs } = compared(stored, input);
  if (Object.keys(theirs).length > 0) throw new ChangedMeanwhile(theirs);
  if (Object.keys(set).length > 0)
    await engine.update(session, screen, id, { ...set, version: stored.version }, OFFLINE);
  return id;
}
