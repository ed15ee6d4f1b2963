import styles from './first_load.module.css';

/** Shown while the first part of a page is loading. */
export function FirstLoad() {
  return (
    <div className={styles.first} role="status" aria-label="Loading">
      <span aria-hidden />
    </div>
  );
}
