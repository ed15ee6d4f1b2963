import { Button, MessageBar, MessageBarActions, MessageBarBody, MessageBarTitle } from '@fluentui/react-components';
import { Suspense, lazy, useSyncExternalStore } from 'react';
import type { Screen } from '../../../descriptor/types.ts';
import { tabOf } from './FormLayout.tsx';
import styles from './form.module.css';
import { draftTime } from './kept_draft.ts';
import type { FormController } from './use_form.ts';

const MergeDialog = lazy(() => import('./MergeDialog.tsx'));

/** Above the fields: a saved draft, and errors of the record as a whole. */
export default function FormNotices({ form }: { form: FormController }) {
  return (
    <>
      {form.kept && (
        <MessageBar intent="info" layout="singleline" className={styles.notice ?? ''}>
          <MessageBarBody>You have unsaved changes from {draftTime(form.kept.at)}.</MessageBarBody>
          <MessageBarActions>
            <Button size="small" onClick={form.restore}>
              Restore
            </Button>
            <Button size="small" appearance="transparent" onClick={form.forget}>
              Delete draft
            </Button>
          </MessageBarActions>
        </MessageBar>
      )}
      {form.general && (
        <MessageBar intent="error" layout="multiline" className={styles.notice ?? ''}>
          <MessageBarBody>
            <MessageBarTitle>This cannot be saved yet.</MessageBarTitle>
            {form.general}
          </MessageBarBody>
        </MessageBar>
      )}
      {form.summary.length > 1 && <Summary form={form} />}
      {form.merging && form.merging.conflicts.length > 0 && (
        <Suspense fallback={null}>
          <MergeDialog merging={form.merging} screen={form.store.screen} onDecide={form.decide} />
        </Suspense>
      )}
    </>
  );
}

const MAX_SHOWN = 12;

/** All findings of the last attempt to save. Corrected ones stay in place, struck out, so that nothing moves. */
function Summary({ form: { store, summary, goTo } }: { form: FormController }) {
  const open = useSyncExternalStore(store.subscribe, store.messages);
  const left = summary.filter(({ field }) => open.has(field)).length;
  return (
    <MessageBar intent={left === 0 ? 'success' : 'error'} layout="multiline" className={styles.notice ?? ''}>
      <MessageBarBody>
        <MessageBarTitle>
          {left === 0
            ? 'Everything is corrected. Save again.'
            : left === summary.length
              ? `${left} things to correct`
              : `${left} of ${summary.length} left to correct`}
        </MessageBarTitle>
        <ul className={styles.summary}>
          {summary.slice(0, MAX_SHOWN).map(({ field, message }) => (
            <li key={field} data-done={open.has(field) ? undefined : ''}>
              {tabOf(store.screen, field.split('.')[0]!) < 0 ? (
                message
              ) : (
                <button type="button" onClick={() => goTo(field)}>
                  {placeOf(store.screen, field, message)}
                  {message}
                </button>
              )}
            </li>
          ))}
        </ul>
        {summary.length > MAX_SHOWN && `And ${summary.length - MAX_SHOWN} more.`}
      </MessageBarBody>
    </MessageBar>
  );
}

/** "Lines, row 3: " before what is said of a row, "Date: " before a message that does not name its field. */
function placeOf({ fields }: Screen, path: string, message: string): string {
  const [name, at] = path.split('.');
  const field = fields.find((one) => one.name === name);
  if (!field) return '';
  if (field.rows && at !== undefined) return `${field.title}, row ${Number(at) + 1}: `;
  return message.toLowerCase().includes(field.title.toLowerCase()) ? '' : `${field.title}: `;
}
