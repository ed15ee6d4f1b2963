import type { Screen, WireRecord } from './types.ts';
import { stateOf } from './workflow.ts';

/**
 * Whether a record may be deactivated or deleted in its state: deleted only in its first state, deactivated there and
 * when its workflow has ended.
 */
export function mayLeave(screen: Screen, record: WireRecord, how: 'deactivate' | 'delete'): boolean {
  if (!screen.workflow || record[screen.workflow.field] === undefined) return true;
  const state = stateOf(screen.workflow, record);
  return state.name === screen.workflow.states[0]!.name || (how === 'deactivate' && state.is !== 'open');
}
