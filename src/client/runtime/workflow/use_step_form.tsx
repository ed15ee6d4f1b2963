import { Dropdown, Field, MessageBar, Option, Textarea } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Transition } from '../../../descriptor/workflow.ts';
import { ApiError, api } from '../../api/http.ts';
import { commitDrafts } from '../fields/widget.ts';
import { refusedElsewhere, useAskedFields } from '../form/asked_fields.tsx';
import { createFormStore } from '../form/form_store.ts';
import type { AskedStep } from './take_step.ts';
import { sendAnswers } from '../questionnaire/answers_on_the_way.ts';
import { keptOnDevice, sayDone, stepAddress } from './take_step.ts';

/** The maximum length of a reason. */
const LONGEST = 500;

interface OfferedReason {
  id: number;
  label: string;
  remark: boolean;
}

/** The reasons to choose from for a transition; null until they are loaded, and if it asks for none. */
function useReasons(screen: Screen, { name, reasonUse }: Transition): OfferedReason[] | null {
  const [reasons, setReasons] = useState<OfferedReason[] | null>(null);
  useEffect(() => {
    if (reasonUse === undefined) return;
    const stop = new AbortController();
    api
      .get<{ data: OfferedReason[] }>(`/tapi/${screen.name}/reasons/${name}`, undefined, { signal: stop.signal })
      .then(({ data }) => setReasons(data))
      // The call has shown the reason; the dialog can be closed.
      .catch(() => undefined);
    return () => stop.abort();
  }, [screen.name, name, reasonUse]);
  return reasons;
}

/** The fields that a transition asks for, editable, and required where it says so. */
function asking(screen: Screen, { ask }: Transition): Screen {
  const needed = new Map(ask.map(({ field, required }) => [field, required]));
  return {
    ...screen,
    fields: [...screen.fields, ...(screen.asked ?? [])].map((field) => {
      const { when: _when, ...rest } = field;
      return needed.has(field.name) ? { ...rest, readOnly: false, required: needed.get(field.name)! } : field;
    }),
  };
}

/** The fields of a transition, and how it is taken; server errors appear at their fields, and nothing is lost. */
export function useStepForm({
  screen,
  record,
  transition,
  onTaken,
  onKept,
}: {
  screen: Screen;
  record: WireRecord;
  transition: AskedStep;
  onTaken: (record: WireRecord) => void;
  /** No network: it is stored on this device. */
  onKept: () => void;
}): { questions: ReactNode; take: () => Promise<void>; busy: boolean } {
  const [store] = useState(() => createFormStore(asking(screen, transition), record));
  const { reasonUse } = transition;
  const asksWords = transition.reason !== undefined || transition.remark === true;
  /** The field in which the text is sent. */
  const words = transition.reason !== undefined && reasonUse === undefined ? 'reason' : 'remark';
  const reasons = useReasons(screen, transition);
  const [chosen, setChosen] = useState<OfferedReason | null>(null);
  const [reason, setReason] = useState('');
  const [choiceWrong, setChoiceWrong] = useState<string | null>(null);
  const [reasonWrong, setReasonWrong] = useState<string | null>(null);
  const [general, setGeneral] = useState<string[]>([]);
  const [busy, setBusy] = useState(false);
  const fields = transition.ask.map(({ field }) => store.screen.fields.find(({ name }) => name === field)!);
  const { host, drawn } = useAskedFields(store, fields);

  const take = async () => {
    commitDrafts(host);
    const values = store.values();
    const missing = transition.ask
      .filter(({ field, required }) => required && [null, undefined, ''].includes(values[field] as null))
      .map(({ field }) => ({ field, message: 'This is required.' }));
    store.refuse(missing);
    const withoutChoice = reasonUse !== undefined && chosen === null;
    const needsWords = reasonUse === undefined ? asksWords : chosen?.remark === true;
    const withoutReason = needsWords && reason.trim() === '';
    setChoiceWrong(withoutChoice ? 'Choose one.' : null);
    setReasonWrong(withoutReason ? 'This is required.' : null);
    if (missing.length > 0 || withoutChoice || withoutReason || busy) return;
    const asked = {
      ...Object.fromEntries(fields.map(({ name }) => [name, values[name] ?? null])),
      ...(reasonUse !== undefined && { reason: chosen!.id }),
      ...(asksWords && (reasonUse === undefined || reason.trim() !== '') && { [words]: reason.trim() }),
    };
    setBusy(true);
    try {
      await sendAnswers();
      const { data } = await api.post<{ data: WireRecord }>(
        stepAddress(screen, transition, record),
        {
          version: record.version,
          ...(record.rows_version !== undefined && { rows_version: record.rows_version ?? 0 }),
          // Files of this device are sent first.
          ...(screen.offline
            ? await (await import('../offline/waiting_files.ts')).withFilesSent(screen, asked)
            : asked),
        },
        { quiet: true },
      );
      sayDone(screen, transition, record, data);
      onTaken(data);
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      if (await keptOnDevice(screen, transition, record, thrown, asked)) {
        onKept();
        return;
      }
      const found = refusedElsewhere(store, fields, thrown);
      setReasonWrong(found.find(({ field }) => field === words)?.message ?? null);
      setChoiceWrong((reasonUse !== undefined && found.find(({ field }) => field === 'reason')?.message) || null);
      setGeneral(found.filter(({ field }) => field !== 'reason' && field !== words).map(({ message }) => message));
    } finally {
      setBusy(false);
    }
  };

  const questions = (
    <>
      {general.map((message) => (
        <MessageBar key={message} intent="error" style={{ marginBottom: 12 }}>
          {message}
        </MessageBar>
      ))}
      {transition.confirm !== undefined && <p style={{ marginTop: 0 }}>{transition.confirm}</p>}
      {drawn}
      {reasonUse !== undefined && (
        <Field
          label={transition.reason}
          required
          {...(choiceWrong !== null && { validationMessage: choiceWrong, validationState: 'error' as const })}
          {...(reasons?.length === 0 && {
            hint: 'There are no reasons for this yet. Add them in the list of reasons.',
          })}
        >
          <Dropdown
            placeholder="Choose"
            disabled={reasons === null}
            value={chosen?.label ?? ''}
            selectedOptions={chosen ? [String(chosen.id)] : []}
            onOptionSelect={(_, { optionValue }) => {
              setChosen(reasons?.find(({ id }) => String(id) === optionValue) ?? null);
              setChoiceWrong(null);
            }}
          >
            {(reasons ?? []).map(({ id, label }) => (
              <Option key={id} value={String(id)}>
                {label}
              </Option>
            ))}
          </Dropdown>
        </Field>
      )}
      {asksWords && (
        <Field
          label={reasonUse !== undefined ? 'In words' : (transition.reason ?? 'Remark')}
          required={reasonUse === undefined || chosen?.remark === true}
          style={{ marginTop: 12 }}
          {...(reasonWrong !== null && { validationMessage: reasonWrong, validationState: 'error' as const })}
        >
          <Textarea
            value={reason}
            rows={3}
            maxLength={LONGEST}
            autoFocus={fields.length === 0 && reasonUse === undefined}
            onChange={(_, { value }) => setReason(value)}
          />
        </Field>
      )}
    </>
  );
  return { questions, take, busy };
}
