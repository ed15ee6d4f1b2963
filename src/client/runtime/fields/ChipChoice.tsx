import { ChipList } from './ChipList.tsx';
import styles from './fields.module.css';
import { InputBox } from './input_box.tsx';
import type { WidgetProps } from './widget.ts';
import { described } from './widget.ts';

interface Named {
  name: string;
  title: string;
}

/** Several values from a list: chips of the `chosen` ones, then a list of the `offered` ones. */
export function ChipChoice(
  props: WidgetProps & { chosen: readonly Named[]; offered: readonly Named[]; placeholder: string; waiting?: boolean },
) {
  const { id, field, chosen, offered, placeholder, waiting, onChange, onBlur } = props;
  const names = chosen.map(({ name }) => name);
  const fixed = props.readOnly === true || props.disabled === true;
  return (
    <div>
      <ChipList
        label={`Chosen: ${field.title}`}
        chips={chosen.map(({ name, title }) => ({ key: name, text: title }))}
        fixed={fixed}
        onRemove={(index) => onChange(names.toSpliced(index, 1))}
      />
      {!fixed && (
        <InputBox invalid={props.invalid}>
          <select
            id={id}
            className={styles.input}
            value=""
            disabled={waiting === true}
            {...described(props)}
            onChange={({ target: { value } }) => value !== '' && onChange([...names, value])}
            onBlur={onBlur}
          >
            <option value="">{placeholder}</option>
            {offered.map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </InputBox>
      )}
    </div>
  );
}
