import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Database, Queryable } from '../../db/database.ts';
import { joined } from '../../db/joined.ts';
import { AppError } from '../../db/errors.ts';
import { atMoment } from '../../services/clock/client_day.ts';
import type { Ref } from '../events/ref.ts';

/** The shared state of everything that happens in one transaction. */
export interface UnitOfWork {
  /** The person's or the system's session, with every statement in the unit's transaction. */
  readonly session: Session;
  /** The client's session outside of the transaction. */
  readonly tenant: Tenant;
  /** Shown and rolled back: nothing is stored. */
  readonly preview: boolean;
  /** Its cause, for the history. */
  readonly cause: string | undefined;
  /** When the action was done on an offline device, or before an import; absent: now. */
  at?: Date;
  /** The state into which an import is taking a new record of the past; absent: it is not. */
  importedInto?: string;
  /** The number of consecutive events that led to it; 0 = caused by a person, a program or a schedule. */
  readonly link: number;
  /** Records that were locked by others in the previous attempt: they are among the first locks now. */
  readonly lockFirst: readonly Ref[];
  /** The time of the transaction: read on first use, which is after its first locks. */
  now(): Date;
  /** Runs at the end of the unit, in its transaction; not in a preview. */
  beforeCommit(work: () => Promise<void>): void;
  /** Runs when the unit has been committed; never where it is rolled back. */
  afterCommit(work: () => void): void;
  /**
   * Runs when the unit has ended, committed or refused, outside of its transaction; not in a preview. Its failures are
   * separate.
   */
  afterEnd(work: () => Promise<void>): void;
}

export interface UnitOptions {
  preview?: boolean;
  cause?: string;
  link?: number;
  at?: Date;
}

/** Refused by PostgreSQL because of concurrent changes: nothing happened, and a retry will succeed. */
const TRY_AGAIN = new Set(['40001', '40P01']);
const MAX_ATTEMPTS = 3;
/** The number of restarts of a unit for records that others have locked. */
const MAX_RESTARTS = 10;

/** Thrown when a record to be locked is locked by others, and waiting for it could cause a deadlock. */
export class LockedElsewhere extends Error {
  readonly refs: readonly Ref[];
  constructor(refs: readonly Ref[]) {
    super('A record is locked by another unit of work.');
    this.refs = refs;
  }
}

const open = new WeakMap<Database, UnitOfWork>();

/** The unit of work of a session's statements; null = each statement is separate. */
export function unitOf({ tenant }: Pick<Session, 'tenant'>): UnitOfWork | null {
  return open.get(tenant.db) ?? null;
}

/**
 * Runs after the commit of the session's current work: at once if it is not in a unit of work. `work` receives the
 * session as it is then, outside of the transaction.
 */
export function afterCommit(session: Session, work: (session: Session) => unknown): void {
  const unit = unitOf(session);
  if (unit) unit.afterCommit(() => work({ ...session, tenant: unit.tenant }));
  else work(session);
}

/** Thrown to roll back a preview, with its result. */
class Previewed extends Error {
  readonly result: unknown;
  constructor(result: unknown) {
    super('A preview is rolled back.');
    this.result = result;
  }
}

/**
 * One action in one transaction: everything `work` does with the unit's session commits together or not at all. A
 * session that is already in a unit joins it. On a serialisation failure or a deadlock the work is retried, so it must
 * not touch anything outside of the transaction; use `afterCommit` for that.
 */
export async function inUnit<T>(
  actor: Session,
  work: (unit: UnitOfWork) => Promise<T>,
  { preview = false, cause, link = 0, at }: UnitOptions = {},
): Promise<T> {
  const running = unitOf(actor);
  if (running) return work(running);
  const lockFirst: Ref[] = [];
  for (let attempt = 1, restarts = 0; ;) {
    let moment: Date | undefined;
    const last: (() => Promise<void>)[] = [];
    const after: (() => void)[] = [];
    const ended: (() => Promise<void>)[] = [];
    try {
      const result = await actor.tenant.db.transaction(async (tx) => {
        const { db, end } = joined(actor.tenant.db, tx);
        const unit: UnitOfWork = {
          session: { ...actor, tenant: { ...actor.tenant, db } },
          tenant: actor.tenant,
          preview,
          cause,
          link,
          ...(at && { at }),
          lockFirst,
          now: () => (moment ??= new Date()),
          beforeCommit: (one) => void last.push(one),
          afterCommit: (one) => void after.push(one),
          afterEnd: (one) => void ended.push(one),
        };
        open.set(db, unit);
        try {
          const done = await atMoment(
            actor,
            () => (at ?? unit.now()).getTime(),
            () => work(unit),
          );
          if (preview) throw new Previewed(done);
          for (const one of last) await one();
          return done;
        } finally {
          end();
        }
      });
      for (const one of after) one();
      await each(ended);
      return result;
    } catch (error) {
      if (error instanceof Previewed) return error.result as T;
      if (error instanceof LockedElsewhere) {
        lockFirst.push(...error.refs);
        if (++restarts < MAX_RESTARTS) continue;
        throw new AppError(503, 'unavailable', 'Others are changing the same records. Please try again.');
      }
      if (attempt++ < MAX_ATTEMPTS && TRY_AGAIN.has((error as { code?: string }).code ?? '')) continue;
      if (!preview) await each(ended);
      throw error;
    }
  }
}

/** The transaction has already ended: a failure here does not change its result. */
async function each(works: readonly (() => Promise<void>)[]): Promise<void> {
  for (const one of works) await one().catch(() => undefined);
}

/**
 * Treats work in a transaction started by somebody else as a unit: its callbacks before the commit run at its end, and
 * so do those after the commit. `at`: when the work was done, if not now.
 */
export async function withinTransaction<T>(
  actor: Session,
  tx: Queryable | Parameters<typeof joined>[1],
  work: (session: Session) => Promise<T>,
  { at }: Pick<UnitOptions, 'at'> = {},
): Promise<T> {
  const running = unitOf(actor);
  if (running) return work(actor);
  if (!('client' in tx)) throw new Error('The transaction has no connection of its own.');
  const { db, end } = joined(actor.tenant.db, tx);
  const session = { ...actor, tenant: { ...actor.tenant, db } };
  const last: (() => Promise<void>)[] = [];
  const after: (() => void)[] = [];
  const moment = new Date();
  open.set(db, {
    session,
    tenant: actor.tenant,
    preview: false,
    cause: undefined,
    link: 0,
    ...(at && { at }),
    lockFirst: [],
    now: () => moment,
    beforeCommit: (one) => void last.push(one),
    afterCommit: (one) => void after.push(one),
    // The owner of the transaction reports its outcome.
    afterEnd: () => undefined,
  });
  try {
    const done = await atMoment(
      actor,
      () => (at ?? moment).getTime(),
      () => work(session),
    );
    for (const one of last) await one();
    for (const one of after) one();
    return done;
  } finally {
    end();
  }
}
