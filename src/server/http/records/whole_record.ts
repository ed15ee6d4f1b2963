import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { refusedSteps } from '../../engine/workflow/refused_steps.ts';

/**
 * A record as its page needs it: with the transitions that this person may take, and the records they may create from
 * it.
 */
export async function wholeRecord(engine: Engine, session: Session, screen: Screen, id: number): Promise<WireRecord> {
  const record = await engine.read(session, screen, id);
  const closed = await engine.closedPeriods(session, screen, record);
  const refused = await refusedSteps(session, screen, record);
  const open = await engine.openFields(session, screen, record);
  return {
    ...record,
    ...(closed && { _closed: closed }),
    ...(screen.workflow && { _can: await engine.steps(session, screen, record) }),
    ...(open && { _open: { in: record[screen.workflow!.field], fields: [...open] } }),
    // Refused automatic transitions.
    ...(refused.length > 0 && { _refused: refused }),
    ...(screen.makes && { _makes: await engine.makes(session, screen, record) }),
    ...(screen.actions.some(({ who }) => who) && { _as: await engine.standsAs(session, screen, record) }),
  };
}
