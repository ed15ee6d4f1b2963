import type { Screen } from '../../../descriptor/types.ts';
import type { ActsFor, Session } from '../../access/context.ts';
import { AppError } from '../../db/errors.ts';
import { readRecord } from './read.ts';

/** As whose deputy alone the person may do this; empty = they do it for themselves. @throws AppError 403 when nobody who lends the right has the record in sight */
export async function actedFor(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  id: number,
  decides: boolean,
): Promise<ActsFor[]> {
  const { actsFor, ...own } = session;
  if (!actsFor) return [];
  const sees = async (as: Session) => (await readRecord(as, screen, screens, id).catch(() => null)) !== null;
  const among = async <T extends ActsFor>(delegators: T[], as: (delegator: T) => Session) => {
    const known = delegators.filter(({ userId }) => userId !== null);
    const seen = await Promise.all(known.map((delegator) => sees(as(delegator))));
    return known.filter((_, at) => seen[at]);
  };
  // An approval needs a right; a record in sight needs to be somebody's. Who may change nothing here themselves does nothing else.
  const lent =
    decides || session.rights.refuse(screen, 'edit_screen') !== null
      ? (session.rights.delegatedBy?.(screen, 'approval_screen') ?? [])
      : [];
  if (lent.length > 0) {
    const lenders = await among(lent, ({ userId, employeeId, branchIds, rights }) => ({
      ...own,
      userId: userId!,
      employeeId,
      branchIds,
      rights,
    }));
    if (lenders.length > 0) return lenders;
    throw new AppError(
      403,
      'forbidden',
      `You act for ${lent.map(({ name }) => name).join(' and ')}, who may not decide this record.`,
      { reason: 'row' },
    );
  }
  if (await sees(own)) return [];
  return among(actsFor, (delegator) => ({ ...own, actsFor: [delegator] }));
}
