import { Select } from '@fluentui/react-components';
import { firstYear, yearName } from '../../../descriptor/financial_year.ts';
import { place, today } from '../../../descriptor/place.ts';
import styles from './fields.module.css';
import type { WidgetProps } from './widget.ts';
import { described } from './widget.ts';

/**
 * The company's financial years, from ten years ago to three ahead; a stored year outside that range is offered too.
 */
export function FinancialYearWidget(props: WidgetProps) {
  const { id, value, onChange, onBlur, disabled, readOnly, bare, required } = props;
  const current = firstYear(today(), place().fyStartMonth);
  const years = financialYears(current, typeof value === 'string' ? value : null);
  const options = (
    <>
      {(!required || value === null || value === undefined) && <option value="" aria-label="None" />}
      {years.map((year) => (
        <option key={year} value={year}>
          {year}
        </option>
      ))}
    </>
  );
  const shared = {
    id,
    value: typeof value === 'string' ? value : '',
    disabled: disabled === true || readOnly === true,
    ...described(props),
    ...(onBlur && { onBlur }),
  };
  if (bare) {
    return (
      <select {...shared} className={styles.bare} onChange={(event) => onChange(event.target.value || null)}>
        {options}
      </select>
    );
  }
  return (
    <Select {...shared} className={styles.select} onChange={(_, data) => onChange(data.value || null)}>
      {options}
    </Select>
  );
}

/** Newest first. */
export function financialYears(current: number, stored: string | null): string[] {
  const years = Array.from({ length: 14 }, (_, index) => yearName(current + 3 - index));
  return stored === null || years.includes(stored) ? years : [stored, ...years];
}
