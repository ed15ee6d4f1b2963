import { useRef, useState } from 'react';
import type { FormEvent } from 'react';
import type { PublicAct, PublicField, PublicView } from '../../descriptor/public_page.ts';
import { PublicInputField } from './PublicInputField.tsx';
import type { PublicRefusal } from './public_calls.ts';
import { sendPage } from './public_calls.ts';

type Values = Readonly<Record<string, string>>;

/** The entered values in the server's form; empty ones are left out. */
function sentValue({ input, options }: PublicField, typed: string): unknown {
  if (typed === '') return undefined;
  if (input === 'choice') return options?.find(({ value }) => String(value) === typed)?.value;
  if (input === 'yes_no') return typed === 'yes';
  if (input === 'whole') return Number(typed);
  return typed.trim();
}

/** The remaining errors after a field has changed; null = no errors. */
function withoutField(why: PublicRefusal, name: string): PublicRefusal | null {
  if (why.fields[name] === undefined) return why;
  const { [name]: _changed, ...fields } = why.fields;
  return Object.keys(fields).length === 0 ? null : { ...why, fields };
}

/** The form of one action of a link. */
export function PublicForm({
  token,
  act,
  onDone,
}: {
  token: string;
  act: PublicAct;
  onDone: (view: PublicView) => void;
}) {
  const [values, setValues] = useState<Values>({});
  const [refusal, setRefusal] = useState<PublicRefusal | null>(null);
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  /** The key of the last submission, so that sending the same content again is one write. */
  const sent = useRef({ content: '', key: '' });

  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const missing = act.fields.filter(({ name, required }) => required && (values[name] ?? '').trim() === '');
    if (missing.length > 0) {
      const fields = Object.fromEntries(missing.map(({ name }) => [name, 'This is required.']));
      refuse({ code: 'invalid', message: 'Some answers are missing.', fields });
      return;
    }
    const given = Object.fromEntries(
      act.fields.flatMap((field) => {
        const value = sentValue(field, values[field.name] ?? '');
        return value === undefined ? [] : [[field.name, value]];
      }),
    );
    const content = JSON.stringify(given);
    if (sent.current.content !== content) sent.current = { content, key: crypto.randomUUID() };
    setBusy(true);
    const answer = await sendPage(token, act.name, given, sent.current.key);
    setBusy(false);
    if ('view' in answer) onDone(answer.view);
    else refuse(answer.refusal);
  };
  const refuse = (why: PublicRefusal) => {
    setRefusal(why);
    const first = act.fields.find(({ name }) => why.fields[name] !== undefined);
    if (first) form.current?.querySelector<HTMLElement>(`[name="${first.name}"]`)?.focus();
  };
  const over = refusal?.code === 'done' || refusal?.code === 'closed' || refusal?.code === 'not_found';

  return (
    <form className="form" onSubmit={(event) => void send(event)} noValidate ref={form} aria-label={act.title}>
      {act.fields.map((field) => (
        <PublicInputField
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          wrong={refusal?.fields[field.name]}
          onChange={(value) => {
            setValues((now) => ({ ...now, [field.name]: value }));
            // An error stays until the field is changed.
            setRefusal((why) => why && withoutField(why, field.name));
          }}
        />
      ))}
      {refusal && (
        <p className="wrong" role="alert">
          {refusal.message}
        </p>
      )}
      {!over && (
        <button type="submit" aria-disabled={busy}>
          {busy ? 'Sending…' : act.title}
        </button>
      )}
    </form>
  );
}
