import { Suspense, lazy, useState } from 'react';
import type { ReactNode } from 'react';
import { moveAction, moveParameter } from '../../../descriptor/move_action.ts';
import type { Screen, ScreenRef, WireRecord } from '../../../descriptor/types.ts';
import type { OfferedStep } from '../../../descriptor/workflow.ts';
import { ApiError, api } from '../../api/http.ts';
import { toast } from '../../app/feedback.ts';
import { recordLabel } from '../landing/cell_text.ts';
import { actionsFor, runAction } from '../record_action.ts';
import type { AskedStep } from '../workflow/take_step.ts';
import { askedStep } from '../workflow/take_step.ts';

const StepDialog = lazy(() => import('../workflow/StepDialog.tsx'));

/** The full record of a list row, with its available transitions. @throws ApiError */
export async function wholeRecord(screen: Screen, { id }: Pick<WireRecord, 'id'>): Promise<WireRecord> {
  return (await api.get<{ data: WireRecord }>(`/tapi/${screen.name}/${id}`, undefined, { quiet: true })).data;
}

/** Changes a field of a record by its version. @throws ApiError */
export async function changeField(
  screen: Screen,
  { id, version }: WireRecord,
  set: Record<string, unknown>,
): Promise<WireRecord> {
  const { data } = await api.put<{ data: WireRecord }>(
    `/tapi/${screen.name}/${id}`,
    { version, ...set },
    { quiet: true },
  );
  return data;
}

/** Why a record could not be moved. */
export function refusalOf({ code, extra, message }: ApiError): string {
  return code === 'stale_version'
    ? `${typeof extra.changed_by === 'string' ? extra.changed_by : 'Somebody'} has changed this in the meantime. Check the current version and move it again.`
    : message;
}

/**
 * Moves records in a look by the value of `field`: `edit` changes it and can be undone; a transition opens in its
 * dialog with the fields filled in; an action runs with the value, and asks for its other parameters. `changed` is
 * called after each, `onRefused` with the reason if a record is not moved.
 */
export function useMove(
  screen: Screen,
  access: ScreenRef,
  field: string,
  changed: () => void,
  onRefused?: (record: WireRecord, why: string) => void,
): {
  move: (record: WireRecord, how: string, set: Record<string, unknown>, said: string) => Promise<void>;
  dialog: ReactNode;
} {
  const [taking, setTaking] = useState<{ record: WireRecord; transition: AskedStep } | null>(null);

  const refuse = (record: WireRecord, why: string): void => {
    onRefused?.(record, why);
    toast.error(why);
  };
  const edit = async (record: WireRecord, set: Record<string, unknown>, said: string, back = true): Promise<void> => {
    const done = await changeField(screen, record, set);
    const before = Object.fromEntries(Object.keys(set).map((name) => [name, record[name] ?? null]));
    toast.success(
      `${recordLabel(screen, record)}: ${said}.`,
      back
        ? { action: { label: 'Undo', onClick: () => void attempt(done, () => edit(done, before, 'as before', false)) } }
        : {},
    );
  };
  const attempt = async (record: WireRecord, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      refuse(record, refusalOf(thrown));
    }
    changed();
  };
  const move = (record: WireRecord, how: string, set: Record<string, unknown>, said: string) =>
    attempt(record, async () => {
      if (how === 'edit') return edit(record, set, said);
      const whole = await wholeRecord(screen, record);
      const action = moveAction(screen, how);
      const by = screen.fields.find(({ name }) => name === field);
      const parameter = action && by && moveParameter(action.params ?? [], by);
      if (action && parameter) {
        if (actionsFor(screen, access, whole).includes(action))
          await runAction(
            screen,
            action,
            { id: whole.id, version: whole.version },
            { given: { [parameter.name]: set[field] ?? null } },
          );
        else refuse(record, `"${action.title}" is not open for "${recordLabel(screen, record)}" now.`);
        return;
      }
      const transition = screen.workflow?.transitions.find(({ name }) => name === how);
      const offered = ((whole._can as OfferedStep[] | undefined) ?? []).find(({ name }) => name === how);
      if (!transition || !offered || offered.blocked !== null) {
        refuse(record, offered?.blocked ?? `${recordLabel(screen, record)} cannot be moved now.`);
        return;
      }
      setTaking({ record: { ...whole, ...set }, transition: askedStep(screen, transition, offered) });
    });
  const dialog = taking && (
    <Suspense fallback={null}>
      <StepDialog
        screen={screen}
        record={taking.record}
        transition={taking.transition}
        onTaken={() => {
          setTaking(null);
          changed();
        }}
        onClose={() => setTaking(null)}
      />
    </Suspense>
  );
  return { move, dialog };
}
