import { humanise } from '../../../descriptor/humanise.ts';
import type { Screen } from '../../../descriptor/types.ts';

/** What entries without a record type of their own are about. */
const ACTS: Readonly<Record<string, string>> = {
  login: 'Signed in',
  logout: 'Signed out',
  login_failed: 'Sign-in failed',
  company_switch: 'Switched company',
  password_change: 'Changed password',
  password_reset: 'Reset password',
  password_forgot: 'Requested a password link',
  user_temporary_password: 'Set a temporary password',
  mfa_recovery: 'Used a recovery code',
  mfa_recovery_new: 'Created recovery codes',
  'rights.save': 'Changed rights',
  'rights.import': 'Imported rights',
  'role.copy': 'Copied a role',
  'support.ask': 'Requested support access',
  'support.read': 'Read with support access',
  'client.admin_reset': 'Reset the administrator',
  'calendar.address_made': 'Created a calendar address',
  'calendar.address_ended': 'Ended a calendar address',
  copy_switched_on: 'Activated a restored copy',
  mail_test: 'Sent a test mail',
  job_run: 'Started a job',
  job_stop: 'Stopped a job',
  deny: 'Refused',
  export: 'Exported',
  import: 'Imported',
  delete: 'Deleted',
  deactivate: 'Deactivated',
  restore: 'Restored',
  save: 'Changed',
  add: 'Added',
};
/** The logs, which are no record types. */
const LOGS: Readonly<Record<string, string>> = { audit_log: 'Audit trail', login_log: 'Sign-ins' };
/** Names of record types in older entries. */
const TYPES: Readonly<Record<string, string>> = { user: 'users' };

/** `sync_run.save` → "Import run: changed", `login` → "Signed in"; an unknown code as words. */
export function actionWords(action: string, screens: ReadonlyMap<string, Screen>): string {
  const known = ACTS[action];
  if (known !== undefined) return known;
  const at = action.lastIndexOf('.');
  const title = screens.get(action.slice(0, Math.max(at, 0)))?.title;
  const act = action.slice(at + 1);
  const words = ACTS[act] ?? sentence(act);
  return title === undefined ? sentence(action) : `${title}: ${words.charAt(0).toLowerCase()}${words.slice(1)}`;
}

function sentence(code: string): string {
  const text = code.replaceAll(/[._]/g, ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * An entry as its reader understands it: `what` happened, the `record` type by its title, its `type` by the present
 * name, and a summary that names fields by their titles.
 */
export function entryInWords<T extends Record<string, unknown>>(
  entry: T,
  screens: ReadonlyMap<string, Screen>,
): T & { what: string; record: string | null; type: string | null } {
  const code = typeof entry.target_type === 'string' ? entry.target_type : null;
  const type = code === null ? null : (TYPES[code] ?? code);
  const screen = type === null ? undefined : screens.get(type);
  return {
    ...entry,
    what: actionWords(String(entry.action), screens),
    type: screen ? type : null,
    record: code === null ? null : (screen?.title ?? sentence(code)),
    summary: typeof entry.summary === 'string' ? summaryWords(entry.summary, screen) : null,
  };
}

function summaryWords(summary: string, screen: Screen | undefined): string {
  const log = LOGS[summary];
  if (log !== undefined) return log;
  // An approval: "submitted → approved for L0003 Ravi".
  const moved = /^(\w+) → (\w+)/.exec(summary);
  if (moved)
    return `${stateWords(moved[1]!, screen)} → ${stateWords(moved[2]!, screen)}${summary.slice(moved[0].length)}`;
  const names = summary.split(', ');
  // Only a list of fields is translated; whatever else is said stays as it is.
  if (!names.every((name) => /^[a-z][a-z0-9_]*$/.test(name))) return summary;
  return names.map((name) => screen?.fields.find((field) => field.name === name)?.title ?? sentence(name)).join(', ');
}

function stateWords(state: string, screen: Screen | undefined): string {
  return screen?.workflow?.states.find(({ name }) => name === state)?.title ?? humanise(state);
}
