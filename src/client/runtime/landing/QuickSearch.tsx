import { DismissRegular, SearchRegular } from '@fluentui/react-icons';
import type { RefObject } from 'react';
import { useEffect, useRef, useState } from 'react';
import styles from './landing.module.css';

const wait = 250;

/** Searches as you type. */
export function QuickSearch({
  value,
  label,
  onChange,
  inputRef,
}: {
  value: string;
  label: string;
  onChange: (value: string) => void;
  inputRef: RefObject<HTMLInputElement | null>;
}) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  // The address changed in another way: back, a saved view, "clear all".
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const send = (next: string) => {
    clearTimeout(timer.current);
    const clean = next.trim().replace(/\s+/g, ' ');
    if (clean === sent.current) return;
    sent.current = clean;
    onChange(clean);
  };
  const type = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => send(next), wait);
  };
  return (
    <search className={styles.search}>
      <SearchRegular aria-hidden />
      <input
        ref={inputRef}
        type="search"
        value={text}
        placeholder="Search"
        aria-label={label}
        title={`${label} ( / )`}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') send(text);
          if (event.key === 'Escape' && text !== '') {
            event.stopPropagation();
            setText('');
            send('');
          }
        }}
      />
      {text !== '' && (
        <button
          type="button"
          aria-label="Clear the search"
          onClick={() => {
            setText('');
            send('');
            inputRef.current?.focus();
          }}
        >
          <DismissRegular />
        </button>
      )}
    </search>
  );
}
