import { confirmDialog } from '../../app/feedback.ts';
import { currentSession } from '../../app/session.ts';
import { bringBackAnswers, filesOfAnswers } from '../questionnaire/answers_on_the_way.ts';
import { storedActs } from './device_store.ts';
import { sendOutbox } from './outbox.ts';
import { dropPacket } from './take_packet.ts';
import { contentsOf, removeFilesOf } from './waiting_files.ts';

/**
 * Before signing out: unsent actions are sent, or stay on this device for this person only; everything else is removed.
 * @returns false if the person decides to stay
 */
export async function leaveDevice(): Promise<boolean> {
  const { userId } = currentSession();
  const unsent = async () => (await storedActs()).filter(({ person }) => person === userId);
  if ((await unsent()).length > 0) await Promise.race([sendOutbox(), new Promise((go) => setTimeout(go, 3_000))]);
  const acts = await unsent();
  if (
    acts.length > 0 &&
    !(await confirmDialog({
      title: acts.length === 1 ? '1 change is not sent yet' : `${acts.length} changes are not sent yet`,
      text: 'Unsent work stays on this device for you only. It is sent when you sign in here again.',
      confirmLabel: 'Sign out',
      cancelLabel: 'Stay',
    }))
  )
    return false;
  await bringBackAnswers();
  await removeFilesOf(userId, new Set(acts.flatMap(({ input }) => contentsOf(input))), filesOfAnswers());
  await dropPacket();
  (await navigator.serviceWorker?.getRegistration())?.active?.postMessage('forget');
  return true;
}
