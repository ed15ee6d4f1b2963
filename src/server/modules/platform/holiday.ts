import type { WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../context.ts';
import { defineHooks } from '../../records/hooks.ts';

type Kept = (session: Session, holiday: WireRecord) => Promise<void>;

let whenKept: Kept = () => Promise.resolve();

/** Has `work` done for each holiday that was just entered or changed. */
export function onHoliday(work: Kept): void {
  whenKept = work;
}

export default defineHooks({ saved: (session, holiday) => whenKept(session, holiday) });
