import { Switch } from '@fluentui/react-components';
import { ChoiceRadios } from './choice_radios.tsx';
import styles from './fields.module.css';
import type { WidgetProps } from './widget.ts';
import { described } from './widget.ts';

const yesNo = [
  { value: true, label: 'Yes' },
  { value: false, label: 'No' },
];

/** A switch. If an answer is required and has no default, two choices: a switch would silently answer No. */
export function BooleanWidget(props: WidgetProps) {
  const { id, value, onChange, onBlur, disabled, readOnly, bare, autoFocus } = props;
  const fixed = disabled === true || readOnly === true;
  if (bare) {
    return (
      <input
        id={id}
        type="checkbox"
        className={styles.bareCheck}
        checked={value === true}
        disabled={fixed}
        {...described(props)}
        {...(onBlur && { onBlur })}
        onChange={(event) => onChange(event.target.checked)}
      />
    );
  }
  if (props.required && props.field.default === undefined) return <ChoiceRadios props={props} options={yesNo} />;
  return (
    <Switch
      id={id}
      className={styles.switch}
      checked={value === true}
      disabled={fixed}
      {...(autoFocus && { autoFocus })}
      {...described(props)}
      {...(onBlur && { onBlur })}
      onChange={(_, { checked }) => onChange(checked)}
      label={{ children: value === true ? 'Yes' : 'No', 'aria-hidden': true }}
    />
  );
}
