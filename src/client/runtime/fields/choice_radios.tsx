import { Radio, RadioGroup } from '@fluentui/react-components';
import styles from './fields.module.css';
import type { WidgetProps } from './widget.ts';
import { described } from './widget.ts';

/** A few choices side by side. An optional one can be cleared. */
export function ChoiceRadios({ props, options }: { props: WidgetProps; options: { value: unknown; label: string }[] }) {
  const { id, value, onChange, onBlur, disabled, readOnly, required } = props;
  const fixed = disabled === true || readOnly === true;
  const chosen = options.findIndex((option) => option.value === value);
  return (
    <div className={styles.radios}>
      <RadioGroup
        id={id}
        layout="horizontal"
        value={chosen < 0 ? '' : String(chosen)}
        disabled={fixed}
        {...described(props)}
        {...(onBlur && { onBlur })}
        onChange={(_, data) => onChange(options[Number(data.value)]?.value ?? null)}
      >
        {options.map((option, index) => (
          <Radio key={option.label} value={String(index)} label={option.label} />
        ))}
      </RadioGroup>
      {!required && chosen >= 0 && !fixed && (
        <button type="button" className={styles.linkButton} onClick={() => onChange(null)}>
          Clear
        </button>
      )}
    </div>
  );
}
