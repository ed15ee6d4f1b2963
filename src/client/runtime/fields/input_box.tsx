import type { ReactNode } from 'react';
import styles from './fields.module.css';

/**
 * The frame of a one-line control, with what stands before and after the text. It looks like Fluent's Input and is
 * lighter: a form has two hundred of them.
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
