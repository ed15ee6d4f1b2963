import { useRef, useState } from 'react';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { fixedTags, tagLabel } from '../../../descriptor/fieldtypes/tags.ts';
import { ChipChoice } from './ChipChoice.tsx';
import { ChipList } from './ChipList.tsx';
import styles from './fields.module.css';
import { FieldNames } from './field_names.tsx';
import { InputBox } from './input_box.tsx';
import { TextControl } from './text_control.tsx';
import type { WidgetProps } from './widget.ts';
import { described, useFieldHost } from './widget.ts';

/** Free keywords: Enter or a comma ends one, Backspace removes the last. */
export function TagsWidget(props: WidgetProps) {
  const { id, field, onChange, onBlur } = props;
  const host = useFieldHost();
  const tags = Array.isArray(props.value) ? props.value.map(String) : [];
  const [text, setText] = useState('');
  const typed = useRef('');
  const add = useRef<() => void>(() => undefined);
  const pending = useRef(() => add.current());
  const fixed = props.readOnly === true || props.disabled === true;
  if (props.bare) return <TextControl props={props} />;
  if (field.fieldsOf !== undefined) return <FieldNames {...props} />;
  if (fixedTags(field).length > 0) return <FixedWords {...props} />;

  add.current = () => {
    host?.drafts.delete(pending.current);
    const words = fieldType('tags').parse(typed.current, field);
    typed.current = '';
    setText('');
    if ('value' in words && Array.isArray(words.value) && words.value.length > 0)
      onChange([...new Set([...tags, ...words.value.map(String)])]);
  };
  const type = (value: string) => {
    typed.current = value;
    setText(value);
    if (value.trim() === '') host?.drafts.delete(pending.current);
    else host?.drafts.add(pending.current);
  };
  return (
    <div>
      <ChipList
        label={`Entered: ${field.title}`}
        chips={tags.map((tag) => ({ key: tag, text: tag }))}
        fixed={fixed}
        onRemove={(index) => onChange(tags.toSpliced(index, 1))}
      />
      {!fixed && (
        <InputBox invalid={props.invalid}>
          <input
            id={id}
            className={styles.input}
            value={text}
            placeholder={tags.length === 0 ? 'Type and press Enter' : 'Add another'}
            autoComplete="off"
            {...described(props)}
            onChange={({ target: { value } }) => {
              type(value);
              if (/[,;\n]$/.test(value)) {
                typed.current = value.replace(/[,;\n]+$/, '');
                add.current();
              }
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && text.trim() !== '') {
                event.preventDefault();
                event.stopPropagation();
                add.current();
              } else if (event.key === 'Backspace' && text === '' && tags.length > 0) onChange(tags.slice(0, -1));
            }}
            onBlur={() => {
              add.current();
              onBlur?.();
            }}
          />
        </InputBox>
      )}
    </div>
  );
}

/** Several values of a fixed list, chosen by label. */
function FixedWords(props: WidgetProps) {
  const { field } = props;
  const chosen = Array.isArray(props.value) ? props.value.map(String) : [];
  const named = (tag: string) => ({ name: tag, title: tagLabel(field, tag) });
  const offered = fixedTags(field).filter((tag) => !chosen.includes(tag));
  return (
    <ChipChoice
      {...props}
      chosen={chosen.map(named)}
      offered={offered.map(named)}
      placeholder={offered.length === 0 ? 'All are chosen' : chosen.length === 0 ? 'Choose' : 'Choose another'}
    />
  );
}
