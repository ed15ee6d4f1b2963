import { Button } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { formatMoment } from '../../../descriptor/format.ts';
import { keepProgram, readyVersion, takeVersion } from './kept_program.ts';
import styles from './outbox.module.css';
import OutboxDialog from './OutboxDialog.tsx';
import { packetShown } from './packet_answers.ts';
import { followPacket } from './take_packet.ts';
import { sendOutbox, syncRefused, waitingActs } from './outbox.ts';

/** The number of actions waiting on this device, and of those that need a decision; nothing if there are none. */
export default function OutboxBanner() {
  const acts = waitingActs.use();
  const version = readyVersion.use();
  const asOf = packetShown.use();
  const [open, setOpen] = useState(false);
  useEffect(() => {
    // If the browser has no storage, nothing can wait.
    sendOutbox()
      .then(syncRefused)
      .catch(() => undefined);
    // Without it the application starts only with a network.
    keepProgram().catch(() => undefined);
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
    // Records are useful only together with the application.
    let stop: (() => void) | undefined;
    let isGone = false;
    navigator.serviceWorker.ready
      .then(() => {
        if (!isGone) stop = followPacket();
      })
      .catch(() => undefined);
    return () => {
      isGone = true;
      stop?.();
    };
  }, []);
  const needed = acts.filter(({ needs }) => needs !== undefined).length;
  const words = (count: number, one: string, several: string) =>
    count === 1 ? one : several.replace('#', String(count));
  return (
    <div aria-live="polite">
      {asOf !== null && (
        <div className={styles.banner} data-calm>
          <span>These are the records on this device, as of {formatMoment(asOf)}.</span>
        </div>
      )}
      {version && (
        <div className={styles.banner} data-calm>
          <span>A new version is ready. Unsent work on this device is kept.</span>
          <Button size="small" onClick={() => void takeVersion()}>
            Use it now
          </Button>
        </div>
      )}
      {acts.length > 0 && (
        <div className={styles.banner} data-needed={needed > 0 || undefined}>
          <span>
            {needed > 0
              ? words(
                  needed,
                  '1 change made offline needs your decision.',
                  '# changes made offline need your decision.',
                )
              : words(
                  acts.length,
                  '1 change waits on this device to be sent.',
                  '# changes wait on this device to be sent.',
                )}
          </span>
          <Button size="small" onClick={() => setOpen(true)}>
            {needed > 0 ? 'Decide' : 'Show'}
          </Button>
        </div>
      )}
      {open && <OutboxDialog onClose={() => setOpen(false)} />}
    </div>
  );
}
