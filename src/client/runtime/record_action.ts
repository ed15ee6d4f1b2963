import { holds, scopeOf } from '../../descriptor/validate.ts';
import type { RecordAction, Screen, ScreenRef, WireRecord } from '../../descriptor/types.ts';
import { api } from '../api/http.ts';
import { askDialog } from '../app/ask_dialog.ts';
import { confirmDialog, toast } from '../app/feedback.ts';
import { actionAddress, leadsSomewhere, pageToRead } from './action_address.ts';
import type { Once } from './shown_once.ts';

/** The actions of a descriptor that this user may currently take on this record. */
export function actionsFor(screen: Screen, { rights }: ScreenRef, record: WireRecord): RecordAction[] {
  const scope = scopeOf(screen.fields, record);
  return screen.actions.filter((action) => {
    if (action.list === true || (action.on ?? 'record') !== 'record') return false;
    const changes = action.to === undefined && action.browser === undefined;
    const page = action.page ?? (changes ? 'edit_screen' : pageToRead(screen));
    // People who decide do not need the right to change.
    if (!rights[page] || (changes && page !== 'approval_screen' && !rights.write)) return false;
    const stands = (record._as as string[] | undefined) ?? [];
    if (action.who && !action.who.some((relation) => stands.includes(relation))) return false;
    if (action.to !== undefined && (!leadsSomewhere(action.to) || actionAddress(action, record) === null)) return false;
    if (action.of !== undefined && (record[action.of] ?? '') === '') return false;
    return action.when === undefined || holds(action.when, scope);
  });
}

/**
 * Confirms, calls the server and reports the result; without a record it applies to the whole list. @returns whether it
 * was done; the call itself shows a refusal
 */
export async function callAction(screen: Screen, action: RecordAction, record: WireRecord | null): Promise<boolean> {
  if (action.browser !== undefined && record) {
    await (await import('./browser_action.ts')).browserAction(screen, action, record);
    return false;
  }
  if (action.run !== undefined)
    return runAction(screen, action, record ? { id: record.id, version: record.version } : {});
  if (
    action.confirm !== undefined &&
    !(await confirmDialog({ title: `${action.title}?`, text: action.confirm, confirmLabel: action.title }))
  )
    return false;
  const [asked] = Object.entries(action.ask ?? {});
  const answer = asked ? await askDialog({ title: action.title, label: asked[1], confirmLabel: action.title }) : null;
  if (asked && answer === null) return false;
  try {
    const given = await api.post<{ once?: Once } | undefined>(
      `/tapi/${screen.name}${record ? `/${record.id}` : ''}/${action.call ?? ''}`,
      { ...(record && { version: record.version }), ...(asked && { [asked[0]]: answer }) },
    );
    if (given?.once) await (await import('./shown_once.ts')).showOnce(action.title, given.once);
  } catch {
    return false;
  }
  toast.success(action.done ?? `${action.title}: done.`);
  return true;
}

/** The target of a module's action: a stored record, the values of a form, or the selection of a list. */
export interface ActionSubject {
  id?: number;
  version?: number;
  values?: Record<string, unknown>;
  rows?: number[];
  ids?: number[];
}

/** Options of an action: known parameters, and the receiver of the fields that it sets. */
interface ActionRun {
  given?: Record<string, unknown>;
  take?: (set: Record<string, unknown>) => void;
}

/**
 * Asks for the parameters of an action, and has the server run it. @returns whether it was done; the call or its dialog
 * shows a refusal
 */
export async function runAction(
  screen: Screen,
  action: RecordAction,
  subject: ActionSubject,
  { given = {}, take }: ActionRun = {},
): Promise<boolean> {
  const call = async (params: Record<string, unknown>, quiet: boolean) => {
    const { data } = await api.post<{ data: { set: Record<string, unknown> | null; done: string | null } }>(
      `/tapi/${screen.name}/action/${action.run!}`,
      { on: action.on, params, ...subject },
      { quiet },
    );
    if (data.set) take?.(data.set);
    toast.success(data.done ?? action.done ?? `${action.title}: done.`);
  };
  const asks = action.params?.some(({ name }) => !(name in given)) === true;
  if (
    action.confirm !== undefined &&
    !asks &&
    !(await confirmDialog({ title: `${action.title}?`, text: action.confirm, confirmLabel: action.title }))
  )
    return false;
  if (asks)
    return (await import('./action_dialog.tsx')).askParameters(screen, action, given, (params) => call(params, true));
  try {
    await call(given, false);
    return true;
  } catch {
    return false;
  }
}

/** The record actions that the form offers for these values; `on`: the record, or the rows of a field. */
export function formActions(screen: Screen, values: Readonly<Record<string, unknown>>, on: string): RecordAction[] {
  return screen.actions.filter(
    (action) =>
      action.run !== undefined &&
      action.on === on &&
      // `who` is evaluated for stored records only.
      action.who === undefined &&
      (action.when === undefined || holds(action.when, scopeOf(screen.fields, { ...values }))),
  );
}
