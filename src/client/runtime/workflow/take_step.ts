import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { OfferedStep, Transition } from '../../../descriptor/workflow.ts';
import { ApiError, api } from '../../api/http.ts';
import { confirmDialog, toast } from '../../app/feedback.ts';
import { sendAnswers } from '../questionnaire/answers_on_the_way.ts';

/** A transition offered for one record: with the fields that may be changed, and a required remark. */
export interface AskedStep extends Transition {
  remark?: true;
}

/** The questions of a transition for this person: its own, and those of its approval process. */
export function askedStep(screen: Screen, transition: Transition, offered: OfferedStep | undefined): AskedStep {
  const known = new Set(transition.ask.map(({ field }) => field));
  const change = screen.fields.filter(({ name }) => offered?.change?.includes(name) === true && !known.has(name));
  return {
    ...transition,
    ask: [...transition.ask, ...change.map(({ name, required }) => ({ field: name, required }))],
    ...(offered?.remark && { remark: true }),
  };
}

/** Whether a transition has questions, and so needs a dialog. */
export function needsInput({ ask, reason, remark }: AskedStep): boolean {
  return ask.length > 0 || reason !== undefined || remark === true;
}

/** Label of the button that dismisses the dialog: a transition named Cancel would otherwise have two such buttons. */
export const leaveLabel = (title: string): string => (title === 'Cancel' ? 'Go back' : 'Cancel');

/** Asks for confirmation, if the transition requires it. */
export async function confirmed({ title, confirm }: Transition): Promise<boolean> {
  if (confirm === undefined) return true;
  return confirmDialog({ title: `${title}?`, text: confirm, confirmLabel: title, cancelLabel: leaveLabel(title) });
}

/**
 * Takes a transition that needs at most a confirmation. @returns the resulting record, or null; the call itself shows
 * the reason
 */
export async function takeStep(screen: Screen, transition: Transition, record: WireRecord): Promise<WireRecord | null> {
  if (!(await confirmed(transition))) return null;
  await sendAnswers();
  try {
    const { data } = await api.post<{ data: WireRecord }>(stepAddress(screen, transition, record), {
      version: record.version,
      ...(record.rows_version !== undefined && { rows_version: record.rows_version ?? 0 }),
    });
    sayDone(screen, transition, record, data);
    return data;
  } catch (error) {
    await keptOnDevice(screen, transition, record, error);
    return null;
  }
}

/** Stores a transition on this device if there is no network and the type allows it. @returns whether it is stored */
export async function keptOnDevice(
  screen: Screen,
  transition: Transition,
  record: WireRecord,
  error: unknown,
  asked: Readonly<Record<string, unknown>> = {},
): Promise<boolean> {
  if (!(error instanceof ApiError) || error.status !== 0 || !screen.offline?.does.includes(transition.name))
    return false;
  const { keepStep } = await import('../offline/keep_write.ts');
  await keepStep(screen, transition, record, asked);
  toast.info('Stored on this device. It is sent when the network is back.');
  return true;
}

/** Where a transition is taken. */
export function stepAddress(screen: Screen, { name }: Transition, { id }: WireRecord): string {
  return `/tapi/${screen.name}/${id}/${name}`;
}

/** Reports that a transition was taken; or, if others have to approve too, that the record is waiting for them. */
export function sayDone(
  screen: Screen,
  { name, title, done }: Transition,
  before: WireRecord,
  after: WireRecord,
): void {
  const { approval, workflow } = screen;
  const waits = approval?.approved === name && before[workflow!.field] === after[workflow!.field];
  toast.success(
    waits ? 'Your approval is recorded. Other approvers still have to decide.' : (done ?? `${title}: done.`),
  );
}
