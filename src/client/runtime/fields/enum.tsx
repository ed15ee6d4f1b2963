import { Select } from '@fluentui/react-components';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { Field } from '../../../descriptor/types.ts';
import { isOffered, isShown } from '../../../descriptor/validate.ts';
import { ChoiceRadios } from './choice_radios.tsx';
import styles from './fields.module.css';
import type { WidgetProps } from './widget.ts';
import { described, useFieldHost } from './widget.ts';

/** Up to three short choices side by side, otherwise a list. */
export function EnumWidget(props: WidgetProps) {
  const { field, id, value, onChange, onBlur, disabled, readOnly, bare, required, autoFocus } = props;
  const options = useOffered(field, value);
  const typed = useRef(props.typed);
  useEffect(() => {
    const wanted = typed.current?.toLowerCase();
    typed.current = undefined;
    const found = wanted ? options.find((option) => option.label.toLowerCase().startsWith(wanted)) : undefined;
    if (found) onChange(found.value);
  });
  if (!bare && fewChoices(options)) return <ChoiceRadios props={props} options={options} />;

  const pick = (text: string) => onChange(options.find((option) => String(option.value) === text)?.value ?? null);
  const empty = value === null || value === undefined || value === '';
  const shared = {
    id,
    value: empty ? '' : String(value as string | number),
    disabled: disabled === true || readOnly === true,
    ...(autoFocus && { autoFocus }),
    ...described(props),
    ...(onBlur && { onBlur }),
  };
  const list = (
    <>
      {(!required || empty) && <option value="">{bare || !required ? '' : 'Choose'}</option>}
      {options.map((option) => (
        <option key={String(option.value)} value={String(option.value)}>
          {option.label}
        </option>
      ))}
    </>
  );
  if (bare) {
    return (
      <select {...shared} className={styles.bare} onChange={(event) => pick(event.target.value)}>
        {list}
      </select>
    );
  }
  return (
    <Select {...shared} className={styles.select} onChange={(_, data) => pick(data.value)}>
      {list}
    </Select>
  );
}

const NEVER = () => () => undefined;

/** The values that can be chosen with the other values of the form, and the current value. */
function useOffered(field: Field, value: unknown): NonNullable<Field['options']> {
  const host = useFieldHost();
  const options = field.options ?? [];
  // As text, so that it changes only if a choice does.
  const offered = useSyncExternalStore(host?.subscribe ?? NEVER, () => {
    if (!host || !field.offered) return null;
    const values = host.values();
    const rows = host.columns && { fields: host.columns, row: values };
    const isTrue = (when: string) => isShown(host.screen, { ...field, visible: undefined, when }, values, rows);
    return options.map((option) => (isOffered(field, option.value, isTrue) ? '1' : '0')).join('');
  });
  return offered === null ? options : options.filter((option, at) => offered[at] === '1' || option.value === value);
}

/** True if all choices fit on one line. */
function fewChoices(options: { label: string }[]): boolean {
  return options.length <= 3 && options.reduce((sum, { label }) => sum + label.length, 0) <= 36;
}
