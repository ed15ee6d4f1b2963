import { Badge, Button, Checkbox, Field, Input, Select, Tab, TabList } from '@fluentui/react-components';
import { LaptopRegular } from '@fluentui/react-icons';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import useSWR from 'swr';
import { ApiError, api } from '../../api/http.ts';
import { confirmDialog, toast } from '../../app/feedback.ts';
import { momentWords } from '../../app/layout/notification_list.tsx';
import type { NewPasswordValue } from '../../app/login/NewPassword.tsx';
import { NewPassword, newPasswordProblem } from '../../app/login/NewPassword.tsx';
import { ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { TableHead } from '../../app/table_head.tsx';
import { FactorTab } from './FactorTab.tsx';
import styles from './account.module.css';

const TABS = {
  password: 'Password',
  factor: '2-step verification',
  sessions: 'Sign-ins',
  notifications: 'Notifications',
} as const;
type TabName = keyof typeof TABS;

/** The user's own account: password, sessions, and notification settings. */
export default function AccountPage() {
  const { pathname } = useLocation();
  const [query, setQuery] = useSearchParams();
  const asked = query.get('tab') ?? 'password';
  const tab: TabName = pathname === '/forgotpassword_profile' || !(asked in TABS) ? 'password' : (asked as TabName);
  return (
    <Page title="Account and security" breadcrumbs={[]} layout="form">
      <PageBody>
        <TabList
          className={styles.tabs}
          selectedValue={tab}
          onTabSelect={(_, { value }) => setQuery({ tab: String(value) }, { replace: true })}
        >
          {Object.entries(TABS).map(([value, title]) => (
            <Tab key={value} value={value}>
              {title}
            </Tab>
          ))}
        </TabList>
        <div className={styles.panel}>
          {tab === 'password' && <PasswordTab />}
          {tab === 'factor' && <FactorTab />}
          {tab === 'sessions' && <SessionsTab />}
          {tab === 'notifications' && <NotificationsTab />}
        </div>
      </PageBody>
    </Page>
  );
}

function PasswordTab() {
  const [current, setCurrent] = useState('');
  const [value, setValue] = useState<NewPasswordValue>({ password: '', again: '' });
  const [others, setOthers] = useState(true);
  const [problem, setProblem] = useState<{ field: 'current' | 'password' | 'again'; message: string } | null>(null);
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const found =
      current.trim() === ''
        ? ({ field: 'current', message: 'Enter your current password.' } as const)
        : newPasswordProblem(value);
    setProblem(found);
    if (found) return;
    setBusy(true);
    try {
      await api.post(
        '/api/password/change',
        { current, password: value.password, sign_out_others: others },
        { quiet: true },
      );
      toast.success('Your password is changed.');
      setCurrent('');
      setValue({ password: '', again: '' });
    } catch (thrown) {
      const error = thrown as ApiError;
      setProblem({ field: error.field === 'current' ? 'current' : 'password', message: error.message });
    }
    setBusy(false);
  };

  return (
    <form className={styles.narrow} onSubmit={(event) => void submit(event)} noValidate>
      <Field
        label="Current password"
        required
        {...(problem?.field === 'current' && { validationMessage: problem.message })}
      >
        <Input
          type="password"
          name="current-password"
          autoComplete="current-password"
          value={current}
          onChange={(_, data) => setCurrent(data.value)}
        />
      </Field>
      <NewPassword
        value={value}
        onChange={setValue}
        problem={
          problem?.field === 'current' ? null : (problem as { field: 'password' | 'again'; message: string } | null)
        }
      />
      <Checkbox
        label="Sign out everywhere else"
        checked={others}
        onChange={(_, { checked }) => setOthers(checked === true)}
      />
      <div>
        <Button type="submit" appearance="primary" disabledFocusable={busy}>
          Change password
        </Button>
      </div>
    </form>
  );
}

interface SignIn {
  sid: string;
  device_label: string | null;
  ip: string | null;
  created_at: string;
  last_seen_at: string;
  current: boolean;
}

function SessionsTab() {
  const { data, error, mutate } = useSWR('/api/sessions', (path) =>
    api.get<{ data: SignIn[] }>(path, undefined, { quiet: true }),
  );
  if (error) return <ErrorView error={error} retry={() => void mutate()} />;
  if (!data) return <Skeleton rows={3} />;
  const end = async (path: string, words: string) => {
    if (!(await confirmDialog({ title: 'Sign out?', text: words, confirmLabel: 'Sign out' }))) return;
    try {
      await api.delete(path);
      await mutate();
      toast.success('Signed out.');
    } catch {
      // The call has shown the error.
    }
  };
  const others = data.data.filter(({ current }) => !current).length;
  return (
    <>
      <ul className={styles.sessions}>
        {data.data.map((one) => (
          <li key={one.sid}>
            <LaptopRegular className={styles.device} aria-hidden />
            <div>
              <strong>{one.device_label ?? 'Unknown device'}</strong>
              {one.current && (
                <Badge appearance="tint" color="success">
                  This device
                </Badge>
              )}
              <span>
                {one.ip} · active {momentWords(one.last_seen_at)} · signed in {momentWords(one.created_at)}
              </span>
            </div>
            {!one.current && (
              <Button
                onClick={() =>
                  void end(`/api/sessions/${one.sid}`, `${one.device_label ?? 'That device'} has to sign in again.`)
                }
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      {others > 0 && (
        <Button
          onClick={() =>
            void end('/api/sessions?others=true', 'Every other device has to sign in again. You stay signed in here.')
          }
        >
          Sign out all others ({others})
        </Button>
      )}
    </>
  );
}

interface Preferences {
  hours: { quiet_from: string | null; quiet_to: string | null; digest_at: string | null };
  defaults: { quiet_from: string | null; quiet_to: string | null; digest_at: string };
  events: {
    code: string;
    name: string;
    module: string;
    channels: { inApp: boolean; mail: boolean; push: boolean };
    can_mute: boolean;
    in_app: boolean;
    email: 'now' | 'digest' | 'off';
    push: boolean;
  }[];
}

function NotificationsTab() {
  const { data, error, mutate } = useSWR('/tapi/notification_preferences', (path) =>
    api.get<{ data: Preferences }>(path, undefined, { quiet: true }),
  );
  if (error) return <ErrorView error={error} retry={() => void mutate()} />;
  if (!data) return <Skeleton rows={8} />;
  return <PreferencesForm key={JSON.stringify(data.data)} stored={data.data} onSaved={() => void mutate()} />;
}

function PreferencesForm({ stored, onSaved }: { stored: Preferences; onSaved: () => void }) {
  const [draft, setDraft] = useState(stored);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiError | null>(null);
  const events = draft.events.filter(({ can_mute }) => can_mute);
  const changed = JSON.stringify(draft) !== JSON.stringify(stored);
  const change = (code: string, more: Partial<Preferences['events'][number]>) =>
    setDraft({ ...draft, events: draft.events.map((one) => (one.code === code ? { ...one, ...more } : one)) });
  const hour = (name: keyof Preferences['hours'], label: string, hint?: string) => (
    <Field
      label={label}
      {...(hint && { hint })}
      {...(problem?.field === name && { validationMessage: problem.message })}
    >
      <Input
        type="time"
        value={draft.hours[name]?.slice(0, 5) ?? ''}
        onChange={(_, { value }) =>
          setDraft({ ...draft, hours: { ...draft.hours, [name]: value === '' ? null : value } })
        }
      />
    </Field>
  );
  const save = async () => {
    setBusy(true);
    setProblem(null);
    try {
      await api.put(
        '/tapi/notification_preferences',
        { hours: draft.hours, events: events.map(({ code, in_app, email, push }) => ({ code, in_app, email, push })) },
        { quiet: true },
      );
      toast.success('Preferences saved.');
      onSaved();
    } catch (thrown) {
      const error = thrown as ApiError;
      setProblem(error);
      if (!['quiet_from', 'quiet_to', 'digest_at'].includes(error.field ?? '')) toast.error(error.message);
    }
    setBusy(false);
  };
  return (
    <>
      <div className={styles.hours}>
        {hour(
          'quiet_from',
          'Quiet from',
          `Mails and push messages wait until the quiet hours end, except errors. ${draft.defaults.quiet_from ? `Empty = ${draft.defaults.quiet_from.slice(0, 5)} to ${draft.defaults.quiet_to?.slice(0, 5)}. The same time twice = no quiet hours.` : ''}`,
        )}
        {hour('quiet_to', 'Quiet until')}
        {hour('digest_at', 'Daily summary at', 'For notifications set to “Once a day”. Default 08:30.')}
      </div>
      <div className={styles.tableFrame}>
        <table className={styles.table}>
          <TableHead columns={['What', 'In the application', 'By mail', 'Push']} />
          <tbody>
            {events.map((event) => (
              <tr key={event.code}>
                <th scope="row">{event.name}</th>
                <td>
                  {event.channels.inApp && (
                    <Checkbox
                      aria-label={`${event.name}: in the application`}
                      checked={event.in_app}
                      onChange={(_, { checked }) => change(event.code, { in_app: checked === true })}
                    />
                  )}
                </td>
                <td>
                  {(event.channels.mail || event.channels.inApp) && (
                    <Select
                      size="small"
                      aria-label={`${event.name}: by mail`}
                      value={event.channels.mail || event.email === 'digest' ? event.email : 'off'}
                      onChange={(_, { value }) => change(event.code, { email: value as 'now' })}
                    >
                      {event.channels.mail && <option value="now">At once</option>}
                      <option value="digest">Once a day</option>
                      <option value="off">No</option>
                    </Select>
                  )}
                </td>
                <td>
                  {event.channels.push && (
                    <Checkbox
                      aria-label={`${event.name}: push`}
                      checked={event.push}
                      onChange={(_, { checked }) => change(event.code, { push: checked === true })}
                    />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={styles.note}>Security messages about your account are always sent.</p>
      <Button appearance="primary" disabledFocusable={busy || !changed} onClick={() => void save()}>
        Save preferences
      </Button>
    </>
  );
}
