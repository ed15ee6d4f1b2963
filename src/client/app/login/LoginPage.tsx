import { Button, Field, Input } from '@fluentui/react-components';
import { EyeOffRegular, EyeRegular, LockClosedRegular, PersonRegular } from '@fluentui/react-icons';
import type { FormEvent, KeyboardEvent } from 'react';
import { Suspense, lazy, useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import type { HostInfo } from '../brand.ts';
import { host as hostStore } from '../brand.ts';
import { alertDialog, toast } from '../feedback.ts';
import { forgetSession, isPhone, rememberSession, storedSession, usePhone } from '../session.ts';
import type { Company } from '../stored_session.ts';
import { watchVersion } from '../version_check.ts';
import { Brandmark } from './brandmark.tsx';
import type { SecondStepProps } from './second_step.tsx';
import { landingAfterSignIn, safeNext, signIn, updateLoggedData } from './sign_in.ts';
import styles from './login.module.css';

const CompanyDialog = lazy(() => import('../dialogs/company_dialog.tsx'));
const SecondStep = lazy(() => import('./second_step.tsx'));
const HelpDialog = lazy(() => import('./help_dialog.tsx'));
const ThemeSwitch = lazy(() => import('./theme_switch.tsx'));

/** The sign-in page; its look depends on the host. */
export default function LoginPage() {
  const host = hostStore.use();
  useEffect(watchVersion, []);
  useEffect(() => {
    document.title = host ? `Sign in · ${host.brand.title}` : 'Sign in';
  }, [host]);
  if (!host) return null;
  if (!host.known) {
    return (
      <main className={styles.unknown}>
        <h1>This address is not in use</h1>
      </main>
    );
  }
  return <SignIn host={host} />;
}

/**
 * The sign-in form of a host's brand, also used to preview brands. A person who has just chosen a password is signed in
 * at once, by `start`.
 */
export function SignIn({ host, start }: { host: HostInfo; start?: { email: string; password: string } }) {
  const { loginVariant: variant, title } = host.brand;
  const phone = usePhone();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const [email, setEmail] = useState(start?.email ?? '');
  const [password, setPassword] = useState(start?.password ?? '');
  const [subDomain, setSubDomain] = useState('');
  const [shown, setShown] = useState(false);
  const [busy, setBusy] = useState(false);
  const [help, setHelp] = useState(false);
  const [second, setSecond] = useState<SecondStepProps | null>(null);
  const [companies, setCompanies] = useState<Company[] | null>(null);
  const [missing, setMissing] = useState<{ email?: boolean; password?: boolean }>({});
  const passwordField = useRef<HTMLInputElement>(null);
  const subDomainField = useRef<HTMLInputElement>(null);
  const required = variant === 'board';
  const asksSubDomain = host.subDomain === null && !host.admin;

  const goOn = async (target: string) => {
    // The menu decides whether this user may open the first page; the frame needs it next anyway.
    const { firstPage } = await import('../first_page.ts');
    void navigate(await firstPage(target), { replace: true });
  };

  const submit = async () => {
    if (busy || (asksSubDomain && subDomain.trim() === '')) return;
    const empty = { email: email.trim() === '', password: password.trim() === '' };
    if (empty.email || empty.password) {
      setMissing(empty);
      return;
    }
    setBusy(true);
    const answer = await signIn(
      { email, password, subDomain },
      host,
      (first, prefix) => new Promise((resolve) => setSecond({ first, prefix, password: password.trim(), resolve })),
    );
    setSecond(null);
    if (answer.result !== 'success') {
      setBusy(false);
      if (answer.result === 'cancelled') return;
      if (answer.result === 'error') {
        toast.error('server error');
        return;
      }
      if (answer.result === 'deactivated' || answer.result === 'no_company') forgetSession();
      await alertDialog({
        type: 'error',
        text:
          answer.result === 'locked'
            ? answer.message
            : answer.result === 'deactivated'
              ? 'Client is Deactivated'
              : answer.result === 'no_company'
                ? 'Your account has no company. Contact your administrator.'
                : 'Invalid credentails',
      });
      passwordField.current?.focus();
      return;
    }
    const { session, mustChangePassword } = answer;
    const only = answer.companies.length === 1 ? answer.companies[0] : undefined;
    rememberSession(session);
    setTimeout(() => {
      void updateLoggedData(
        {
          token: session.token,
          user_id: session.user_id,
          domain: session.domain ?? '',
          expiry_date: session.expiry_date ?? '',
        },
        new Date(),
      ).then((failed) => {
        if (failed) toast.error(`${failed.status} ${failed.statusText}`.trim());
      });
    }, 3000);
    if (mustChangePassword) toast.warning('Please change your password: it was set by your administrator.');
    if (answer.companies.length > 1) {
      setBusy(false);
      setCompanies(answer.companies);
      return;
    }
    try {
      if (only) {
        const { chooseCompany } = await import('../company_choice.ts');
        await chooseCompany(only);
      }
      await goOn(safeNext(query.get('next')) ?? landingAfterSignIn(session, variant, isPhone()));
    } catch {
      forgetSession();
      toast.error('server error');
      setBusy(false);
    }
  };

  const started = useRef(false);
  useEffect(() => {
    if (!start || started.current) return;
    started.current = true;
    void submit();
  });

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };

  /** Enter moves to the next empty field; in the last one it submits. */
  const enterTo = (next: { current: HTMLInputElement | null }) => (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !next.current) return;
    event.preventDefault();
    next.current.focus();
  };

  const heading = phone ? 'Hey there!' : `Sign in to ${title}`;
  return (
    <main className={styles.page} data-variant={variant}>
      <section className={styles.card} aria-labelledby="sign-in-heading" aria-busy={busy}>
        <Brandmark brand={host.brand} />
        <div className={styles.words}>
          <h1 id="sign-in-heading">{heading}</h1>
          <p>{phone ? 'Please login to continue.' : 'Use your work e-mail or username.'}</p>
        </div>
        {query.get('ended') !== null && (
          <p className={styles.ended} role="status">
            Your session has ended. Please sign in again.
          </p>
        )}
        <form onSubmit={onSubmit} noValidate>
          <Field
            label="E-mail or username"
            required={required}
            {...(missing.email && { validationMessage: 'Enter your e-mail or username.' })}
          >
            <Input
              size="large"
              name="username"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              autoFocus={!phone}
              contentBefore={<PersonRegular />}
              value={email}
              onChange={(_, data) => {
                setEmail(data.value);
                setMissing((old) => ({ ...old, email: false }));
              }}
              onKeyDown={enterTo(passwordField)}
            />
          </Field>
          <Field
            label="Password"
            required={required}
            {...(missing.password && { validationMessage: 'Enter your password.' })}
          >
            <Input
              size="large"
              name="password"
              ref={passwordField}
              type={shown ? 'text' : 'password'}
              autoComplete="current-password"
              contentBefore={<LockClosedRegular />}
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
              value={password}
              onChange={(_, data) => {
                setPassword(data.value);
                setMissing((old) => ({ ...old, password: false }));
              }}
              {...(asksSubDomain && { onKeyDown: enterTo(subDomainField) })}
            />
          </Field>
          {asksSubDomain && (
            <Field label="Sub Domain" hint="The first part of your company's address, for example acme.">
              <Input
                size="large"
                name="sub_domain"
                ref={subDomainField}
                autoComplete="organization"
                autoCapitalize="none"
                spellCheck={false}
                value={subDomain}
                onChange={(_, data) => setSubDomain(data.value.toLowerCase().trim())}
              />
            </Field>
          )}
          <Button type="submit" appearance="primary" size="large" className={styles.submit} disabledFocusable={busy}>
            Sign in
          </Button>
        </form>
        <div className={styles.links}>
          <Link to={host.admin ? '/forgotpassword_admin' : '/forgotpassword'}>Forgot Password</Link>
          {variant === 'themed' && (
            <button type="button" onClick={() => setHelp(true)}>
              Not able to log in
            </button>
          )}
        </div>
        {busy && (
          <div className={styles.overlay} role="status">
            <span className={styles.spinner} aria-hidden />
            Signing in…
          </div>
        )}
      </section>
      <footer className={styles.footer}>
        {!phone && title}
        {host.brand.links.map(({ name, url }) => (
          <a key={url} href={url}>
            {name}
          </a>
        ))}
      </footer>
      <Suspense fallback={null}>
        {variant === 'themed' && <ThemeSwitch />}
        {second && <SecondStep {...second} />}
        {help && <HelpDialog brand={host.brand} onClose={() => setHelp(false)} />}
        {companies && (
          <CompanyDialog
            companies={companies}
            current={null}
            onApplied={() => {
              const target = safeNext(query.get('next'));
              void goOn(target ?? landingHere(variant)).then(() => setCompanies(null));
            }}
          />
        )}
      </Suspense>
    </main>
  );
}

function landingHere(variant: HostInfo['brand']['loginVariant']): string {
  return landingAfterSignIn(storedSession(), variant, isPhone());
}
