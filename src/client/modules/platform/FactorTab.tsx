import { localDay } from '../../runtime/fields/calendar/moments.ts';
import { formatDate } from '../../../descriptor/format.ts';
import { Badge, Button, Field, Input } from '@fluentui/react-components';
import { useState } from 'react';
import useSWR from 'swr';
import { api, callHeaders } from '../../api/http.ts';
import { toast } from '../../app/feedback.ts';
import type { Begun } from '../../app/login/enrol_factor.tsx';
import { ConfirmFactor, factorCall, RecoveryCodes } from '../../app/login/enrol_factor.tsx';
import { ErrorView, Skeleton } from '../../app/page.tsx';
import styles from '../../app/login/second_factor.module.css';

interface Factor {
  on: boolean;
  since: string | null;
  recovery_left: number;
  allowed: boolean;
  required: boolean;
}

const call = factorCall(() => callHeaders());

/** 2-step verification of the user's own account. */
export function FactorTab() {
  const { data, error, mutate } = useSWR('/api/mfa', (path) =>
    api.get<{ data: Factor }>(path, undefined, { quiet: true }),
  );
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [begun, setBegun] = useState<Begun | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  if (error) return <ErrorView error={error} retry={() => void mutate()} />;
  if (!data) return <Skeleton rows={4} />;
  const { on, since, recovery_left: left, allowed, required } = data.data;

  const act = async (what: () => Promise<void>) => {
    if (busy) return;
    setProblem(password === '' ? 'Enter your password.' : null);
    if (password === '') return;
    setBusy(true);
    try {
      await what();
      setPassword('');
    } catch (thrown) {
      setProblem((thrown as Error).message);
    }
    setBusy(false);
  };

  if (codes)
    return (
      <RecoveryCodes
        codes={codes}
        onDone={() => {
          setCodes(null);
          setBegun(null);
          void mutate();
        }}
      />
    );
  if (begun) return <ConfirmFactor begun={begun} call={call} onDone={setCodes} />;
  if (!allowed)
    return (
      <p>
        2-step verification is switched off in your company. Your administrator can allow it (Configuration, Signing
        in).
      </p>
    );
  return (
    <div className={styles.steps}>
      <p>
        <Badge appearance="tint" color={on ? 'success' : required ? 'danger' : 'informative'}>
          {on ? 'On' : 'Off'}
        </Badge>{' '}
        {on
          ? `Since ${formatDate(localDay(since ?? ''))}. ${left} of 10 recovery codes are left.`
          : 'With it, signing in also asks for a code from your phone: knowing your password is then not enough to sign in.'}
      </p>
      {on && left < 3 && <p>Make new recovery codes before the last one is used.</p>}
      <Field label="Your password" required {...(problem && { validationMessage: problem })}>
        <Input
          type="password"
          name="current-password"
          autoComplete="current-password"
          value={password}
          onChange={(_, { value }) => setPassword(value)}
        />
      </Field>
      <div className={styles.buttons}>
        {on ? (
          <>
            <Button
              disabledFocusable={busy}
              onClick={() =>
                void act(async () =>
                  setCodes(
                    (await call<{ data: { recovery_codes: string[] } }>('POST', '/api/mfa/recovery', { password })).data
                      .recovery_codes,
                  ),
                )
              }
            >
              New recovery codes
            </Button>
            {!required && (
              <Button
                disabledFocusable={busy}
                onClick={() =>
                  void act(async () => {
                    await call('DELETE', '/api/mfa', { password });
                    await mutate();
                    toast.success('2-step verification is switched off.');
                  })
                }
              >
                Switch off
              </Button>
            )}
          </>
        ) : (
          <Button
            appearance="primary"
            disabledFocusable={busy}
            onClick={() =>
              void act(async () => setBegun((await call<{ data: Begun }>('POST', '/api/mfa/enrol', { password })).data))
            }
          >
            Set up
          </Button>
        )}
      </div>
      {on && required && (
        <p className={styles.note}>
          Your company asks for it, so it cannot be switched off. For another phone, ask an administrator to take it
          away first.
        </p>
      )}
    </div>
  );
}
