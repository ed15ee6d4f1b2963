import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
} from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { formatMoment } from '../../../descriptor/format.ts';
import type { Screen } from '../../../descriptor/types.ts';
import { loadScreen } from '../../api/screens.ts';
import { confirmDialog } from '../../app/feedback.ts';
import { ActVersions } from './ActVersions.tsx';
import type { WaitingAct } from './device_store.ts';
import { EditAct } from './EditAct.tsx';
import { editableFields } from './edited_act.ts';
import { clockAhead, decideAct, sendEdited, waitingActs } from './outbox.ts';
import styles from './outbox.module.css';

/** The actions waiting on this device; for those that need a decision, both versions side by side. */
export default function OutboxDialog({ onClose }: { onClose: () => void }) {
  const acts = waitingActs.use();
  const ahead = clockAhead.use();
  return (
    <Dialog open onOpenChange={(_, { open }) => !open && onClose()}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>Made offline</DialogTitle>
          <DialogContent>
            {ahead !== 0 && (
              <p>
                The clock of this device is {Math.round(Math.abs(ahead) / 60)} minutes {ahead > 0 ? 'fast' : 'slow'}.
                The times of your work were corrected by that.
              </p>
            )}
            {acts.length === 0 && <p>Everything is sent.</p>}
            {acts.map((act) => (
              <Act key={act.key} act={act} />
            ))}
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

function Act({ act }: { act: WaitingAct }) {
  const [screen, setScreen] = useState<Screen | null>(null);
  const [busy, setBusy] = useState(false);
  const [edited, setEdited] = useState(false);
  useEffect(() => {
    let isOn = true;
    loadScreen(act.type)
      .then((loaded) => isOn && setScreen(loaded.screen))
      // Without the screen, field names are shown as stored.
      .catch(() => undefined);
    return () => {
      isOn = false;
    };
  }, [act.type]);
  const conflicts = Object.entries(act.needs?.theirs ?? {});
  const decide = async (choice: Parameters<typeof decideAct>[1]) => {
    const isLost = choice === 'theirs' && conflicts.length === 0;
    if (
      isLost &&
      !(await confirmDialog({
        title: 'Discard this?',
        text: `“${act.title}” is not done, and what you entered is removed from this device.`,
        confirmLabel: 'Discard',
        cancelLabel: 'Keep',
        danger: true,
      }))
    )
      return;
    setBusy(true);
    void decideAct(act, choice).finally(() => setBusy(false));
  };
  const button = (label: string, choice: Parameters<typeof decideAct>[1]) => (
    <Button size="small" disabled={busy} onClick={() => void decide(choice)}>
      {label}
    </Button>
  );
  const canEdit = screen !== null && editableFields(screen, act).length > 0;
  return (
    <section className={styles.act} aria-label={act.title}>
      <h3>{act.title}</h3>
      <span className={styles.when}>{formatMoment(act.at)}</span>
      {act.needs && <p>{act.needs.message}</p>}
      {act.needs && <ActVersions act={act} theirs={act.needs.theirs} screen={screen} whose="Yours" />}
      {edited && screen ? (
        <EditAct
          act={act}
          screen={screen}
          onClose={() => setEdited(false)}
          onSend={(values) => sendEdited(act, values).finally(() => setEdited(false))}
        />
      ) : (
        act.needs && (
          <div className={styles.choices}>
            {conflicts.length > 0 ? (
              <>
                {button('Keep mine', 'mine')}
                {button('Take theirs', 'theirs')}
              </>
            ) : (
              button('Try again', 'again')
            )}
            {canEdit && (
              <Button size="small" disabled={busy} onClick={() => setEdited(true)}>
                Edit first
              </Button>
            )}
            {conflicts.length === 0 && button('Discard mine', 'theirs')}
          </div>
        )
      )}
    </section>
  );
}
