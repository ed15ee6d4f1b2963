import { Badge, Button, Field, Input } from '@fluentui/react-components';
import { MailArrowUpRegular } from '@fluentui/react-icons';
import type { FormEvent } from 'react';
import { useState } from 'react';
import useSWR from 'swr';
import type { ApiError } from '../../api/http.ts';
import { api } from '../../api/http.ts';
import { ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { useSession } from '../../app/session.ts';
import type { BespokeProps } from '../bespoke_props.ts';
import styles from './message.module.css';

interface Account {
  name: string;
  host: string;
  port: number;
  from_name: string;
  from_email: string;
}
interface Result {
  ok: boolean;
  error: string | null;
}

/** Sends a test mail through an account, and shows whether the server accepted it or why not. */
export default function MailTestPage({ params }: BespokeProps) {
  const { email } = useSession();
  const { data, error, mutate } = useSWR(`/tapi/mail_config_setting/${params.id}`, (path) =>
    api.get<{ data: Account }>(path, undefined, { quiet: true }),
  );
  const [to, setTo] = useState(email);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [result, setResult] = useState<Result | null>(null);

  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setProblem(null);
    setResult(null);
    try {
      setResult(await api.post<Result>(`/tapi/mail_config_setting/${params.id}/test`, { to }, { quiet: true }));
    } catch (thrown) {
      setProblem((thrown as ApiError).message);
    }
    setBusy(false);
  };

  return (
    <Page
      title={data ? `Test of ${data.data.name}` : 'Test mail'}
      breadcrumbs={[{ label: 'Mail accounts', to: '/mail_config_setting' }]}
      layout="form"
    >
      <PageBody>
        {error ? (
          <ErrorView error={error} retry={() => void mutate()} />
        ) : !data ? (
          <Skeleton rows={4} />
        ) : (
          <>
            <p className={styles.note}>
              By {data.data.host}, port {data.data.port}, from {data.data.from_name} &lt;{data.data.from_email}&gt;.
            </p>
            <form className={styles.line} onSubmit={(event) => void send(event)} noValidate>
              <Field label="Send to" required {...(problem && { validationMessage: problem })}>
                <Input type="email" name="to" value={to} onChange={(_, { value }) => setTo(value)} />
              </Field>
              <Button type="submit" appearance="primary" icon={<MailArrowUpRegular />} disabledFocusable={busy}>
                {busy ? 'Sending…' : 'Send test mail'}
              </Button>
            </form>
            <div role="status">
              {result && (
                <p>
                  <Badge appearance="tint" color={result.ok ? 'success' : 'danger'}>
                    {result.ok ? 'Sent' : 'Not sent'}
                  </Badge>{' '}
                  {result.ok
                    ? `The server took the mail for ${to}. Check that mailbox and its spam folder.`
                    : result.error}
                </p>
              )}
            </div>
          </>
        )}
      </PageBody>
    </Page>
  );
}
