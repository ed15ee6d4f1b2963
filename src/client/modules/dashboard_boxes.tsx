import { Link } from 'react-router-dom';
import styles from './dashboard.module.css';

export { styles as dashboardStyles };

/** A figure with its label that links to the records it counts. */
export function Figure({
  value,
  title,
  note = '',
  to,
  tone,
}: {
  value: string;
  title: string;
  note?: string;
  to?: string;
  tone?: 'danger' | 'warning' | 'brand' | 'neutral' | undefined;
}) {
  const words = (
    <>
      <span className={styles.number}>{value}</span>
      <span>{title}</span>
      <span className={styles.small}>{note}</span>
    </>
  );
  return to === undefined ? (
    <div className={styles.figure} data-tone={tone}>
      {words}
    </div>
  ) : (
    <Link className={styles.figure} data-tone={tone} to={to}>
      {words}
    </Link>
  );
}

export function Box({ title, name = title, children }: { title: string; name?: string; children: React.ReactNode }) {
  return (
    <section className={styles.box} aria-label={name}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
