import { isEntered } from '../../../descriptor/entered_fields.ts';
import { useScreen } from '../../api/screens.ts';
import { ChipList } from './ChipList.tsx';
import styles from './fields.module.css';
import { InputBox } from './input_box.tsx';
import { useHostValue } from './reference/use_host_value.ts';
import type { WidgetProps } from './widget.ts';
import { described, useFieldHost } from './widget.ts';

/** Fields of the record type that another field names, chosen by their titles. */
export function FieldNames(props: WidgetProps) {
  const { field } = props;
  const type = useHostValue(useFieldHost(), field.fieldsOf!);
  return typeof type === 'string' && type !== '' ? (
    <FieldsOf {...props} type={type} />
  ) : (
    <span id={props.id}>Choose what it is about first.</span>
  );
}

function FieldsOf(props: WidgetProps & { type: string }) {
  const { id, field, type, onChange, onBlur } = props;
  const { screen, error } = useScreen(type);
  const names = Array.isArray(props.value) ? props.value.map(String) : [];
  const fields = screen?.fields ?? [];
  const offered = fields.filter((one) => isEntered(screen!, one) && !names.includes(one.name));
  const titleOf = (name: string) => fields.find((one) => one.name === name)?.title ?? name;
  const fixed = props.readOnly === true || props.disabled === true;
  return (
    <div>
      <ChipList
        label={`Chosen: ${field.title}`}
        chips={names.map((name) => ({ key: name, text: titleOf(name) }))}
        fixed={fixed}
        onRemove={(index) => onChange(names.toSpliced(index, 1))}
      />
      {!fixed && (
        <InputBox invalid={props.invalid}>
          <select
            id={id}
            className={styles.input}
            value=""
            disabled={!screen}
            {...described(props)}
            onChange={({ target: { value } }) => value !== '' && onChange([...names, value])}
            onBlur={onBlur}
          >
            <option value="">{placeholderOf(screen !== null, error !== null, names.length)}</option>
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

function placeholderOf(isThere: boolean, failed: boolean, chosen: number): string {
  if (failed) return 'Its fields could not be loaded';
  if (!isThere) return 'Loading fields…';
  return chosen === 0 ? 'Choose a field' : 'Choose another';
}
