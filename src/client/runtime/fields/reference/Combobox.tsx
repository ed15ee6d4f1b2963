import { Spinner } from '@fluentui/react-components';
import { AddRegular, ChevronDownRegular } from '@fluentui/react-icons';
import type { ReactNode, Ref } from 'react';
import { useEffect, useImperativeHandle, useRef, useState } from 'react';
import { Anchored } from '../anchored.tsx';
import { useFieldHost } from '../widget.ts';
import type { WidgetProps } from '../widget.ts';
import { described } from '../widget.ts';
import fieldStyles from '../fields.module.css';
import { InputBox } from '../input_box.tsx';
import type { Option } from './option_calls.ts';
import styles from './reference.module.css';
import { useOptions } from './use_options.ts';

interface ComboboxProps {
  props: WidgetProps;
  /** The text while nothing is typed. */
  text: string;
  placeholder: string;
  /** Chosen already: marked in the list. */
  chosen: ReadonlySet<number>;
  onPick: (option: Option) => void;
  /** The text was emptied. */
  onEmpty?: () => void;
  /** The last entry of the list: creates a new record with the typed name. */
  create?: { label: string; onCreate: (query: string) => void } | null;
  /** The list stays open for the next choice. */
  several?: boolean;
  /** Backspace in an empty text. */
  onBackspace?: () => void;
  after?: ReactNode;
  inputRef?: Ref<HTMLInputElement | null>;
}

/** Search as you type over the records that a reference may refer to. */
export function Combobox({
  props,
  text,
  placeholder,
  chosen,
  onPick,
  onEmpty,
  create,
  several = false,
  onBackspace,
  after,
  inputRef,
}: ComboboxProps) {
  const { id, field, bare, autoFocus, onBlur } = props;
  const fixed = props.readOnly === true || props.disabled === true;
  const host = useFieldHost();
  const anchor = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  useImperativeHandle<HTMLInputElement | null, HTMLInputElement | null>(inputRef, () => input.current, []);
  const list = useRef<HTMLUListElement>(null);
  const [open, setOpen] = useState(props.typed !== undefined || bare === true);
  const [query, setQuery] = useState<string | null>(props.typed ?? null);
  const [at, setAt] = useState(0);
  const search = (query ?? '').trim();
  const { state, options, recent, message } = useOptions(host, field, search, open);
  const canCreate = create !== undefined && create !== null && state === 'ready';
  const entries = options.length + (canCreate ? 1 : 0);

  useEffect(() => setAt(0), [search, state]);
  useEffect(() => {
    list.current?.querySelector('[data-at]')?.scrollIntoView?.({ block: 'nearest' });
  }, [at]);

  const close = () => {
    setOpen(false);
    setQuery(null);
  };
  const pick = (index: number) => {
    const option = options[index];
    if (option) {
      onPick(option);
      if (several) {
        setQuery('');
        return;
      }
    } else if (canCreate) create.onCreate(search);
    else return;
    close();
  };
  const shared = {
    id,
    role: 'combobox' as const,
    autoComplete: 'off',
    spellCheck: false,
    value: query ?? text,
    placeholder,
    'aria-expanded': open,
    'aria-autocomplete': 'list' as const,
    'aria-controls': `${id}-list`,
    ...(open && entries > 0 && { 'aria-activedescendant': `${id}-option-${at}` }),
    ...described(props),
    ...(autoFocus && { autoFocus }),
    ...(props.disabled && { disabled: true }),
    ...(props.readOnly && { readOnly: true }),
    onFocus: (event: React.FocusEvent<HTMLInputElement>) => props.typed === undefined && event.target.select(),
    onClick: () => !fixed && setOpen(true),
    onBlur: (event: React.FocusEvent) => {
      if (anchor.current?.contains(event.relatedTarget as Node | null)) return;
      // Left with the text deleted: the reference is cleared.
      if (query === '' && text !== '' && !several) onEmpty?.();
      close();
      onBlur?.();
    },
    onKeyDown: (event: React.KeyboardEvent<HTMLInputElement>) => {
      if (fixed) return;
      switch (event.key) {
        case 'ArrowDown':
        case 'ArrowUp':
          if (!open && bare && !event.altKey) return;
          event.preventDefault();
          event.stopPropagation();
          if (!open) setOpen(true);
          else if (entries > 0) setAt((at + (event.key === 'ArrowDown' ? 1 : entries - 1)) % entries);
          break;
        case 'Enter':
          if (!open) return;
          event.preventDefault();
          event.stopPropagation();
          if (search === '' && query === '' && !several) {
            onEmpty?.();
            close();
          } else pick(at);
          break;
        case 'Tab':
          // After typing, the highlighted entry is chosen.
          if (open && search !== '' && state === 'ready' && options[at]) pick(at);
          break;
        case 'Backspace':
          if ((query ?? text) === '') onBackspace?.();
          break;
      }
    },
  };
  const typed = (value: string) => {
    setQuery(value);
    setOpen(true);
  };

  return (
    <div ref={anchor} className={bare ? fieldStyles.bareLine : fieldStyles.pickerLine}>
      {bare ? (
        <input {...shared} ref={input} className={fieldStyles.bare} onChange={(event) => typed(event.target.value)} />
      ) : (
        <InputBox
          invalid={props.invalid}
          fixed={fixed}
          after={
            <>
              {after}
              {!fixed && (
                <button
                  type="button"
                  tabIndex={-1}
                  className={fieldStyles.iconButton}
                  aria-label={`Show choices: ${field.title}`}
                  onClick={() => {
                    input.current?.focus();
                    if (open) close();
                    else setOpen(true);
                  }}
                >
                  <ChevronDownRegular />
                </button>
              )}
            </>
          }
        >
          <input
            {...shared}
            ref={input}
            className={fieldStyles.input}
            onChange={(event) => typed(event.target.value)}
          />
        </InputBox>
      )}
      {open && (
        <Anchored anchor={anchor} wide className={styles.layer!} onClose={close}>
          <ul
            ref={list}
            id={`${id}-list`}
            role="listbox"
            aria-label={field.title}
            aria-multiselectable={several || undefined}
            className={styles.list}
          >
            {options.map((option, index) => (
              <li
                key={option.id}
                id={`${id}-option-${index}`}
                role="option"
                aria-selected={chosen.has(option.id)}
                data-at={index === at ? '' : undefined}
                data-first-other={recent > 0 && index === recent ? '' : undefined}
                className={styles.option}
                onPointerMove={() => setAt(index)}
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => pick(index)}
              >
                <span className={styles.label}>{option.label}</span>
                {option.detail && <span className={styles.detail}>{option.detail}</span>}
              </li>
            ))}
            {canCreate && (
              <li
                id={`${id}-option-${options.length}`}
                role="option"
                aria-selected={false}
                data-at={at === options.length ? '' : undefined}
                data-first-other={options.length > 0 ? '' : undefined}
                className={styles.option}
                onPointerMove={() => setAt(options.length)}
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => pick(options.length)}
              >
                <span className={styles.create}>
                  <AddRegular aria-hidden />
                  {search === '' ? create.label : `${create.label} “${search}”`}
                </span>
              </li>
            )}
          </ul>
          {state === 'loading' && <Spinner size="tiny" className={styles.note ?? ''} label="Searching" />}
          {state === 'ready' && options.length === 0 && (
            <p className={styles.note} role="status">
              {search === '' ? 'There is nothing to choose from yet.' : `Nothing matches “${search}”.`}
            </p>
          )}
          {state === 'failed' && (
            <p className={styles.note} role="alert">
              {message}
            </p>
          )}
        </Anchored>
      )}
    </div>
  );
}
