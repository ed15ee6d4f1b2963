import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { notFound } from '../../db/errors.ts';
import type { EngineContext } from '../records/engine_context.ts';
import type { EngineServices } from '../records/engine_deps.ts';
import { readRecord } from '../records/read.ts';
import { inUnit } from '../records/unit_of_work.ts';
import { beginBands, clockDifferences, clocksNow, followClocks } from './record_clocks.ts';

/** The clocks of records. */
export interface ClockCalls {
  /** The current clocks of a record. @throws AppError 404 */
  clocks(session: Session, screen: Screen, id: number): Promise<Record<string, unknown>[]>;
  /** Recalculates the clocks of a record, in a transaction. */
  followClocks(session: Session, screen: Screen, id: number): Promise<void>;
  /** Where the stored clocks of a record differ from what its log says, in a transaction; with the record's name. */
  clockDifferences(session: Session, screen: Screen, id: number): Promise<string[]>;
  /** Publishes the bands of a record's clocks that have been reached and not yet published, in a transaction. */
  beginBands(session: Session, screen: Screen, id: number, now: Date): Promise<void>;
}

export function clockCalls({ screens, events }: EngineServices, { clockDeps, wholeRecord }: EngineContext): ClockCalls {
  return {
    async clocks(session, screen, id) {
      if (!screen.clocks) throw notFound();
      await readRecord(session, screen, screens(session), id);
      return inUnit(session, async (unit) =>
        clocksNow(clockDeps(unit.session, screen), await wholeRecord(unit.session, screen, id)),
      );
    },
    async followClocks(session, screen, id) {
      await followClocks(clockDeps(session, screen), await wholeRecord(session, screen, id));
    },
    async clockDifferences(session, screen, id) {
      const record = await wholeRecord(session, screen, id);
      const name = screen.label.flatMap((field) => record[field] ?? []).join(' ');
      return (await clockDifferences(clockDeps(session, screen), record)).map((words) => `${name}: ${words}`);
    },
    async beginBands(session, screen, id, at) {
      const record = await wholeRecord(session, screen, id);
      // A record that was not written by the engine has no computed values yet.
      if (screen.clocks?.some(({ value }) => (record[value] ?? null) === null))
        await followClocks(clockDeps(session, screen), record);
      const said = await beginBands(clockDeps(session, screen), record, at.getTime());
      if (events.watches(screen.name))
        for (const { event, band } of said) events.ofRecord(session, screen.name, event, id, undefined, { band });
    },
  };
}
