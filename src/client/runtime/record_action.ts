import { holds, scopeOf } from '../../descriptor/validate.ts';
import type { RecordAction, Screen, ScreenRef, WireRecord } from '../../descriptor/types.ts';
import { api } from '../api/http.ts';
import { confirmDialog, toast } from '../app/feedback.ts';

/** The actions of a descriptor that this user may take on this record, now. */
export function actionsFor(screen: Screen, { rights }: ScreenRef, record: WireRecord): RecordAction[] {
  const scope = scopeOf(screen.fields, record);
  return screen.actions.filter((action) => {
    const page = action.page ?? (action.call === undefined ? 'view_screen' : 'edit_screen');
    if (!rights[page] || (action.call !== undefined && !rights.write)) return false;
    return action.when === undefined || holds(action.when, scope);
  });
}

/** The address that an action opens; null = it calls the server. */
export function actionAddress(action: RecordAction, record: WireRecord): string | null {
  return action.to?.replace(':id', String(record.id)) ?? null;
}

/** Asks, calls the server and says what came of it. @returns whether it was done; a refusal is told by the call itself */
export async function callAction(screen: Screen, action: RecordAction, record: WireRecord): Promise<boolean> {
  if (action.confirm !== undefined && !(await confirmDialog({ title: `${action.title}?`, text: action.confirm, confirmLabel: action.title }))) return false;
  try {
    await api.post(`/tapi/${screen.name}/${record.id}/${action.call ?? ''}`, { version: record.version });
  } catch {
    return false;
  }
  toast.success(action.done ?? `${action.title}: done.`);
  return true;
}
