import { Button, Spinner } from '@fluentui/react-components';
import { Suspense, lazy, useMemo, useRef } from 'react';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import { useScreen } from '../../api/screens.ts';
import { confirmDialog } from '../../app/feedback.ts';
import { ErrorView, Skeleton } from '../../app/page.tsx';
import { commitDrafts } from '../fields/widget.ts';
import { FormFields } from './FormFields.tsx';
import styles from './form.module.css';
import { LayoutContext } from './layout_context.ts';
import { useForm } from './use_form.ts';
import type { FormController } from './use_form.ts';
import { useFirstFocus } from './use_first_focus.ts';
import { useFormKeys } from './use_form_keys.ts';
import type { LoadedRecord } from './use_record.ts';
import { useRecord } from './use_record.ts';
import type { Values } from './values.ts';

const FormNotices = lazy(() => import('./FormNotices.tsx'));

interface RecordFormProps {
  screen: Screen;
  /** Absent: a new record. */
  id?: string;
  /** Values of a new record besides its defaults. */
  initial?: Values;
  onSaved: (record: WireRecord) => void;
  onCancel: () => void;
  layout: 'page' | 'dialog' | 'panel';
}

/** Adds or edits a record in any container: a page, a dialog, a side panel. */
export function RecordForm({ screen, id, initial, ...rest }: RecordFormProps) {
  const { loaded, error, retry } = useRecord(screen, { id, preset: initial });
  if (error) return <ErrorView error={error} retry={retry} />;
  if (!loaded) return <Skeleton rows={6} />;
  return <LoadedForm screen={screen} loaded={loaded} {...(id !== undefined && { id })} {...rest} />;
}

function LoadedForm({
  screen,
  id,
  loaded,
  onSaved,
  onCancel,
  layout,
}: Omit<RecordFormProps, 'initial'> & { loaded: LoadedRecord }) {
  const form = useForm({ screen, id, loaded, onSaved });
  const place = useRef<HTMLDivElement>(null);
  const cancel = () => {
    // The last typed text counts, even if Esc follows immediately.
    commitDrafts(form.host);
    if (!form.store.dirty()) {
      onCancel();
      return;
    }
    void confirmDialog({
      title: 'Leave without saving?',
      text: 'What you entered is not saved.',
      confirmLabel: 'Leave',
      cancelLabel: 'Stay',
      danger: true,
    }).then((sure) => {
      if (!sure) return;
      form.abandon();
      onCancel();
    });
  };
  useFormKeys({ save: form.save, leave: cancel, container: place });
  useFirstFocus(form, place);
  return (
    <div ref={place} className={styles.framed} data-layout={layout}>
      <Notices form={form} />
      <FormBody form={form} />
      <div className={styles.buttons}>
        <Button onClick={cancel}>Cancel</Button>
        <Button
          appearance="primary"
          aria-busy={form.saving}
          {...(form.saving && { icon: <Spinner size="tiny" /> })}
          onClick={form.save}
        >
          {saveLabel(form, screen)}
        </Button>
      </div>
    </div>
  );
}

/** Label of the button that saves, or continues to the next step. */
export function saveLabel({ saving, layout: { tab, steps } }: FormController, screen: Screen): string {
  if (tab < steps) return 'Next';
  return saving ? 'Saving' : `Save ${inSentence(screen.title)}`;
}

/** The notices above the fields. */
export function Notices({ form }: { form: FormController }) {
  if (!form.kept && form.general === null && !form.merging && form.summary.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <FormNotices form={form} />
    </Suspense>
  );
}

/** The fields of a form, with the open tab. */
export function FormBody({ form, readOnly = false }: { form: FormController; readOnly?: boolean }) {
  const { store, host, prefix, generation, layout, save } = form;
  const { validatorUrl } = useScreen(store.screen.name);
  const saving = useRef(save);
  saving.current = save;
  const submit = useMemo(() => () => saving.current(), []);
  return (
    <LayoutContext value={layout}>
      <FormFields
        key={generation}
        store={store}
        host={host}
        prefix={prefix}
        validatorUrl={validatorUrl}
        readOnly={readOnly}
        onSubmit={submit}
      />
    </LayoutContext>
  );
}
