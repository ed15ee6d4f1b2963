import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Field,
  MessageBar,
  Spinner,
  Textarea,
} from '@fluentui/react-components';
import { useId, useMemo, useState, useSyncExternalStore } from 'react';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Transition } from '../../../descriptor/workflow.ts';
import { ApiError, api } from '../../api/http.ts';
import { useFocusKeeper } from '../../app/dialogs/focus_keeper.tsx';
import { currentSession } from '../../app/session.ts';
import type { FieldHost } from '../fields/widget.ts';
import { FieldErrorsContext, FieldHostContext, commitDrafts } from '../fields/widget.ts';
import { FormField } from '../form/FormField.tsx';
import { FormContext } from '../form/form_context.ts';
import { createFormStore } from '../form/form_store.ts';
import { sayDone, stepAddress } from './take_step.ts';

/** The longest reason that the server takes. */
const LONGEST = 500;

/** The fields that a transition asks for, open, and needed where it says so. */
function asking(screen: Screen, { ask }: Transition): Screen {
  const needed = new Map(ask.map(({ field, required }) => [field, required]));
  return {
    ...screen,
    fields: screen.fields.map((field) => {
      const { when: _when, ...rest } = field;
      return needed.has(field.name) ? { ...rest, readOnly: false, required: needed.get(field.name)! } : field;
    }),
  };
}

/** Asks what a transition asks for, and takes it; what the server finds stands at its field, and nothing is lost. */
export default function StepDialog({
  screen,
  record,
  transition,
  onTaken,
  onClose,
}: {
  screen: Screen;
  record: WireRecord;
  transition: Transition;
  onTaken: () => void;
  onClose: () => void;
}) {
  const prefix = useId().replace(/[^a-z\d]/gi, '');
  const [store] = useState(() => createFormStore(asking(screen, transition), record));
  const host = useMemo<FieldHost>(
    () => ({
      screen: store.screen,
      values: store.values,
      subscribe: store.subscribe,
      setValues: store.set,
      drafts: new Set(),
      awaited: new Set(),
      entityId: currentSession().entityId,
    }),
    [store],
  );
  const [reason, setReason] = useState('');
  const [reasonWrong, setReasonWrong] = useState<string | null>(null);
  const [general, setGeneral] = useState<string[]>([]);
  const [busy, setBusy] = useState(false);
  const messages = useSyncExternalStore(store.subscribe, store.messages);
  useFocusKeeper();
  const fields = transition.ask.map(({ field }) => store.screen.fields.find(({ name }) => name === field)!);

  const take = async () => {
    commitDrafts(host);
    const values = store.values();
    const missing = transition.ask
      .filter(({ field, required }) => required && [null, undefined, ''].includes(values[field] as null))
      .map(({ field }) => ({ field, message: 'This is needed.' }));
    store.refuse(missing);
    const withoutReason = transition.reason !== undefined && reason.trim() === '';
    setReasonWrong(withoutReason ? 'This is needed.' : null);
    if (missing.length > 0 || withoutReason || busy) return;
    setBusy(true);
    try {
      const { data } = await api.post<{ data: WireRecord }>(
        stepAddress(screen, transition, record),
        {
          version: record.version,
          ...Object.fromEntries(fields.map(({ name }) => [name, values[name] ?? null])),
          ...(transition.reason !== undefined && { reason: reason.trim() }),
        },
        { quiet: true },
      );
      sayDone(screen, transition, record, data);
      onTaken();
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      const own = new Set(fields.map(({ name }) => name));
      const found =
        thrown.details.length > 0 ? thrown.details : [{ field: thrown.field ?? '', message: thrown.message }];
      store.refuse(found.filter(({ field }) => own.has(field.split('.')[0]!)));
      setReasonWrong(found.find(({ field }) => field === 'reason')?.message ?? null);
      setGeneral(
        found.filter(({ field }) => field !== 'reason' && !own.has(field.split('.')[0]!)).map(({ message }) => message),
      );
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog open modalType="alert" onOpenChange={(_, { open }) => !open && onClose()}>
      <DialogSurface
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void take();
        }}
      >
        <DialogBody>
          <DialogTitle>{transition.title}</DialogTitle>
          <DialogContent>
            {general.map((message) => (
              <MessageBar key={message} intent="error" style={{ marginBottom: 12 }}>
                {message}
              </MessageBar>
            ))}
            {transition.confirm !== undefined && <p style={{ marginTop: 0 }}>{transition.confirm}</p>}
            <FormContext value={{ store, prefix, readOnly: false }}>
              <FieldHostContext value={host}>
                <FieldErrorsContext value={messages}>
                  {fields.map((field) => (
                    <FormField key={field.name} field={field} />
                  ))}
                </FieldErrorsContext>
              </FieldHostContext>
            </FormContext>
            {transition.reason !== undefined && (
              <Field
                label={transition.reason}
                required
                {...(reasonWrong !== null && { validationMessage: reasonWrong, validationState: 'error' as const })}
              >
                <Textarea
                  value={reason}
                  rows={3}
                  maxLength={LONGEST}
                  autoFocus={fields.length === 0}
                  onChange={(_, { value }) => setReason(value)}
                />
              </Field>
            )}
          </DialogContent>
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              appearance="primary"
              aria-busy={busy}
              {...(busy && { icon: <Spinner size="tiny" /> })}
              onClick={() => void take()}
            >
              {transition.title}
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
