import type { ReactNode } from 'react';
import styles from './visit.module.css';

/** A button for a thumb in a glove. */
export function BigButton({
  children,
  main,
  danger,
  busy,
  disabled,
  onPress,
}: {
  children: ReactNode;
  main?: boolean;
  danger?: boolean;
  busy?: boolean;
  disabled?: boolean;
  onPress: () => void;
}) {
  return (
    <button
      type="button"
      className={styles.big}
      data-main={main || undefined}
      data-danger={danger || undefined}
      aria-busy={busy}
      disabled={disabled || busy}
      onClick={onPress}
    >
      {children}
    </button>
  );
}

/** One of several things that may be chosen; `round` = one of them, else each by itself. */
export function BigChoice({
  chosen,
  round = false,
  children,
  onPress,
}: {
  chosen: boolean;
  round?: boolean;
  children: ReactNode;
  onPress: () => void;
}) {
  return (
    <button
      type="button"
      className={styles.choice}
      {...(round ? { role: 'radio', 'aria-checked': chosen } : { 'aria-pressed': chosen })}
      onClick={onPress}
    >
      <span className={styles.tick} aria-hidden>
        {chosen ? '✓' : ''}
      </span>
      {children}
    </button>
  );
}
