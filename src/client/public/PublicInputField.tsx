import type { InputHTMLAttributes } from 'react';
import { useId } from 'react';
import type { PublicField, PublicInput } from '../../descriptor/public_page.ts';

/** The browser's input hints: keyboard on a phone, and autofill. */
const TYPED: Partial<Record<PublicInput, InputHTMLAttributes<HTMLInputElement>>> = {
  date: { type: 'date' },
  time: { type: 'time' },
  whole: { inputMode: 'numeric' },
  number: { inputMode: 'decimal' },
  email: { type: 'email', autoComplete: 'email' },
  phone: { type: 'tel', autoComplete: 'tel' },
  url: { type: 'url' },
};

const YES_NO = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
];

/** One field of a public form with its label, help and error. */
export function PublicInputField({
  field,
  value,
  wrong,
  onChange,
}: {
  field: PublicField;
  value: string;
  wrong: string | undefined;
  onChange: (value: string) => void;
}) {
  const id = useId();
  const { name, title, help, input, required, options, max } = field;
  const described = [help === null ? '' : `${id}help`, wrong === undefined ? '' : `${id}wrong`].join(' ').trim();
  const marks = {
    name,
    required,
    'aria-invalid': wrong !== undefined,
    ...(described !== '' && { 'aria-describedby': described }),
  };
  const notes = (
    <>
      {help !== null && (
        <p id={`${id}help`} className="help">
          {help}
        </p>
      )}
      {wrong !== undefined && (
        <p id={`${id}wrong`} className="wrong">
          {wrong}
        </p>
      )}
    </>
  );
  const choices = input === 'yes_no' ? YES_NO : options;
  const named = `${title}${required ? '' : ' (optional)'}`;
  if (choices)
    return (
      <fieldset className="field" aria-describedby={marks['aria-describedby']}>
        <legend>{named}</legend>
        {choices.map((option) => (
          <label key={option.value} className="choice">
            <input
              type="radio"
              {...marks}
              value={option.value}
              checked={value === String(option.value)}
              onChange={() => onChange(String(option.value))}
            />
            {option.label}
          </label>
        ))}
        {notes}
      </fieldset>
    );
  return (
    <div className="field">
      <label htmlFor={id}>{named}</label>
      {input === 'lines' ? (
        <textarea
          id={id}
          rows={4}
          {...marks}
          {...(max !== null && { maxLength: max })}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <input
          id={id}
          {...TYPED[input]}
          {...marks}
          {...(max !== null && { maxLength: max })}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      {notes}
    </div>
  );
}
