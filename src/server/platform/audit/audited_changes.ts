import type { Screen } from '../../../descriptor/types.ts';
import type { RecordChange } from '../../engine/records/record_change.ts';

/** Modules whose records define rights and the product's behaviour. */
const GOVERNING = ['SETTINGS', 'USERS'];
const DELEGATION = 'delegation';

/**
 * The name of a change in the activity log, for changes recorded there in addition to the record's own history:
 * deactivation and reactivation, of any type, and every change of users, roles, settings and delegations (platform.md
 * §3.4). null = not recorded.
 */
export function auditedAction({ name, kind, access }: Screen, op: RecordChange['op']): string | null {
  if (op === 'D') return 'delete';
  if (op === 'X') return 'deactivate';
  if (op === 'A') return 'restore';
  const governs =
    kind === 'settings' || name === DELEGATION || access.modules.some((module) => GOVERNING.includes(module));
  return governs ? `${name}.${op === 'I' ? 'add' : 'save'}` : null;
}
