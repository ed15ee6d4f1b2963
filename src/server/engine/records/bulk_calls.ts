import { formatNumber } from '../../../descriptor/format.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { AppError, notFound } from '../../db/errors.ts';
import { notTaken } from './not_taken.ts';
import type { BulkAnswer } from './record_change.ts';
import type { SightCalls } from './sight_engine.ts';
import { inUnit } from './unit_of_work.ts';
import type { WriteKey } from './write_keys.ts';
import { contentHash, keyOf, onceForKey, refuseOtherContent } from './write_keys.ts';

type Row = Record<string, unknown>;

/** The maximum number of records of one bulk call. */
const MAX_AT_ONCE = 1_000;

/** The same action on several records selected in a list. */
export interface BulkCalls extends Pick<SightCalls, 'bulkSet'> {
  /** Takes the same transition with several records: each separately, or all or none, as the descriptor says. */
  bulkTransition(
    session: Session,
    screen: Screen,
    ids: number[],
    name: string,
    input: Row,
    key?: WriteKey | null,
  ): Promise<BulkAnswer>;
  bulkRemove(
    session: Session,
    screen: Screen,
    ids: number[],
    mode: 'deactivate' | 'activate' | 'delete',
    key?: WriteKey | null,
  ): Promise<BulkAnswer>;
}

/** The action on each of them. */
interface SingleCalls extends Pick<SightCalls, 'read' | 'update' | 'transition' | 'setActive'> {
  remove(session: Session, screen: Screen, id: number): Promise<void>;
}

export function bulkCalls(engine: SingleCalls): BulkCalls {
  /**
   * One by one, so that one record's refusal does not stop the others; each has its own result. With a key, completed
   * ones are not repeated, and refused ones are retried.
   */
  async function each(
    session: Session,
    ids: number[],
    key: WriteKey | null,
    work: (session: Session, id: number) => Promise<unknown>,
  ): Promise<BulkAnswer> {
    if (ids.length > MAX_AT_ONCE)
      throw new AppError(400, 'bad_request', `At most ${formatNumber(MAX_AT_ONCE)} records at once.`, {
        field: 'ids',
      });
    await refuseOtherContent(session, key, ids);
    const answer: BulkAnswer = { changed: [], errors: [] };
    for (const id of new Set(ids)) {
      try {
        await onceForKey(
          session,
          keyOf(key, id),
          async (by) => {
            await work(by, id);
            return { result: undefined, kept: { id } };
          },
          () => Promise.resolve(undefined),
        );
        answer.changed.push(id);
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error;
        answer.errors.push({ id, message: error.message });
      }
    }
    return answer;
  }

  return {
    bulkTransition(session, screen, ids, name, input, key = null) {
      const { bulk } = screen.workflow?.transitions.find((one) => one.name === name) ?? {};
      if (bulk === undefined) throw notFound();
      const take = (by: Session, id: number) => engine.transition(by, screen, id, name, input);
      if (bulk === 'each') return each(session, ids, key, take);
      const all = { changed: ids, errors: [] };
      const together = async (by: Session) => {
        await inUnit(by, async (unit) => {
          for (const id of ids) await take(unit.session, id);
        });
        return { result: all, kept: {} };
      };
      // The same key must come with the same records.
      return onceForKey(session, key && { ...key, hash: contentHash([key.hash, ids]) }, together, () =>
        Promise.resolve(all),
      );
    },
    async bulkSet(session, screen, ids, set, key = null) {
      const refused = notTaken(screen, set);
      const names = new Set(refused.map(({ field }) => field));
      const taken = Object.fromEntries(Object.entries(set).filter(([name]) => !names.has(name)));
      if (refused.length > 0 && Object.keys(taken).length === 0) return { changed: [], errors: [], not_taken: refused };
      const answer = await each(session, ids, key, async (by, id) => {
        const { version } = await engine.read(by, screen, id);
        await engine.update(by, screen, id, { ...taken, version }, 'bulk');
      });
      return refused.length > 0 ? { ...answer, not_taken: refused } : answer;
    },
    bulkRemove: (session, screen, ids, mode, key = null) =>
      each(session, ids, key, (by, id) =>
        mode === 'delete' ? engine.remove(by, screen, id) : engine.setActive(by, screen, id, null, mode === 'activate'),
      ),
  };
}
