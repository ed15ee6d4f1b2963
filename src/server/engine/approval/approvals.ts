import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { ActsFor, Session } from '../../access/context.ts';

export type Verdict = 'approved' | 'returned' | 'rejected';

/** A request that waits for a record. */
export interface OpenRequest {
  id: number;
  /** Accounts that may decide it now. */
  waitingFor: number[];
  amount: string | null;
}

/**
 * Requests for approval: who decides a record, in which levels, and what they have said. The engine knows when it is
 * asked, the module that keeps processes and authorities knows who. All of it is part of the act's unit of work.
 */
export interface Approvals {
  /**
   * Asks for the approval of a record. `none`: no process fits, rights decide; `agreed`: nobody needs to approve it;
   * `open`: it waits. @throws AppError 422 when a process fits and nobody can be asked
   */
  ask(session: Session, screen: Screen, record: WireRecord): Promise<'none' | 'agreed' | 'open'>;
  /** The request that a record waits with, locked; null = it waits for nobody. */
  open(session: Session, screen: Screen, id: number): Promise<OpenRequest | null>;
  /**
   * Somebody's word on a request. @returns whether the record goes on: at once when it is not agreed to, after the last
   * level when it is
   */
  decide(
    session: Session,
    request: OpenRequest,
    verdict: Verdict,
    by: { for: ActsFor | null; remark: string | null },
  ): Promise<boolean>;
  /** A record that waits was changed: what was agreed to so far counts no more if what is approved is other than then. */
  changed(session: Session, screen: Screen, record: WireRecord): Promise<void>;
  /** A record that waits has gone elsewhere. */
  withdraw(session: Session, screen: Screen, id: number): Promise<void>;
}

/** Whether somebody, or whom they act for, is asked now: for whom, null = themselves; undefined = they are not. */
export function askedNow(
  session: Session,
  screen: Screen,
  { waitingFor, amount }: OpenRequest,
): { for: ActsFor | null } | undefined {
  if (waitingFor.includes(session.userId)) return { for: null };
  const giver = (session.actsFor ?? []).find(
    ({ userId, types, limit }) =>
      userId !== null &&
      waitingFor.includes(userId) &&
      (types === null || types.includes(screen.name)) &&
      (limit === null || amount === null || Number(limit) >= Number(amount)),
  );
  return giver && { for: giver };
}

/** What a transition says on a request for approval; null = it has nothing to do with one. */
export function verdictOf({ approval }: Screen, transition: string): Verdict | null {
  if (!approval) return null;
  if (approval.approved === transition) return 'approved';
  if (approval.returned === transition) return 'returned';
  return approval.rejected === transition ? 'rejected' : null;
}
