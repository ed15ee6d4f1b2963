import { Button } from '@fluentui/react-components';
import { ChevronLeftRegular, ChevronRightRegular } from '@fluentui/react-icons';
import type { ReactNode } from 'react';
import styles from './period_bar.module.css';

/** The period shown by a page, with buttons for earlier, later and today; `children` come at the end. */
export function PeriodBar({
  title,
  turns,
  isNow,
  onTurn,
  onToday,
  children,
}: {
  title: string;
  /** The unit of a step: "month". */
  turns: string;
  /** Today is in it. */
  isNow: boolean;
  onTurn: (pages: 1 | -1) => void;
  onToday: () => void;
  children?: ReactNode;
}) {
  return (
    <div className={styles.tools}>
      <div className={styles.turn}>
        <Button icon={<ChevronLeftRegular />} aria-label={`Earlier ${turns}`} onClick={() => onTurn(-1)} />
        <h2 aria-live="polite">{title}</h2>
        <Button icon={<ChevronRightRegular />} aria-label={`Later ${turns}`} onClick={() => onTurn(1)} />
        <Button disabled={isNow} onClick={onToday}>
          Today
        </Button>
      </div>
      {children}
    </div>
  );
}
