import type { Screen } from '../../../descriptor/types.ts';
import type { ActsFor, Session } from '../../access/context.ts';
import { AppError } from '../../db/errors.ts';
import { readRecord } from './read.ts';

/**
 * The delegators on whose behalf alone the person may do this; empty = on their own behalf. @throws AppError 403 if no
 * delegator sees the record
 */
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
  // An approval needs a right; a record in sight must belong to someone. A person who may not change anything here has
  // no other rights.
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
