import { useEffect, useRef, useState } from 'react';
import { dayFirst } from '../../../descriptor/fieldtypes/written.ts';
import { formOf } from '../../../domain/questionnaire/answer_form.ts';
import type { QuestionType } from '../../../domain/questionnaire/question.ts';
import type { QuestionProps } from './question_props.ts';
import { named } from './question_props.ts';
import styles from './questionnaire.module.css';

interface TextBoxProps {
  id: string;
  /** Its accessible name, if no question is shown above it. */
  label?: string;
  placeholder?: string;
  value: string;
  fixed: boolean;
  type?: 'text' | 'email' | 'tel';
  lines?: number;
  onChange: (value: string | null) => void;
  /** The error of the typed text: then it stays, and is not passed on. */
  check?: (typed: string) => string | null;
  naming?: object;
}

/** The typed text is passed on after a pause, and at the latest on blur. */
const PAUSE_MS = 600;

/** A text box: its text is not changed while typing. */
export function TextBox({
  id,
  label,
  placeholder,
  value,
  fixed,
  type = 'text',
  lines,
  naming = {},
  ...handlers
}: TextBoxProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const latest = useRef({ typed, value, ...handlers });
  latest.current = { typed, value, ...handlers };
  /** @returns what is wrong */
  const commit = (): string | null => {
    const { typed: now, value: before, onChange, check } = latest.current;
    if (now === null || now === before) return null;
    const wrong = now.trim() === '' ? null : (check?.(now) ?? null);
    if (wrong === null) onChange(now.trim() === '' ? null : now);
    return wrong;
  };
  useEffect(() => {
    if (typed === null) return undefined;
    const timer = setTimeout(commit, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  // The last typed text counts, even if the question is left with a key.
  useEffect(
    () => () => {
      commit();
    },
    [],
  );
  const shared = {
    id,
    className: styles.input,
    value: typed ?? value,
    disabled: fixed,
    ...(placeholder !== undefined && { placeholder }),
    ...(label === undefined ? naming : { 'aria-label': label }),
    ...(problem !== null && {
      'aria-invalid': true as const,
      'aria-describedby':
        `${id}-problem ${(naming as { 'aria-describedby'?: string })['aria-describedby'] ?? ''}`.trim(),
    }),
    onChange: ({ target }: { target: { value: string } }) => {
      setTyped(target.value);
      setProblem(null);
    },
    onBlur: () => {
      const wrong = commit();
      setProblem(wrong);
      if (wrong === null) setTyped(null);
    },
  };
  return (
    <>
      {lines === undefined ? <input type={type} {...shared} /> : <textarea rows={lines} {...shared} />}
      {problem !== null && (
        <span id={`${id}-problem`} role="alert" className={styles.message}>
          {problem}
        </span>
      )}
    </>
  );
}

const KINDS: Partial<Record<QuestionType, 'email' | 'tel'>> = { email: 'email', phone: 'tel' };
const HINTS: Partial<Record<QuestionType, string>> = { date: 'DD-MM-YYYY', time: 'HH:MM' };

/** Questions that are answered in one box. */
export function TextInput(props: QuestionProps) {
  const { asked, id, fixed, onChange } = props;
  const { question, value } = asked;
  const { type } = question;
  const hint = HINTS[type];
  const shown = value === null || value === undefined ? '' : String(value);
  return (
    <TextBox
      id={id}
      value={type === 'date' ? dayFirst(shown) : shown}
      fixed={fixed}
      type={KINDS[type] ?? 'text'}
      {...(hint !== undefined && { placeholder: hint })}
      {...(type === 'long_text' && { lines: 4 })}
      check={(typed) => {
        const formed = formOf(question, typed);
        return 'error' in formed ? formed.error : null;
      }}
      naming={{ ...named(props), ...(type === 'number' && { inputMode: 'decimal' }) }}
      onChange={onChange}
    />
  );
}
