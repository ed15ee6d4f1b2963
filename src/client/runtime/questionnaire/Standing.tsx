import type { QueueState } from './answer_queue.ts';
import styles from './questionnaire.module.css';

/** Whether all answers are saved. */
export function Standing({ state, retry }: { state: QueueState; retry: () => void }) {
  if (state.name === 'refused')
    return (
      <p className={styles.message} role="alert">
        {state.message}
      </p>
    );
  return (
    <p className={styles.hint} role="status">
      {state.name === 'kept' && 'Answers are saved as you give them.'}
      {state.name === 'sending' && 'Saving'}
      {state.name === 'waiting' && (
        <>
          Not sent yet. It is kept in this browser and sent when the connection is back.{' '}
          <button type="button" className={styles.link} onClick={retry}>
            Try now
          </button>
        </>
      )}
    </p>
  );
}
