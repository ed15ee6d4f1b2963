import { Button, Field, Input } from '@fluentui/react-components';
import { EyeOffRegular, EyeRegular } from '@fluentui/react-icons';
import { useId, useState } from 'react';
import type { PasswordRules } from '../brand.ts';
import { host } from '../brand.ts';
import { passwordStrength } from './password_strength.ts';
import styles from './password.module.css';

export interface NewPasswordValue {
  password: string;
  again: string;
}

/** The error found before sending, by the client's rules; null = may be sent. */
export function newPasswordProblem(
  { password, again }: NewPasswordValue,
  rules: PasswordRules | undefined = host.get()?.password,
): { field: 'password' | 'again'; message: string } | null {
  const strength = passwordStrength(password, rules);
  const typed = (text: string) => (rules?.trim === false ? text : text.trim());
  if (strength.score === 0) return { field: 'password', message: `${strength.words}.` };
  return typed(password) === typed(again) ? null : { field: 'again', message: 'The two passwords are not the same.' };
}

/** A new password, typed twice, with its strength. */
export function NewPassword({
  value,
  onChange,
  problem,
}: {
  value: NewPasswordValue;
  onChange: (value: NewPasswordValue) => void;
  problem: { field: 'password' | 'again'; message: string } | null;
}) {
  const [shown, setShown] = useState(false);
  const rules = host.use()?.password;
  const strength = passwordStrength(value.password, rules);
  const hint = useId();
  const type = shown ? 'text' : 'password';
  return (
    <>
      <Field
        label="New password"
        required
        {...(problem?.field === 'password' && { validationMessage: problem.message })}
      >
        <Input
          type={type}
          name="new-password"
          autoComplete="new-password"
          aria-describedby={hint}
          value={value.password}
          onChange={(_, data) => onChange({ ...value, password: data.value })}
          contentAfter={
            <Button
              appearance="transparent"
              size="small"
              icon={shown ? <EyeOffRegular /> : <EyeRegular />}
              aria-label={shown ? 'Hide password' : 'Show password'}
              aria-pressed={shown}
              onClick={() => setShown(!shown)}
            />
          }
        />
      </Field>
      <div className={styles.strength} id={hint} data-score={strength.score}>
        <span className={styles.meter} aria-hidden>
          {[1, 2, 3, 4].map((step) => (
            <span key={step} data-on={value.password !== '' && strength.score >= step ? '' : undefined} />
          ))}
        </span>
        <span>
          {value.password === ''
            ? `Use a few words that you can remember: ${rules?.minLength ?? 10} characters or more.`
            : strength.words}
        </span>
      </div>
      <Field
        label="New password again"
        required
        {...(problem?.field === 'again' && { validationMessage: problem.message })}
      >
        <Input
          type={type}
          name="new-password-again"
          autoComplete="new-password"
          value={value.again}
          onChange={(_, data) => onChange({ ...value, again: data.value })}
        />
      </Field>
    </>
  );
}
