import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Transition } from '../../../descriptor/workflow.ts';
import { api } from '../../api/http.ts';
import { confirmDialog, toast } from '../../app/feedback.ts';

/** Whether a transition has questions of its own, for which there is a dialog. */
export function asksSomething({ ask, reason }: Transition): boolean {
  return ask.length > 0 || reason !== undefined;
}

/** Asks whether to go on, where a transition says so. */
export async function confirmed({ title, confirm }: Transition): Promise<boolean> {
  return confirm === undefined || confirmDialog({ title: `${title}?`, text: confirm, confirmLabel: title });
}

/** Takes a record through a transition that asks nothing but whether to go on. @returns whether it was taken; the call itself says why not */
export async function takeStep(screen: Screen, transition: Transition, record: WireRecord): Promise<boolean> {
  if (!(await confirmed(transition))) return false;
  try {
    await api.post(stepAddress(screen, transition, record), { version: record.version });
  } catch {
    return false;
  }
  sayDone(transition);
  return true;
}

/** Where a transition is taken. */
export function stepAddress(screen: Screen, { name }: Transition, { id }: WireRecord): string {
  return `/tapi/${screen.name}/${id}/${name}`;
}

/** Says that a transition was taken. */
export function sayDone({ title, done }: Transition): void {
  toast.success(done ?? `${title}: done.`);
}
