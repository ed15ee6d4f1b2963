import type { ReactNode } from 'react';
import styles from './visit.module.css';

/** A button large enough for gloves. */
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

/** An option of a choice; `round` = single choice, otherwise multiple. */
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
