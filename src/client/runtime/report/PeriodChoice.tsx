import { useId } from 'react';
import type { DayParameter, RelativeWord } from '../../../domain/relative_days.ts';
import { RELATIVE_DAYS, isRelative } from '../../../domain/relative_days.ts';
import type { Chosen } from './report_view.ts';
import styles from './report.module.css';

/** Relative days: the last day of a past period, or today. */
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

/** A relative period, such as last month: it moves on with the calendar, also in a bookmark and in mails. */
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
    // Without a relative period the days are fixed from now on.
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
