import { Dialog, DialogBody, DialogContent, DialogSurface, DialogTitle } from '@fluentui/react-components';
import { Suspense, lazy } from 'react';
import type { Screen } from '../../../../descriptor/types.ts';
import { inSentence } from '../../../../descriptor/in_sentence.ts';
import { useScreen } from '../../../api/screens.ts';
import { ErrorView, Skeleton } from '../../../app/page.tsx';
import { FieldHostContext } from '../widget.ts';
import type { Option } from './option_calls.ts';
import { recordTitle } from './record_facts.ts';
import styles from './reference.module.css';

const RecordForm = lazy(() =>
  import('../../form/RecordForm.tsx').then(({ RecordForm: default_ }) => ({ default: default_ })),
);

/** The initial values of the new record: for a multi-value field a list with one entry. */
function fitting(screen: Screen, where: Record<string, unknown>): Record<string, unknown> {
  const several = (name: string) =>
    ['tags', 'refs'].includes(screen.fields.find((field) => field.name === name)?.type ?? '');
  return Object.fromEntries(
    Object.entries(where).map(([name, value]) => [name, several(name) ? [value].flat() : value]),
  );
}

/** Adds a record where it is needed; it is chosen there when it is saved. */
export default function CreateDialog({
  type,
  name,
  where,
  onCreated,
  onClose,
}: {
  type: string;
  /** The typed text: the new record's name. */
  name: string;
  /** Values that the new record needs in order to be valid here. */
  where: Record<string, unknown>;
  onCreated: (option: Option) => void;
  onClose: () => void;
}) {
  const { screen, error, retry } = useScreen(type);
  const named = screen?.label.find((label) => screen.fields.some((field) => field.name === label && !field.readOnly));
  return (
    <Dialog open modalType="alert">
      <DialogSurface className={styles.dialog ?? ''}>
        <DialogBody>
          <DialogTitle>{screen ? `Add ${inSentence(screen.title)}` : 'Loading'}</DialogTitle>
          <DialogContent>
            {error && <ErrorView error={error} retry={retry} />}
            {!screen && !error && <Skeleton rows={5} />}
            {screen && (
              <FieldHostContext value={null}>
                <Suspense fallback={<Skeleton rows={5} />}>
                  <RecordForm
                    screen={screen}
                    layout="dialog"
                    initial={{ ...fitting(screen, where), ...(named && name !== '' && { [named]: name }) }}
                    onCancel={onClose}
                    onSaved={(record) => onCreated({ id: record.id, label: recordTitle(screen, record) })}
                  />
                </Suspense>
              </FieldHostContext>
            )}
          </DialogContent>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
