import { Button, Field, Input } from '@fluentui/react-components';
import type { FormEvent, ReactNode } from 'react';
import { Suspense, lazy, useEffect, useState } from 'react';
import { Link, Navigate, useLocation } from 'react-router-dom';
import type { HostInfo } from '../brand.ts';
import { host as hostStore } from '../brand.ts';
import { Brandmark } from './brandmark.tsx';
import type { NewPasswordValue } from './NewPassword.tsx';
import { NewPassword, newPasswordProblem } from './NewPassword.tsx';
import styles from './login.module.css';

const SignIn = lazy(() => import('./LoginPage.tsx').then((page) => ({ default: page.SignIn })));

/** A forgotten password: first the link by mail, then the new password. Invitations lead here too. */
export default function ForgotPage() {
  const host = hostStore.use();
  const { pathname, hash, search } = useLocation();
  if (!host) return null;
  const own = host.admin ? '/forgotpassword_admin' : '/forgotpassword';
  // Each host has its own address for this.
  if (pathname !== own) return <Navigate to={own + search + hash} replace />;
  const token = /^#token=([\w-]+)$/.exec(hash)?.[1];
  return token === undefined ? <AskForLink host={host} /> : <ChoosePassword host={host} token={token} />;
}

async function post(path: string, body: object): Promise<{ status: number; data: Record<string, unknown> }> {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, data: (await answer.json().catch(() => ({}))) as Record<string, unknown> };
}

const messageOf = (data: Record<string, unknown>) =>
  (data.error as { message?: string } | undefined)?.message ?? 'Server Error';
const NO_ANSWER = 'Unable to contact server';

function Card({
  host,
  title,
  children,
  busy = false,
}: {
  host: HostInfo;
  title: string;
  children: ReactNode;
  busy?: boolean;
}) {
  useEffect(() => {
    document.title = `${title} · ${host.brand.title}`;
  }, [title, host.brand.title]);
  return (
    <main className={styles.page}>
      <section className={styles.card} aria-labelledby="forgot-heading" aria-busy={busy}>
        <Brandmark brand={host.brand} />
        <div className={styles.words}>
          <h1 id="forgot-heading">{title}</h1>
        </div>
        {children}
        <div className={styles.links}>
          <Link to="/login">Back to sign in</Link>
        </div>
      </section>
    </main>
  );
}

function AskForLink({ host }: { host: HostInfo }) {
  const [email, setEmail] = useState('');
  const [subDomain, setSubDomain] = useState('');
  const [problem, setProblem] = useState('');
  const [state, setState] = useState<'idle' | 'busy' | 'sent'>('idle');
  const asksSubDomain = host.subDomain === null && !host.admin;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (state === 'busy') return;
    if (email.trim() === '') return setProblem('Enter your e-mail or username.');
    if (asksSubDomain && subDomain === '') return setProblem('Enter the sub-domain of your company.');
    setProblem('');
    setState('busy');
    try {
      const { status, data } = await post('/api/password/forgot', { email: email.trim(), prefix: subDomain });
      if (status === 202) return setState('sent');
      setProblem(messageOf(data));
    } catch {
      setProblem(NO_ANSWER);
    }
    setState('idle');
  };

  if (state === 'sent')
    return (
      <Card host={host} title="Check your mail">
        <p role="status">
          If there is an account for <strong>{email.trim()}</strong>, a link to choose a new password is on its way. It
          works for {host.password?.linkMinutes ?? 30} minutes.
        </p>
        <p>
          No mail? Check your spam folder, or ask your administrator
          {host.brand.supportEmail ? ` or ${host.brand.supportEmail}` : ''}.
        </p>
      </Card>
    );
  return (
    <Card host={host} title="Forgot your password?" busy={state === 'busy'}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Field
          label="E-mail or username"
          required
          hint="We send a link to the e-mail address of your account."
          {...(problem && { validationMessage: problem })}
        >
          <Input
            size="large"
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            value={email}
            onChange={(_, data) => setEmail(data.value)}
          />
        </Field>
        {asksSubDomain && (
          <Field label="Sub Domain" hint="The first part of your company's address, for example acme.">
            <Input
              size="large"
              name="sub_domain"
              autoCapitalize="none"
              spellCheck={false}
              value={subDomain}
              onChange={(_, data) => setSubDomain(data.value.toLowerCase().trim())}
            />
          </Field>
        )}
        <Button
          type="submit"
          appearance="primary"
          size="large"
          className={styles.submit}
          disabledFocusable={state === 'busy'}
        >
          Send the link
        </Button>
      </form>
    </Card>
  );
}

function ChoosePassword({ host, token }: { host: HostInfo; token: string }) {
  const [value, setValue] = useState<NewPasswordValue>({ password: '', again: '' });
  const [problem, setProblem] = useState<{ field: 'password' | 'again'; message: string } | null>(null);
  const [state, setState] = useState<'idle' | 'busy' | 'done' | 'expired'>('idle');
  const [username, setUsername] = useState('');
  const [invited, setInvited] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (state === 'busy') return;
    const found = newPasswordProblem(value);
    setProblem(found);
    if (found) return;
    setState('busy');
    try {
      const { status, data } = await post('/api/password/reset', {
        token,
        password: value.password,
        prefix: host.subDomain === null ? '' : undefined,
      });
      if (status === 200 && data.result === 'success') {
        setUsername(String(data.username ?? ''));
        setInvited(data.invited === true);
        // The token is used up; it is removed from the address.
        history.replaceState(history.state, '', location.pathname);
        return setState('done');
      }
      if (status === 200) return setState('expired');
      setProblem({ field: 'password', message: messageOf(data) });
    } catch {
      setProblem({ field: 'password', message: NO_ANSWER });
    }
    setState('idle');
  };

  if (state === 'expired')
    return (
      <Card host={host} title="This link has expired">
        <p role="status">Links work once and for a short time.</p>
        <p>
          <Button
            appearance="primary"
            size="large"
            className={styles.submit}
            onClick={() => location.assign(location.pathname)}
          >
            Send a new one
          </Button>
        </p>
      </Card>
    );
  if (state === 'done' && invited)
    return (
      <Suspense fallback={null}>
        <SignIn host={host} start={{ email: username, password: value.password }} />
      </Suspense>
    );
  if (state === 'done')
    return (
      <Card host={host} title="Your new password is set">
        <p role="status">You are signed out everywhere else. Sign in as {username} with the new password.</p>
        <p>
          <Button appearance="primary" size="large" className={styles.submit} onClick={() => location.assign('/login')}>
            Sign in
          </Button>
        </p>
      </Card>
    );
  return (
    <Card host={host} title="Choose your password" busy={state === 'busy'}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <NewPassword value={value} onChange={setValue} problem={problem} />
        <Button
          type="submit"
          appearance="primary"
          size="large"
          className={styles.submit}
          disabledFocusable={state === 'busy'}
        >
          Save password
        </Button>
      </form>
    </Card>
  );
}
