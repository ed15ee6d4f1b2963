import type { Field, Screen, WireRecord } from '../../../descriptor/types.ts';
import { ApiError, api } from '../../api/http.ts';
import { currentSession } from '../../app/session.ts';
import { uploadFile } from '../../runtime/fields/files/file_calls.ts';
import type { FieldHost } from '../../runtime/fields/widget.ts';
import { saveRecord } from '../../runtime/form/save.ts';
import { sendAnswers } from '../../runtime/questionnaire/answers_on_the_way.ts';
import { keptOnDevice, stepAddress } from '../../runtime/workflow/take_step.ts';
import { shrunkPhoto } from './shrunk_photo.ts';

type Values = Readonly<Record<string, unknown>>;

/** The result of a technician's action. */
export interface Done {
  /** Null = it succeeded, or is queued on this device. */
  refused: string | null;
  /** Offline: it is queued on this device. */
  waits: boolean;
}

/** Takes a transition of a ticket with its fields; offline it is queued on this device, in order. */
export async function takeVisitStep(
  screen: Screen,
  record: WireRecord,
  name: string,
  asked: Values = {},
): Promise<Done> {
  const transition = screen.workflow!.transitions.find((one) => one.name === name)!;
  try {
    await sendAnswers();
    const { withFilesSent } = await import('../../runtime/offline/waiting_files.ts');
    const sent = await withFilesSent(screen, asked);
    const post = (version: number) =>
      api.post<{ data: WireRecord }>(stepAddress(screen, transition, record), { version, ...sent }, { quiet: true });
    // The state decides whether the transition is still valid; a newer version alone must not stop anybody on site.
    const { data } = await post(record.version).catch((thrown: unknown) => {
      const theirs = thrown instanceof ApiError && thrown.code === 'stale_version' && thrown.extra.theirs;
      if (!theirs) throw thrown;
      return post((theirs as WireRecord).version);
    });
    const { noteInPacket } = await import('../../runtime/offline/packet_answers.ts');
    await noteInPacket(screen.name, record.id, data);
    return { refused: null, waits: false };
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    if (await keptOnDevice(screen, transition, record, thrown, asked)) return { refused: null, waits: true };
    return { refused: thrown.details[0]?.message ?? thrown.message, waits: false };
  }
}

/**
 * Saves a new record and takes its first transition; offline both are queued on this device, in order.
 * @param draft the record saved by an earlier attempt whose transition was refused: it is updated instead of added
 * again
 */
export async function saveAndTake(
  screen: Screen,
  values: Values,
  step: string,
  draft: WireRecord | null,
): Promise<Done & { draft: WireRecord | null }> {
  const outcome = await saveRecord(screen, draft ? { ...draft, ...values } : values, draft ?? {}, { mayWait: true });
  if (outcome.kind === 'saved')
    return { ...(await takeVisitStep(screen, outcome.record, step)), draft: outcome.record };
  if (outcome.kind !== 'waits') {
    const why = outcome.kind === 'refused' ? outcome.errors[0]?.message : undefined;
    return { refused: why ?? 'This could not be saved. Try again.', waits: false, draft };
  }
  const transition = screen.workflow!.transitions.find(({ name }) => name === step)!;
  const { keepStep, keepStepOfNew } = await import('../../runtime/offline/keep_write.ts');
  if (outcome.key !== undefined) await keepStepOfNew(screen, transition, outcome.key);
  else if (draft) await keepStep(screen, transition, draft);
  return { refused: null, waits: true, draft: null };
}

/** Saves a new record or a change; offline it is queued on this device. */
export async function saveOfVisit(screen: Screen, values: Values, base: Values = {}): Promise<Done> {
  const outcome = await saveRecord(screen, values, base, { mayWait: true });
  if (outcome.kind === 'saved') {
    const { noteInPacket } = await import('../../runtime/offline/packet_answers.ts');
    await noteInPacket(screen.name, outcome.record.id, outcome.record);
    return { refused: null, waits: false };
  }
  if (outcome.kind === 'waits') return { refused: null, waits: true };
  if (outcome.kind === 'refused')
    return { refused: outcome.errors[0]?.message ?? 'This could not be saved. Try again.', waits: false };
  return { refused: 'Somebody else changed this in the meantime. Check it again.', waits: false };
}

/** The form context that a screen's fields need, for a single record. */
export function hostOf(screen: Screen, record: Values): FieldHost {
  return {
    screen,
    values: () => record,
    subscribe: () => () => undefined,
    setValues: () => undefined,
    drafts: new Set(),
    entityId: currentSession().entityId,
  };
}

/** Stores a photo for a field, on this device if necessary. @returns the number of the file */
export async function keepPhoto(screen: Screen, field: Field, file: File): Promise<number> {
  const rows = screen.fields.find((one) => one.rows?.includes(field))?.name;
  const { id } = await uploadFile(
    { ...hostOf(screen, {}), ...(rows !== undefined && { rows }) },
    field,
    await shrunkPhoto(file),
    () => undefined,
    new AbortController().signal,
  );
  return id;
}
