import { Button } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import styles from './outbox.module.css';
import OutboxDialog from './OutboxDialog.tsx';
import { sendOutbox, waitingActs } from './outbox.ts';

/** How much waits on this device to be sent, and what needs a decision; nothing where nothing waits. */
export default function OutboxBanner() {
  const acts = waitingActs.use();
  const [open, setOpen] = useState(false);
  useEffect(() => {
    // Where the browser keeps no store, nothing waits.
    sendOutbox().catch(() => undefined);
  }, []);
  const needed = acts.filter(({ needs }) => needs !== undefined).length;
  if (acts.length === 0) return <div aria-live="polite" />;
  const words = (count: number, one: string, several: string) =>
    count === 1 ? one : several.replace('#', String(count));
  return (
    <div aria-live="polite">
      <div className={styles.banner} data-needed={needed > 0 || undefined}>
        <span>
          {needed > 0
            ? words(needed, '1 change made offline needs your decision.', '# changes made offline need your decision.')
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
      {open && <OutboxDialog onClose={() => setOpen(false)} />}
    </div>
  );
}
