import { Button, MessageBar, MessageBarActions, MessageBarBody, MessageBarTitle } from '@fluentui/react-components';
import { Suspense, lazy } from 'react';
import styles from './form.module.css';
import { draftTime } from './kept_draft.ts';
import type { FormController } from './use_form.ts';

const MergeDialog = lazy(() => import('./MergeDialog.tsx'));

/** Above the fields: what was typed earlier, and what is wrong with the record as a whole. */
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
              Discard
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
      {form.merging && form.merging.conflicts.length > 0 && (
        <Suspense fallback={null}>
          <MergeDialog merging={form.merging} screen={form.store.screen} onDecide={form.decide} />
        </Suspense>
      )}
    </>
  );
}
