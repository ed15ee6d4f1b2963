import { isDeepStrictEqual } from 'node:util';
import type { FieldError, Screen, WireRecord } from '../../../descriptor/types.ts';
import { authorize, authorizeAny } from '../../access/rights/authorize.ts';
import type { Session } from '../../access/context.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { Engine } from '../records/engine.ts';
import { lockRecords } from '../records/locks.ts';
import { contentHash, onceForKey } from '../records/write_keys.ts';

type Row = Record<string, unknown>;

/** What somebody did without a network, as their device sends it. */
export interface OfflineAct {
  key: string;
  type: string;
  id: number;
  /** `change`, or a transition. */
  do: string;
  /** Of a change the old and the new value by field, of a transition what it asks. */
  input: Row;
}

/** What became of an act. */
export type OfflineOutcome =
  | { key: string; state: 'done' }
  /** An earlier act on the same record needs its person. */
  | { key: string; state: 'waits' }
  | {
      key: string;
      state: 'needs_you';
      code: string;
      message: string;
      details: FieldError[];
      /** Fields that somebody else has changed, as they are now. */
      theirs: Row;
    };

/** Where keys of offline acts are kept: they stay as long as a device may be away. */
export const OFFLINE_ADDRESS = 'POST /tapi/offline';
export const OFFLINE_KEY_DAYS = 400;

/** Somebody else has changed a field meanwhile. */
class ChangedMeanwhile extends AppError {
  readonly theirs: Row;
  constructor(theirs: Row) {
    super(409, 'changed_meanwhile', 'Somebody else has changed this meanwhile.');
    this.theirs = theirs;
  }
}

export interface OfflineDeps {
  engine: Engine;
  screens(session: Session): ReadonlyMap<string, Screen>;
  /** Makes the tables that a type needs. */
  ensure(session: Session, screen: Screen): Promise<unknown>;
}

/**
 * Does what came from a device in its order, each act in a unit of its own and once for its key, by the rights and the
 * state of now. After one that needs its person, the later ones on the same record wait.
 */
export async function takeOfflineActs(
  deps: OfflineDeps,
  session: Session,
  acts: readonly OfflineAct[],
): Promise<OfflineOutcome[]> {
  const outcomes: OfflineOutcome[] = [];
  const waiting = new Set<string>();
  for (const act of acts) {
    const record = `${act.type} ${act.id}`;
    if (waiting.has(record)) {
      outcomes.push({ key: act.key, state: 'waits' });
      continue;
    }
    try {
      await onceForKey(
        session,
        { key: act.key, address: OFFLINE_ADDRESS, hash: contentHash(act) },
        async (by) => {
          await take(deps, by, act);
          return { result: undefined, kept: { id: act.id } };
        },
        () => Promise.resolve(undefined),
      );
      outcomes.push({ key: act.key, state: 'done' });
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      waiting.add(record);
      const { code, message, details } = error;
      const theirs = error instanceof ChangedMeanwhile ? error.theirs : {};
      outcomes.push({ key: act.key, state: 'needs_you', code, message, details, theirs });
    }
  }
  return outcomes;
}

async function take(deps: OfflineDeps, session: Session, { type, id, do: name, input }: OfflineAct): Promise<void> {
  const { engine } = deps;
  const screen = deps.screens(session).get(type);
  if (!screen?.offline?.does.includes(name) || screen.part) throw notFound();
  await deps.ensure(session, screen);
  if (name !== 'change') {
    authorizeAny(session, screen, ['view_screen', 'edit_screen', 'approval_screen']);
    await engine.transition(session, screen, id, name, input, { cause: 'offline' });
    return;
  }
  authorize(session, screen, 'edit_screen', screen.access.action);
  await lockRecords(session, [{ type, id }]);
  const stored = await engine.read(session, screen, id);
  const { set, theirs } = compared(stored, input);
  if (Object.keys(theirs).length > 0) throw new ChangedMeanwhile(theirs);
  if (Object.keys(set).length > 0)
    await engine.update(session, screen, id, { ...set, version: stored.version }, 'offline');
}

/** What of a change is still to do, and what somebody else has changed in the meantime. */
function compared(stored: WireRecord, input: Row): { set: Row; theirs: Row } {
  const set: Row = {};
  const theirs: Row = {};
  for (const [field, pair] of Object.entries(input)) {
    if (!Array.isArray(pair) || pair.length !== 2)
      throw new AppError(400, 'bad_request', `${field} is a pair of the old and the new value.`, { field });
    const [old, next] = pair as [unknown, unknown];
    const now = stored[field] ?? null;
    if (isSame(now, next)) continue;
    if (isSame(now, old)) set[field] = next;
    else theirs[field] = now;
  }
  return { set, theirs };
}

const isSame = (one: unknown, other: unknown): boolean => isDeepStrictEqual(bare(one ?? null), bare(other ?? null));

/** A value without what the server adds to show it; of rows their own columns. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, inner]) => !name.includes('__') && inner !== null && inner !== undefined)
      .map(([name, inner]) => [name, bare(inner)]),
  );
}
