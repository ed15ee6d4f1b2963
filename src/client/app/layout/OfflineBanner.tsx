import { useEffect, useSyncExternalStore } from 'react';
import { toast } from '../feedback.ts';
import styles from './layout.module.css';

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** False while the browser has no network. */
function useOnline(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine);
}

export function OfflineBanner() {
  const online = useOnline();
  useEffect(() => {
    if (!online) toast.warning('You are offline!');
  }, [online]);
  return (
    <div aria-live="assertive">
      {!online && (
        <div className={styles.offline}>
          You are offline! Your input stays here. Work that cannot be stored on this device can be saved when the
          network is back.
        </div>
      )}
    </div>
  );
}
