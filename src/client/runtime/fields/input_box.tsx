import type { ReactNode } from 'react';
import styles from './fields.module.css';

/**
 * The frame of a single-line control, with its prefix and suffix. It looks like Fluent's Input and is lighter, because
 * a form has two hundred of them.
 */
export function InputBox({
  before,
  after,
  invalid,
  fixed,
  children,
}: {
  before?: ReactNode;
  after?: ReactNode;
  invalid?: boolean | undefined;
  fixed?: boolean | undefined;
  children: ReactNode;
}) {
  return (
    <span className={styles.box}>
      <span className={styles.control} data-invalid={invalid ? '' : undefined} data-fixed={fixed ? '' : undefined}>
        {before && <span className={styles.affix}>{before}</span>}
        {children}
        {after && <span className={styles.affix}>{after}</span>}
      </span>
    </span>
  );
}
