import { useId } from 'react';
import type { DayParameter, RelativeWord } from '../../../domain/relative_days.ts';
import { RELATIVE_DAYS, isRelative } from '../../../domain/relative_days.ts';
import type { Chosen } from './report_view.ts';
import styles from './report.module.css';

/** Words for a single day: the last one of a period that is over, or today. */
const SINGLE: Partial<Record<RelativeWord, string>> = {
  today: 'Today',
  yesterday: 'Yesterday',
  last_month: 'End of last month',
  last_quarter: 'End of last quarter',
  last_fy: 'End of last financial year',
};
const PERIODS: Partial<Record<RelativeWord, string>> = Object.fromEntries(
  Object.entries(RELATIVE_DAYS).map(([word, { title }]) => [word, title]),
);

/** A period as seen from today, such as last month: it goes on with the days, also in a bookmark and in mails. */
export function PeriodChoice({
  days: { from, to },
  title,
  chosen,
  used,
  onChoose,
}: {
  days: DayParameter;
  title: string;
  chosen: Chosen;
  used: Readonly<Record<string, unknown>>;
  onChoose: (next: Chosen) => void;
}) {
  const id = useId();
  const names = from === null ? [to] : [from, to];
  const words = from === null ? SINGLE : PERIODS;
  const [word] = names.map((name) => chosen[name] ?? '');
  const current = isRelative(word!) && names.every((name) => chosen[name] === word) ? word : '';
  const choose = (next: string) => {
    // Without a word the days stay as they are, and stand still from now on.
    const days = names.map((name) => [name, next === '' ? textOf(used[name]) : next]);
    onChoose({ ...chosen, ...(Object.fromEntries(days) as Chosen) });
  };
  return (
    <div className={styles.parameter} data-width="own">
      <label htmlFor={id}>{title}</label>
      <select id={id} className={styles.period} value={current} onChange={({ target }) => choose(target.value)}>
        <option value="">{from === null ? 'On a fixed day' : 'Fixed dates'}</option>
        {Object.entries(words).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
