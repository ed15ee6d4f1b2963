import styles from './rights.module.css';

/** The number of unsaved changes; `users`: the number of holders. */
export function UnsavedCount({ count, users }: { count: number; users?: number | undefined }) {
  const affected =
    users === undefined
      ? ''
      : users === 0
        ? ', nobody holds this role'
        : `, affects ${users} ${users === 1 ? 'user' : 'users'}`;
  return (
    <span role="status" className={styles.count}>
      {count > 0 && `${count} ${count === 1 ? 'change' : 'changes'} not saved${affected}`}
    </span>
  );
}

/** Rights without an effect, and why. */
export function Warnings({ texts }: { texts: string[] }) {
  if (texts.length === 0) return null;
  return (
    <details className={styles.warnings}>
      <summary>
        {texts.length} {texts.length === 1 ? 'tick does not work as it stands' : 'ticks do not work as they stand'}
      </summary>
      <ul>
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </details>
  );
}

/** A checkbox of the matrix; `mixed`: some of its rights are set. */
export function Box({
  state,
  label,
  onChange,
  disabled = false,
}: {
  state: 'on' | 'off' | 'mixed';
  label: string;
  onChange: (value: boolean) => void;
  disabled?: boolean;
}) {
  return (
    <input
      type="checkbox"
      className={styles.box}
      aria-label={label}
      title={label}
      checked={state === 'on'}
      disabled={disabled}
      ref={(box) => {
        if (box) box.indeterminate = state === 'mixed';
      }}
      onChange={(event) => onChange(state === 'mixed' ? true : event.target.checked)}
    />
  );
}
