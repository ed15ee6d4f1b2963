import { formatNumber } from '../../../descriptor/format.ts';
import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Field,
  ProgressBar,
} from '@fluentui/react-components';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Screen } from '../../../descriptor/types.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import { toast } from '../../app/feedback.ts';
import styles from './excel.module.css';
import type { ExportRun, ExportWish } from './run_calls.ts';
import { cancelRun, followRun, saveExport, startExport } from './run_calls.ts';

const resting = ['done', 'failed', 'cancelled'] as const;
/** A short export should not flash a dialog. */
const patience = 700;

/**
 * Writes exactly the list shown to a workbook; shows progress only if it takes a while. A number is the id of a
 * finished background export: its file is saved.
 */
export default function ExportDialog({
  screen,
  wish,
  onClose,
}: {
  screen: Screen;
  wish: ExportWish | number;
  onClose: () => void;
}) {
  const [run, setRun] = useState<ExportRun | null>(null);
  const [shown, setShown] = useState(false);
  const [left, setLeft] = useState(false);
  const id = useRef<number | null>(null);
  const cancelled = useRef(false);

  const work = useEffectEvent(async (signal: AbortSignal) => {
    try {
      id.current = typeof wish === 'number' ? wish : await startExport(screen.name, wish);
      if (signal.aborted) return;
      if (cancelled.current) await cancelRun('export', id.current);
      const end = await followRun<ExportRun>(`/tapi/export/${id.current}`, resting, signal, setRun);
      if (end.state === 'failed') toast.error(end.message ?? 'The export failed.');
      if (end.state === 'done') {
        await saveExport(id.current);
        toast.success(`${formatNumber(end.total)} ${end.total === 1 ? 'row is' : 'rows are'} exported.`);
      }
    } catch (thrown) {
      if (!signal.aborted) toast.error(thrown instanceof Error ? thrown.message : 'The export failed.');
    }
    if (!signal.aborted) onClose();
  });
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => setShown(true), patience);
    // Deferred, so that an immediately undone mount starts nothing.
    const begin = setTimeout(() => void work(stop.signal));
    return () => {
      clearTimeout(timer);
      clearTimeout(begin);
      stop.abort();
    };
  }, []);

  const cancel = () => {
    cancelled.current = true;
    if (id.current !== null) cancelRun('export', id.current).catch(() => undefined);
    onClose();
  };
  const goOn = () => {
    setLeft(true);
    toast.info('The file is saved as soon as it is ready. If you leave this page, a notification will link to it.');
  };
  if (!shown || left) return null;
  const text = run && run.total > 0 ? `${formatNumber(run.done)} of ${formatNumber(run.total)} rows` : 'Starting…';
  return (
    <Dialog open modalType="alert">
      <DialogSurface className={styles.dialog}>
        <DialogBody>
          <DialogTitle>Exporting {inSentence(screen.plural)}</DialogTitle>
          <DialogContent>
            <Field validationMessage={text} validationState="none">
              <ProgressBar
                thickness="large"
                aria-label="Export"
                {...(run && run.total > 0 && { value: run.done / run.total })}
              />
            </Field>
          </DialogContent>
          <DialogActions>
            <Button onClick={cancel}>Cancel the export</Button>
            <Button appearance="primary" onClick={goOn}>
              Continue working
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
