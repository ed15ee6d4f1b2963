import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Field,
  Input,
} from '@fluentui/react-components';
import type { FormEvent } from 'react';
import { useEffect, useMemo, useState } from 'react';
import type { Begun } from './enrol_factor.tsx';
import { ConfirmFactor, factorCall, RecoveryCodes } from './enrol_factor.tsx';
import type { LoginAnswer } from './sign_in.ts';
import { headers } from './sign_in.ts';
import { useFocusKeeper } from '../dialogs/focus_keeper.tsx';
import styles from './second_factor.module.css';

export interface SecondStepProps {
  /** The server's response to name and password. */
  first: LoginAnswer;
  prefix: string;
  password: string;
  /** Continues the sign-in; null = cancelled. */
  resolve: (answer: LoginAnswer | null) => void;
}

/** The second step of the sign-in: the authenticator code, or setting it up if the client requires it. */
export default function SecondStep(props: SecondStepProps) {
  useFocusKeeper();
  const enrol = props.first.must_enrol === true;
  return (
    <Dialog open modalType="alert" onOpenChange={(_, { open }) => !open && props.resolve(null)}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>{enrol ? 'Set up 2-step verification' : '2-step verification'}</DialogTitle>
          {enrol ? <Enrol {...props} /> : <Code {...props} />}
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}

function Code({ first, prefix, resolve }: SecondStepProps) {
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [over, setOver] = useState(false);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || over) return;
    setBusy(true);
    try {
      const answer = await factorCall(headers)<LoginAnswer>('POST', '/api/sessions/otp', {
        challenge: first.challenge,
        code,
        prefix,
      });
      if (answer.result === 'success') return resolve(answer);
      setOver(answer.result !== 'failure');
      setProblem(answer.message ?? 'Please sign in again.');
    } catch (thrown) {
      setProblem((thrown as Error).message);
    }
    setBusy(false);
  };
  return (
    <>
      <DialogContent>
        <form id="second-step" className={styles.steps} onSubmit={(event) => void submit(event)} noValidate>
          <p>
            Enter the code that the authenticator program on your phone shows now. Without your phone, enter one of your
            recovery codes.
          </p>
          <Field label="Code" required {...(problem && { validationMessage: problem })}>
            <Input
              name="code"
              autoFocus
              autoComplete="one-time-code"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={20}
              value={code}
              onChange={(_, { value }) => setCode(value)}
            />
          </Field>
        </form>
      </DialogContent>
      <DialogActions>
        <Button onClick={() => resolve(null)}>Back</Button>
        {!over && (
          <Button type="submit" form="second-step" appearance="primary" disabledFocusable={busy || code.trim() === ''}>
            Sign in
          </Button>
        )}
      </DialogActions>
    </>
  );
}

function Enrol({ first, password, resolve }: SecondStepProps) {
  const call = useMemo(() => factorCall(() => headers(first.token)), [first.token]);
  const [begun, setBegun] = useState<Begun | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    call<{ data: Begun }>('POST', '/api/mfa/enrol', { password }).then(
      ({ data }) => setBegun(data),
      (error: Error) => setProblem(error.message),
    );
  }, [call, password]);
  return (
    <>
      <DialogContent>
        {codes ? (
          <RecoveryCodes codes={codes} onDone={() => resolve({ ...first, must_enrol: false })} />
        ) : begun ? (
          <>
            <p className={styles.note}>Your company requires a second step when you sign in.</p>
            <ConfirmFactor begun={begun} call={call} onDone={setCodes} />
          </>
        ) : (
          <p role="status">{problem ?? 'One moment…'}</p>
        )}
      </DialogContent>
      {!codes && (
        <DialogActions>
          <Button onClick={() => resolve(null)}>Back</Button>
        </DialogActions>
      )}
    </>
  );
}
