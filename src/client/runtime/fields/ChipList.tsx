import { DismissRegular } from '@fluentui/react-icons';
import type { Key } from 'react';
import styles from './reference/reference.module.css';

/** Chosen values as chips, each with a button that removes it unless the field is `fixed`. */
export function ChipList({
  label,
  chips,
  fixed,
  onRemove,
}: {
  label: string;
  chips: readonly { key: Key; text: string }[];
  fixed: boolean;
  onRemove: (index: number) => void;
}) {
  return (
    <div className={styles.chips} role="list" aria-label={label}>
      {chips.map(({ key, text }, index) => (
        <span key={key} role="listitem" className={styles.chip} data-fixed={fixed ? '' : undefined}>
          {text}
          {!fixed && (
            <button type="button" aria-label={`Remove ${text}`} onClick={() => onRemove(index)}>
              <DismissRegular />
            </button>
          )}
        </span>
      ))}
    </div>
  );
}
