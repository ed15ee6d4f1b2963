import styles from './first_load.module.css';

/** While the first part of a page is on its way. */
export function FirstLoad() {
  return (
    <div className={styles.first} role="status" aria-label="Loading">
      <span aria-hidden />
    </div>
  );
}
