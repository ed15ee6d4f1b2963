import type { Screen } from '../../../descriptor/types.ts';
import type { RecordChange } from '../../engine/records/record_change.ts';

/** Modules whose records say who may do what, and how the product works. */
const GOVERNING = ['SETTINGS', 'USERS'];
const DELEGATION = 'delegation';

/**
 * What the activity log calls a change, for those that it keeps beside the record's own history: what is taken away or
 * brought back, of any type, and every change of users, roles, settings and delegations (platform.md §3.4). null = none.
 */
export function auditedAction({ name, kind, access }: Screen, op: RecordChange['op']): string | null {
  if (op === 'D') return 'delete';
  if (op === 'X') return 'deactivate';
  if (op === 'A') return 'restore';
  const governs =
    kind === 'settings' || name === DELEGATION || access.modules.some((module) => GOVERNING.includes(module));
  return governs ? `${name}.${op === 'I' ? 'add' : 'save'}` : null;
}
