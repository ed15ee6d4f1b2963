import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';

interface Act {
  /** Statements that write whose answers it may still hear. */
  left: number;
  cut: () => Promise<void>;
}
const acts = new AsyncLocalStorage<Act>();
/** What is read leaves no trace: of two cuts with only reading between them the second shows nothing new. */
const WRITES = /^\s*(with|insert|update|delete|commit)/i;
const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;

/** From now on statements of acts can be cut. @returns what ends that */
export function cutStatements(): () => void {
  const { prototype } = pg.Client as unknown as { prototype: { query: typeof query } };
  prototype.query = function (...given) {
    const act = acts.getStore();
    const answer = query.apply(this, given);
    const [one] = given as [string | { text: string }];
    if (!act || !(answer instanceof Promise) || !WRITES.test(typeof one === 'string' ? one : one.text)) return answer;
    if (act.left-- !== 0) return answer;
    // The database has done it, and nobody hears of it.
    return answer.then(async () => {
      await act.cut();
      throw Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
    });
  };
  return () => (prototype.query = query);
}

/**
 * Does an act up to its statement number `at` that writes: when the database has carried that out, `cut` is called, and
 * its answer never arrives. @returns whether the act has so many statements
 */
export async function cutAt(at: number, cut: () => Promise<void>, work: () => Promise<unknown>): Promise<boolean> {
  const act = { left: at, cut };
  await acts.run(act, work);
  return act.left < 0;
}
