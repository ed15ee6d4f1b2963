import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Transition } from '../../../descriptor/workflow.ts';
import { api } from '../../api/http.ts';
import { confirmDialog, toast } from '../../app/feedback.ts';

/** Whether a transition has questions of its own, for which there is a dialog. */
export function asksSomething({ ask, reason }: Transition): boolean {
  return ask.length > 0 || reason !== undefined;
}

/** Takes a record through a transition that asks nothing but whether to go on. @returns whether it was taken; the call itself says why not */
export async function takeStep(screen: Screen, transition: Transition, record: WireRecord): Promise<boolean> {
  const { title, confirm, name } = transition;
  if (confirm !== undefined && !(await confirmDialog({ title: `${title}?`, text: confirm, confirmLabel: title })))
    return false;
  try {
    await api.post(`/tapi/${screen.name}/${record.id}/${name}`, { version: record.version });
  } catch {
    return false;
  }
  sayDone(transition);
  return true;
}

/** Says that a transition was taken. */
export function sayDone({ title, done }: Transition): void {
  toast.success(done ?? `${title}: done.`);
}
