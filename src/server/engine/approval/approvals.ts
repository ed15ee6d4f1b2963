import { isEntered } from '../../../descriptor/entered_fields.ts';
import { Exact } from '../../../descriptor/exact.ts';
import { formatAmount, formatMoney } from '../../../descriptor/format.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { RecordApproval } from '../../../domain/approval_levels.ts';
import type { ActsFor, Session } from '../../access/context.ts';
import { AppError } from '../../db/errors.ts';

export type Verdict = 'approved' | 'returned' | 'rejected';

/** When whoever decides has to say why. */
export type RemarkWhen = 'never' | 'on_reject' | 'always';

/** A request that waits for a record. */
export interface OpenRequest {
  id: number;
  /** Accounts that may decide it now. */
  waitingFor: number[];
  /** Accounts that asked for it, or for whom it was asked: they do not decide it, as nobody's deputy either. */
  askedBy: number[];
  /** Who took the step that asked. */
  requester: number | null;
  /** Whether somebody has agreed already. */
  agreed: boolean;
  amount: string | null;
  /** Whether whoever decides it has to say why. */
  remarkWhen: RemarkWhen;
  /** Fields of the record that whoever approves it now may change as they do. */
  mayChange: string[];
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
  /** The requests that a record waits with, several where several processes must agree; with `lock` nobody else decides them before this act ends. */
  open(session: Session, screen: Screen, id: number, options?: { lock?: boolean }): Promise<OpenRequest[]>;
  /**
   * Somebody's word on a request. @returns whether the record goes on: at once when it is not agreed to, after the last
   * level of the last request when it is. `edited`: the record as whoever approves has just changed it
   */
  decide(
    session: Session,
    request: OpenRequest,
    verdict: Verdict,
    by: { for: ActsFor | null; remark: string | null; edited: { screen: Screen; record: WireRecord } | null },
  ): Promise<boolean>;
  /** A record that waits was changed: what was agreed to so far counts no more if what is approved is other than then. */
  changed(session: Session, screen: Screen, record: WireRecord): Promise<void>;
  /** A record that waits has gone elsewhere. */
  withdraw(session: Session, screen: Screen, id: number): Promise<void>;
  /** The levels of a record's last round of approval, as its page shows them; empty = it was never asked for. */
  levels(session: Session, screen: Screen, id: number): Promise<RecordApproval[]>;
}

/** Whether somebody, or whom they act for, is asked now: for whom, null = themselves; undefined = they are not. */
export function askedNow(session: Session, screen: Screen, request: OpenRequest): { for: ActsFor | null } | undefined {
  if (request.askedBy.includes(session.userId)) return undefined;
  if (request.waitingFor.includes(session.userId)) return { for: null };
  const delegator = askedDelegators(session, screen, request).find((one) => isWithin(one, request));
  return delegator && { for: delegator };
}

/** Whose deputy a person is who are asked now, whatever the limits of amount. */
const askedDelegators = ({ actsFor = [] }: Session, { name }: Screen, { waitingFor }: OpenRequest): ActsFor[] =>
  actsFor.filter(
    ({ userId, types }) => userId !== null && waitingFor.includes(userId) && (types === null || types.includes(name)),
  );

const isWithin = ({ limit }: ActsFor, { amount }: OpenRequest): boolean =>
  limit === null || amount === null || new Exact(amount).lte(limit);

/** Whether whoever decides a request so has to say why. */
export const needsRemark = ({ remarkWhen }: OpenRequest, verdict: Verdict): boolean =>
  remarkWhen === 'always' || (remarkWhen === 'on_reject' && verdict !== 'approved');

/** The fields that whoever approves a request may change as they do. */
export const changeableFields = (screen: Screen, { mayChange }: OpenRequest, verdict: Verdict): string[] =>
  verdict === 'approved'
    ? mayChange.filter((name) => screen.fields.some((field) => field.name === name && isEntered(screen, field)))
    : [];

/** Why somebody does not decide a record that waits for others. */
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

/** What a transition says on a request for approval; null = it has nothing to do with one. */
export function verdictOf({ approval }: Screen, transition: string): Verdict | null {
  if (!approval) return null;
  if (approval.approved === transition) return 'approved';
  if (approval.returned === transition) return 'returned';
  return approval.rejected === transition ? 'rejected' : null;
}

/** Whether whoever asked may take a record back now; a refusal says why not. Null where nothing waits. */
export function mayTakeBack(session: Session, screen: Screen, requests: readonly OpenRequest[]): AppError | null {
  const title = inSentence(screen.title);
  if (requests.length === 0) return null;
  if (requests.some(({ askedBy }) => !askedBy.includes(session.userId)))
    return new AppError(403, 'forbidden', `Whoever asked for this ${title} takes it back.`, { reason: 'row' });
  return requests.some(({ agreed }) => agreed)
    ? new AppError(
        409,
        'bad_state',
        `Somebody has already approved this ${title}, so it cannot be withdrawn. Ask an approver to send it back.`,
      )
    : null;
}
