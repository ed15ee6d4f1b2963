import type { ReactNode } from 'react';
import { useId } from 'react';
import styles from './home.module.css';

/** A section of Home: a heading with a link to more, and its content. */
export function Card({ title, more, children }: { title: string; more?: ReactNode; children: ReactNode }) {
  const heading = useId();
  return (
    <section className={styles.card} aria-labelledby={heading}>
      <header className={styles.head}>
        <h2 id={heading}>{title}</h2>
        {more}
      </header>
      {children}
    </section>
  );
}
