import { Button } from '@fluentui/react-components';
import {
  ArrowDownloadRegular,
  DeleteRegular,
  DismissRegular,
  EditRegular,
  EyeOffRegular,
  EyeRegular,
} from '@fluentui/react-icons';
import { Suspense, lazy, useState } from 'react';
import type { RecordAction, Screen, ScreenRef, WireRecord } from '../../../descriptor/types.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import { confirmDialog, toast } from '../../app/feedback.ts';
import type { BulkAnswer, BulkStep } from './bulk_calls.ts';
import { bulkChange, bulkStep, bulkSteps, selectionActions } from './bulk_calls.ts';
import styles from './landing.module.css';
import type { Count } from './list_calls.ts';
import { countText } from './list_calls.ts';
import { MAX_SELECTED } from './most_selected.ts';

const BulkEditDialog = lazy(() => import('./BulkEditDialog.tsx'));
const BulkResultDialog = lazy(() => import('./BulkResultDialog.tsx'));

/** The actions on the selected rows. */
export default function BulkBar({
  screen,
  access,
  records,
  total,
  onDone,
  onClear,
  onExport,
}: {
  screen: Screen;
  access: ScreenRef;
  records: WireRecord[];
  /** Of the whole list. */
  total: Count | null;
  /** Something was changed: the rows are reloaded, and the selection is cleared. */
  onDone: () => void;
  onClear: () => void;
  onExport: (() => void) | null;
}) {
  const [busy, setBusy] = useState(false);
  const [editing, setEditing] = useState(false);
  const [result, setResult] = useState<{ answer: BulkAnswer; records: WireRecord[] } | null>(null);
  const { rights, routes } = access;
  // A type without an edit page cannot be edited: a log, or records of decisions.
  const mayEdit = rights.edit_screen && rights.write && routes.edit !== null;
  const count = records.length;
  const many =
    count === 1
      ? `1 ${inSentence(screen.title)}`
      : `${countText({ count, capped: false })} ${inSentence(screen.plural)}`;

  const finish = (answer: BulkAnswer, done: string, undo?: () => void) => {
    setEditing(false);
    if (answer.errors.length > 0 || answer.not_taken) setResult({ answer, records });
    else toast.success(`${answer.changed.length} ${done}.`, undo ? { action: { label: 'Undo', onClick: undo } } : {});
    onDone();
  };
  const run = async (call: () => Promise<BulkAnswer>, done: string, undo?: () => void) => {
    setBusy(true);
    try {
      finish(await call(), done, undo);
    } catch {
      // The call has shown why.
    } finally {
      setBusy(false);
    }
  };
  const activate = (rows: WireRecord[]) => run(() => bulkChange(screen.name, rows, 'activate'), 'in use again');
  const deactivate = (rows: WireRecord[]) =>
    run(
      () => bulkChange(screen.name, rows, 'deactivate'),
      'deactivated',
      () => void activate(rows),
    );
  const remove = async () => {
    const sure = await confirmDialog({
      title: `Delete ${many}?`,
      text: 'They are deleted and cannot be restored.',
      danger: true,
    });
    if (sure) await run(() => bulkChange(screen.name, records, 'delete'), 'deleted');
  };

  const take = async (step: BulkStep) => {
    const several = step.records.length === 1 ? 'one' : countText({ count: step.records.length, capped: false });
    if (step.reason !== undefined) {
      const { askDialog } = await import('../../app/ask_dialog.ts');
      const reason = await askDialog({
        title: `${step.title}: ${several}`,
        label: step.reason,
        confirmLabel: step.title,
      });
      if (reason !== null) await run(() => bulkStep(screen.name, step, reason), `– ${step.title.toLowerCase()}: done`);
      return;
    }
    const sure = await confirmDialog({
      title: `${step.title}: ${several} of ${many}?`,
      ...(step.confirm !== undefined && { text: step.confirm }),
      confirmLabel: step.title,
    });
    if (sure) await run(() => bulkStep(screen.name, step, null), `– ${step.title.toLowerCase()}: done`);
  };

  const act = async (action: RecordAction) => {
    setBusy(true);
    const ids = records.map(({ id }) => id);
    if (action.browser !== undefined) {
      await (await import('../browser_action.ts')).saveFiles(screen, ids);
      setBusy(false);
      return;
    }
    const { runAction } = await import('../record_action.ts');
    if (await runAction(screen, action, { ids })) onDone();
    setBusy(false);
  };

  const active = records.filter((record) => record.active);
  const inactive = records.filter((record) => !record.active);
  return (
    <>
      {count > 0 && (
        <div className={styles.bulk} role="toolbar" aria-label="Selected records">
          <b aria-live="polite">
            {countText({ count, capped: false })} selected
            {count === MAX_SELECTED &&
              total &&
              (total.capped || total.count > count) &&
              `, the first of ${countText(total)}`}
          </b>
          {bulkSteps(screen, access, records).map((step) => (
            <Button key={step.call} size="small" disabled={busy} onClick={() => void take(step)}>
              {step.title}
            </Button>
          ))}
          {selectionActions(screen, access, records).map((action) => (
            <Button key={action.title} size="small" disabled={busy} onClick={() => void act(action)}>
              {action.title}
            </Button>
          ))}
          {mayEdit && (
            <Button size="small" icon={<EditRegular />} disabled={busy} onClick={() => setEditing(true)}>
              Edit field…
            </Button>
          )}
          {mayEdit && rights.remove && active.length > 0 && (
            <Button size="small" icon={<EyeOffRegular />} disabled={busy} onClick={() => void deactivate(active)}>
              Deactivate
            </Button>
          )}
          {mayEdit && rights.remove && inactive.length > 0 && (
            <Button size="small" icon={<EyeRegular />} disabled={busy} onClick={() => void activate(inactive)}>
              Activate
            </Button>
          )}
          {rights.remove && (
            <Button size="small" icon={<DeleteRegular />} disabled={busy} onClick={() => void remove()}>
              Delete
            </Button>
          )}
          {onExport && (
            <Button size="small" icon={<ArrowDownloadRegular />} disabled={busy} onClick={onExport}>
              Export selected
            </Button>
          )}
          <Button
            className={styles.push}
            size="small"
            appearance="subtle"
            icon={<DismissRegular />}
            aria-label="Clear the selection"
            onClick={onClear}
          />
        </div>
      )}
      <Suspense fallback={null}>
        {editing && count > 0 && (
          <BulkEditDialog
            screen={screen}
            records={records}
            onDone={(answer) => finish(answer, 'changed')}
            onClose={() => setEditing(false)}
          />
        )}
        {result && <BulkResultDialog screen={screen} {...result} onClose={() => setResult(null)} />}
      </Suspense>
    </>
  );
}
