import { Button } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { keepProgram, readyVersion, takeVersion } from './kept_program.ts';
import styles from './outbox.module.css';
import OutboxDialog from './OutboxDialog.tsx';
import { sendOutbox, waitingActs } from './outbox.ts';

/** How much waits on this device to be sent, and what needs a decision; nothing where nothing waits. */
export default function OutboxBanner() {
  const acts = waitingActs.use();
  const version = readyVersion.use();
  const [open, setOpen] = useState(false);
  useEffect(() => {
    // Where the browser keeps no store, nothing waits.
    sendOutbox().catch(() => undefined);
    // Without it the program starts with a network only.
    keepProgram().catch(() => undefined);
  }, []);
  const needed = acts.filter(({ needs }) => needs !== undefined).length;
  const words = (count: number, one: string, several: string) =>
    count === 1 ? one : several.replace('#', String(count));
  return (
    <div aria-live="polite">
      {version && (
        <div className={styles.banner} data-calm>
          <span>A new version is ready. What waits on this device stays.</span>
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
