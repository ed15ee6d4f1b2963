import { productScreen } from '../../../descriptor/overlay.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { ClockDeps } from '../clocks/record_clocks.ts';
import { followClocks } from '../clocks/record_clocks.ts';
import type { FillDeps } from '../fills/run_fills.ts';
import { filledRecord } from '../fills/run_fills.ts';
import type { Announcements } from './announce.ts';
import { elevated } from './elevated.ts';
import type { EngineServices } from './engine_deps.ts';
import { hasParts } from './part_rows.ts';
import { readRecord } from './read.ts';
import type { Unit, UnitLimits } from './unit.ts';
import type { UnitOfWork } from './unit_of_work.ts';
import { afterCommit, unitOf } from './unit_of_work.ts';
import type { PartWriter, WriteContext } from './write_context.ts';

type Row = Record<string, unknown>;

/** The context of engine calls: the person, the record type, and the dependencies. */
export interface EngineContext {
  context(session: Session, screen: Screen, what: string): WriteContext;
  fillDeps(session: Session, screen: Screen): FillDeps;
  fillsOf(
    session: Session,
    screen: Screen,
    record: Row,
    stored: WireRecord | null,
    refill?: readonly string[],
  ): Promise<Row>;
  clockDeps(session: Session, screen: Screen): ClockDeps;
  /** Everybody who wrote a record may see what its clocks read. */
  wholeRecord(session: Session, screen: Screen, id: number): Promise<WireRecord>;
  /** Adds the values of a record's clocks to the answer. */
  withClocks(session: Session, screen: Screen, record: WireRecord): Promise<void>;
  /** The API for functions of modules, within a transaction. */
  unit(unit: UnitOfWork, limits?: UnitLimits): Unit;
}

interface Later {
  unit(unit: UnitOfWork, limits?: UnitLimits): Unit;
  /** Writes the parts of a record; the cause, for the history. */
  partsOf(what: string): PartWriter;
}

export function engineContext(
  { screens, hooks, vault, mayOpenFile, audit, functions, hours, now, onRecordEvent }: EngineServices,
  { happened }: Announcements,
  { unit, partsOf }: Later,
): EngineContext {
  const fillDeps: EngineContext['fillDeps'] = (session, screen) => ({
    session,
    screen,
    screens: screens(session),
    functions,
    unit: () => unit(unitOf(session)!),
  });
  const clockDeps: EngineContext['clockDeps'] = (session, screen) => ({
    ...fillDeps(session, productScreen(screen)),
    hours,
    now: () => unitOf(session)?.at ?? now?.() ?? new Date(),
  });
  const fillsOf: EngineContext['fillsOf'] = (session, screen, record, stored, refill) =>
    filledRecord(fillDeps(session, screen), record, stored, refill);
  const wholeRecord: EngineContext['wholeRecord'] = (session, screen, id) =>
    readRecord(elevated(session), productScreen(screen), screens(session), id);
  return {
    context: (session, screen, what) => ({
      session,
      screen,
      screens: screens(session),
      hooks,
      vault,
      what,
      mayOpenFile,
      audit,
      ...(hasParts(screen) && { parts: partsOf(what) }),
      ...(screen.fills && {
        fill: (record: Row, stored: WireRecord | null) => fillsOf(session, screen, record, stored),
      }),
      wrote: (id, change, decision) => {
        happened(session, screen, 'changed', id, Object.keys(change));
        afterCommit(session, (by) => onRecordEvent(by, screen, { id, op: 'U', change, ...(decision && { decision }) }));
      },
    }),
    fillDeps,
    fillsOf,
    clockDeps,
    wholeRecord,
    async withClocks(session, screen, record) {
      if (!screen.clocks) return;
      const shown = await followClocks(clockDeps(session, screen), await wholeRecord(session, screen, record.id));
      for (const [name, value] of Object.entries(shown)) if (name in record) record[name] = value;
    },
    unit,
  };
}
