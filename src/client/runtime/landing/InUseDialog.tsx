import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
} from '@fluentui/react-components';
import type { Screen } from '../../../descriptor/types.ts';
import { TextLink } from '../../app/page.tsx';
import { recordLabel } from './cell_text.ts';
import styles from './landing.module.css';
import type { RecordActions, UsedBy } from './use_record_actions.tsx';

/** Where a record is used, and the alternatives to deleting it. */
export default function InUseDialog({ screen, actions }: { screen: Screen; actions: RecordActions }) {
  const { inUse, closeInUse, setActive } = actions;
  if (!inUse) return null;
  const { record, usedBy } = inUse;
  const label = recordLabel(screen, record);
  return (
    <Dialog open onOpenChange={(_, { open }) => !open && closeInUse()}>
      <DialogSurface className={styles.dialog}>
        <DialogBody>
          <DialogTitle>{label} is in use</DialogTitle>
          <DialogContent>
            <p className={styles.lead}>It cannot be deleted while other records refer to it:</p>
            <ul className={styles.usedBy}>
              {usedBy.map((use) => (
                <li key={`${use.type} ${use.title}`}>
                  <UseLine use={use} />
                </li>
              ))}
            </ul>
            {setActive && record.active && (
              <p className={styles.lead}>
                If you deactivate it, it stays where it is used but is no longer offered for new records.
              </p>
            )}
          </DialogContent>
          <DialogActions>
            <Button onClick={closeInUse}>Close</Button>
            {setActive && record.active && (
              <Button
                appearance="primary"
                onClick={() => {
                  closeInUse();
                  void setActive(record, false).catch(() => undefined);
                }}
              >
                Deactivate instead
              </Button>
            )}
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}

function UseLine({ use }: { use: UsedBy }) {
  const text = `${use.count} in ${use.title}`;
  return use.route ? <TextLink to={use.route}>{text}</TextLink> : <>{text}</>;
}
