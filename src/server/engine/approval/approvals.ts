import { isEntered } from '../../../descriptor/entered_fields.ts';
import { Exact } from '../../../descriptor/exact.ts';
import { formatAmount, formatMoney } from '../../../descriptor/format.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { RecordApproval } from '../../../domain/approval_levels.ts';
import type { ActsFor, Session } from '../../access/context.ts';
import { AppError } from '../../db/errors.ts';

export type Verdict = 'approved' | 'returned' | 'rejected';

/** When a decision needs a reason. */
export type RemarkWhen = 'never' | 'on_reject' | 'always';

/** A request on which a record is waiting. */
export interface OpenRequest {
  id: number;
  /** Accounts that may decide it now. */
  waitingFor: number[];
  /** Accounts that asked for it, or on whose behalf it was asked: they cannot decide it, not even as deputies. */
  askedBy: number[];
  /** The person who took the transition that asked. */
  requester: number | null;
  /** Whether somebody has agreed already. */
  agreed: boolean;
  amount: string | null;
  /** Whether the person who decides must give a reason. */
  remarkWhen: RemarkWhen;
  /** Fields of the record that the current approver may change while approving. */
  mayChange: string[];
}

/**
 * Approval requests: who decides a record, in which levels, and with what result. The engine knows when approval is
 * required; the module that manages processes and authorities knows the approvers. Everything runs in the current
 * transaction.
 */
export interface Approvals {
  /**
   * Requests the approval of a record. `none`: no process matches, rights decide; `agreed`: no approval is needed;
   * `open`: it is waiting. @throws AppError 422 if a process matches but has no approver
   */
  ask(session: Session, screen: Screen, record: WireRecord): Promise<'none' | 'agreed' | 'open'>;
  /**
   * The requests on which a record is waiting, several if several processes must agree; with `lock` nobody else can
   * decide them before this transaction ends.
   */
  open(session: Session, screen: Screen, id: number, options?: { lock?: boolean }): Promise<OpenRequest[]>;
  /**
   * Records a decision on a request. @returns whether the record moves on: at once if it was rejected or returned,
   * after the last level of the last request if it was approved. `edited`: the record as the approver has just changed
   * it
   */
  decide(
    session: Session,
    request: OpenRequest,
    verdict: Verdict,
    by: { for: ActsFor | null; remark: string | null; edited: { screen: Screen; record: WireRecord } | null },
  ): Promise<boolean>;
  /** A waiting record was changed: approvals so far are discarded if the approved fields differ. */
  changed(session: Session, screen: Screen, record: WireRecord): Promise<void>;
  /** A waiting record has left its state. */
  withdraw(session: Session, screen: Screen, id: number): Promise<void>;
  /** The levels of a record's last approval round, as shown on its page; empty = approval was never requested. */
  levels(session: Session, screen: Screen, id: number): Promise<RecordApproval[]>;
}

/**
 * Whether a person, or one of their delegators, is asked now: on whose behalf, null = their own; undefined = not asked.
 */
export function askedNow(session: Session, screen: Screen, request: OpenRequest): { for: ActsFor | null } | undefined {
  if (request.askedBy.includes(session.userId)) return undefined;
  if (request.waitingFor.includes(session.userId)) return { for: null };
  const delegator = askedDelegators(session, screen, request).find((one) => isWithin(one, request));
  return delegator && { for: delegator };
}

/** The delegators of a person who are asked now, ignoring amount limits. */
const askedDelegators = ({ actsFor = [] }: Session, { name }: Screen, { waitingFor }: OpenRequest): ActsFor[] =>
  actsFor.filter(
    ({ userId, types }) => userId !== null && waitingFor.includes(userId) && (types === null || types.includes(name)),
  );

const isWithin = ({ limit }: ActsFor, { amount }: OpenRequest): boolean =>
  limit === null || amount === null || new Exact(amount).lte(limit);

/** Whether the person who decides a request in this way must give a reason. */
export const needsRemark = ({ remarkWhen }: OpenRequest, verdict: Verdict): boolean =>
  remarkWhen === 'always' || (remarkWhen === 'on_reject' && verdict !== 'approved');

/** The fields that the approver of a request may change while approving. */
export const changeableFields = (screen: Screen, { mayChange }: OpenRequest, verdict: Verdict): string[] =>
  verdict === 'approved'
    ? mayChange.filter((name) => screen.fields.some((field) => field.name === name && isEntered(screen, field)))
    : [];

/** Why a person cannot decide a record that is waiting for others. */
export function notAsked(
  session: Session,
  screen: Screen,
  record: WireRecord,
  requests: readonly OpenRequest[],
): AppError {
  const title = inSentence(screen.title);
  const refused = (message: string) => new AppError(403, 'forbidden', message, { reason: 'row' });
  if (requests.some(({ askedBy }) => askedBy.includes(session.userId)))
    return refused(`You submitted this ${title} yourself. Somebody else must decide.`);
  for (const request of requests) {
    const [delegator] = askedDelegators(session, screen, request);
    if (delegator) {
      const amount = screen.fields.find(({ name }) => name === screen.approval?.amount);
      const inWords = formatAmount(amount, request.amount!, record);
      return refused(
        `As deputy of ${delegator.name} you approve up to ${formatMoney(delegator.limit!)}; this ${title} comes to ${inWords}. ${delegator.name} or another approver decides it.`,
      );
    }
  }
  return refused(`This ${title} is waiting for other approvers, not for you.`);
}

/** The decision that a transition makes on an approval request; null = none. */
export function verdictOf({ approval }: Screen, transition: string): Verdict | null {
  if (!approval) return null;
  if (approval.approved === transition) return 'approved';
  if (approval.returned === transition) return 'returned';
  return approval.rejected === transition ? 'rejected' : null;
}

/** Whether the person who asked may withdraw a record now; a refusal gives the reason. Null if nothing is waiting. */
export function mayTakeBack(session: Session, screen: Screen, requests: readonly OpenRequest[]): AppError | null {
  const title = inSentence(screen.title);
  if (requests.length === 0) return null;
  if (requests.some(({ askedBy }) => !askedBy.includes(session.userId)))
    return new AppError(403, 'forbidden', `Only the person who requested this ${title} can withdraw it.`, {
      reason: 'row',
    });
  return requests.some(({ agreed }) => agreed)
    ? new AppError(
        409,
        'bad_state',
        `Somebody has already approved this ${title}, so it cannot be withdrawn. Ask an approver to send it back.`,
      )
    : null;
}
