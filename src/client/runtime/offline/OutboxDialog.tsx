import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
} from '@fluentui/react-components';
import { Fragment, useEffect, useState } from 'react';
import { formatMoment, formatValue } from '../../../descriptor/format.ts';
import type { Screen } from '../../../descriptor/types.ts';
import { loadScreen } from '../../api/screens.ts';
import type { WaitingAct } from './device_store.ts';
import { decideAct, waitingActs } from './outbox.ts';
import styles from './outbox.module.css';

/** What waits on this device: what needs a decision shows both versions side by side. */
export default function OutboxDialog({ onClose }: { onClose: () => void }) {
  const acts = waitingActs.use();
  return (
    <Dialog open onOpenChange={(_, { open }) => !open && onClose()}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>Made offline</DialogTitle>
          <DialogContent>
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
  useEffect(() => {
    let isOn = true;
    loadScreen(act.type)
      .then((loaded) => isOn && setScreen(loaded.screen))
      // Without the screen its names stand there as they are stored.
      .catch(() => undefined);
    return () => {
      isOn = false;
    };
  }, [act.type]);
  const shown = (name: string, value: unknown) => {
    const field = screen?.fields.find((one) => one.name === name);
    if (value === null || value === undefined) return 'Empty';
    if (Array.isArray(value)) return value.length === 1 ? '1 row' : `${value.length} rows`;
    return field ? formatValue(field, value, {}) : String(value);
  };
  const decide = (choice: Parameters<typeof decideAct>[1]) => {
    setBusy(true);
    void decideAct(act, choice).finally(() => setBusy(false));
  };
  const conflicts = Object.entries(act.needs?.theirs ?? {});
  const button = (label: string, choice: Parameters<typeof decideAct>[1]) => (
    <Button size="small" disabled={busy} onClick={() => decide(choice)}>
      {label}
    </Button>
  );
  return (
    <section className={styles.act}>
      <h3>{act.title}</h3>
      <span className={styles.when}>{formatMoment(act.at)}</span>
      {act.needs && <p>{act.needs.message}</p>}
      {conflicts.length > 0 && (
        <div className={styles.versions}>
          <span>Field</span>
          <span>Yours</span>
          <span>Now</span>
          {conflicts.map(([name, theirs]) => (
            <Fragment key={name}>
              <span>{screen?.fields.find((one) => one.name === name)?.title ?? name}</span>
              <span>{shown(name, (act.input[name] as unknown[])[1])}</span>
              <span>{shown(name, theirs)}</span>
            </Fragment>
          ))}
        </div>
      )}
      {act.needs && (
        <div className={styles.choices}>
          {conflicts.length > 0 ? (
            <>
              {button('Keep mine', 'mine')}
              {button('Take theirs', 'theirs')}
            </>
          ) : (
            <>
              {button('Try again', 'again')}
              {button('Discard mine', 'theirs')}
            </>
          )}
        </div>
      )}
    </section>
  );
}
