import { ChevronLeftRegular, ChevronRightRegular } from '@fluentui/react-icons';
import { type CustomComponents, DayPicker, type Labels } from 'react-day-picker';
import { today } from '../../../../descriptor/place.ts';
import { monthNames } from '../../../../domain/month_names.ts';
import { dayInWords } from './days.ts';
import styles from './calendar.module.css';

/** Midnight of a day on this device, as the library reckons. */
function dateOf(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date);
}

function dayOf(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const formatters = { formatMonthDropdown: (month: Date) => monthNames[month.getMonth()] ?? '' };

const labels: Partial<Labels> = {
  labelDayButton: (date, { today: isToday }) => `${dayInWords(dayOf(date))}${isToday ? ', today' : ''}`,
  labelGrid: (date) => `${monthNames[date.getMonth()]} ${date.getFullYear()}`,
  labelMonthDropdown: () => 'Month',
  labelYearDropdown: () => 'Year',
  labelPrevious: () => 'Previous month',
  labelNext: () => 'Next month',
};

const components: Partial<CustomComponents> = {
  Chevron: ({ orientation }) => (orientation === 'left' ? <ChevronLeftRegular /> : <ChevronRightRegular />),
  // The browser's list shows its own value; the library would lay a second text over it.
  Dropdown: ({ options, ...select }) => (
    <select {...select}>
      {options?.map((option) => (
        <option key={option.value} value={option.value} disabled={option.disabled}>
          {option.label}
        </option>
      ))}
    </select>
  ),
};

const classNames = {
  root: styles.calendar ?? '',
  month: styles.month ?? '',
  dropdowns: styles.head ?? '',
  button_previous: styles.step ?? '',
  button_next: styles.step ?? '',
  month_grid: styles.grid ?? '',
};

/** A month of days. Arrows move by day and week, Page keys by month (with Shift by year), Enter chooses. */
export function Calendar({
  value,
  min,
  max,
  autoFocus = false,
  onPick,
}: {
  value: string | null;
  min?: string | undefined;
  max?: string | undefined;
  autoFocus?: boolean;
  onPick: (day: string) => void;
}) {
  const selected = value === null ? undefined : dateOf(value);
  return (
    <DayPicker
      mode="single"
      required
      selected={selected}
      onSelect={(date) => onPick(dayOf(date))}
      today={dateOf(today())}
      {...(selected && { defaultMonth: selected })}
      startMonth={dateOf(min ?? '1900-01-01')}
      endMonth={dateOf(max ?? '2200-12-31')}
      disabled={[...(min ? [{ before: dateOf(min) }] : []), ...(max ? [{ after: dateOf(max) }] : [])]}
      weekStartsOn={1}
      showOutsideDays
      autoFocus={autoFocus}
      captionLayout="dropdown"
      navLayout="around"
      formatters={formatters}
      labels={labels}
      components={components}
      classNames={classNames}
    />
  );
}
