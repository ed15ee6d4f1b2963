import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
} from '@fluentui/react-components';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import { TableHead } from '../../app/table_head.tsx';
import type { BulkAnswer } from './bulk_calls.ts';
import { recordLabel } from './cell_text.ts';
import styles from './landing.module.css';

/** Which rows succeeded and, for each of the others, the reason. */
export default function BulkResultDialog({
  screen,
  answer,
  records,
  onClose,
}: {
  screen: Screen;
  answer: BulkAnswer;
  records: WireRecord[];
  onClose: () => void;
}) {
  const label = (id: number) => {
    const record = records.find((one) => one.id === id);
    return record ? recordLabel(screen, record) : `#${id}`;
  };
  return (
    <Dialog open onOpenChange={(_, { open }) => !open && onClose()}>
      <DialogSurface className={styles.dialog}>
        <DialogBody>
          <DialogTitle>
            {answer.changed.length} done, {answer.errors.length} not
          </DialogTitle>
          <DialogContent>
            {answer.not_taken && (
              <table className={styles.results}>
                <TableHead columns={['Field not changed', 'Why not']} />
                <tbody>
                  {answer.not_taken.map(({ field, message }) => (
                    <tr key={field}>
                      <td>{screen.fields.find(({ name }) => name === field)?.title ?? field}</td>
                      <td>{message}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
            {answer.errors.length > 0 && (
              <table className={styles.results}>
                <TableHead columns={[screen.title, 'Why not']} />
                <tbody>
                  {answer.errors.map(({ id, message }) => (
                    <tr key={`${id} ${message}`}>
                      <td>{label(id)}</td>
                      <td>{message}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </DialogContent>
          <DialogActions>
            <Button appearance="primary" onClick={onClose}>
              Close
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
