import { Button, Field, Input } from '@fluentui/react-components';
import type { FormEvent } from 'react';
import { useState } from 'react';
import styles from './second_factor.module.css';

/** An authenticated call of the server; throws an Error with a readable message. */
export type FactorCall = <T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<T>;

/** Calls with these headers; the error has the server's message. */
export function factorCall(headers: () => Record<string, string>): FactorCall {
  return async <T,>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => {
    let response: Response;
    try {
      response = await fetch(path, {
        method,
        headers: { accept: 'application/json', 'content-type': 'application/json', ...headers() },
        ...(body && { body: JSON.stringify(body) }),
      });
    } catch {
      throw new Error('Unable to contact server');
    }
    const data =
      response.status === 204
        ? null
        : ((await response.json().catch(() => null)) as { error?: { message?: string } } | null);
    if (!response.ok) throw new Error(data?.error?.message ?? 'Server Error');
    return data as T;
  };
}

export interface Begun {
  secret: string;
  qr: string;
}

/** The key to scan or type, and its first code. */
export function ConfirmFactor({
  begun,
  call,
  onDone,
}: {
  begun: Begun;
  call: FactorCall;
  onDone: (codes: string[]) => void;
}) {
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    try {
      onDone(
        (await call<{ data: { recovery_codes: string[] } }>('POST', '/api/mfa/confirm', { code })).data.recovery_codes,
      );
    } catch (thrown) {
      setProblem((thrown as Error).message);
      setBusy(false);
    }
  };
  return (
    <form className={styles.steps} onSubmit={(event) => void submit(event)} noValidate>
      <p>Scan this with an authenticator program on your phone, such as Google Authenticator, Aegis or 1Password.</p>
      <img className={styles.qr} alt="QR code of the key" src={`data:image/svg+xml,${encodeURIComponent(begun.qr)}`} />
      <p>
        It cannot scan? Enter this key:{' '}
        <code className={styles.key}>{begun.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
      </p>
      <Field label="The code it shows" required {...(problem && { validationMessage: problem })}>
        <Input
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          value={code}
          onChange={(_, { value }) => setCode(value)}
        />
      </Field>
      <Button type="submit" appearance="primary" disabledFocusable={busy || code.trim() === ''}>
        Switch on
      </Button>
    </form>
  );
}

/** Ten recovery codes: shown once. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const [copied, setCopied] = useState(false);
  const text = codes.join('\n');
  return (
    <div className={styles.steps}>
      <p>
        Keep these codes where only you find them, on paper or in a password safe. Each signs you in once without your
        phone. They are not shown again.
      </p>
      <ol className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className={styles.buttons}>
        <Button
          onClick={() =>
            void navigator.clipboard.writeText(text).then(
              () => setCopied(true),
              () => undefined,
            )
          }
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
        <Button as="a" href={`data:text/plain,${encodeURIComponent(text)}`} download="recovery-codes.txt">
          Save as a file
        </Button>
        <Button appearance="primary" onClick={onDone}>
          I have saved them
        </Button>
      </div>
    </div>
  );
}
