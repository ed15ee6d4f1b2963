import { Button, Field, Select, Textarea } from '@fluentui/react-components';
import { BoardRegular, HourglassRegular, LockClosedRegular } from '@fluentui/react-icons';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { formatMoment, formatNumber } from '../../../../descriptor/format.ts';
import type { ClientAccess } from '../../../../domain/client_figures.ts';
import type { ApiError } from '../../../api/http.ts';
import { api } from '../../../api/http.ts';
import { EmptyState } from '../../../app/page.tsx';
import type { WidgetProps } from '../../../runtime/dashboard/widgets.ts';
import own from '../client_dashboard.module.css';

/** The client whose figures are shown, and the way to get access. */
export default function ClientAccessWidget({ data, again }: WidgetProps) {
  const [, setSearch] = useSearchParams();
  const { code, named, clients, client, access, asked_at: askedAt, until, collections } = data as ClientAccess;
  const name = clients.find(({ sub_domain: one }) => one === client)?.name ?? '';
  return (
    <>
      {clients.length > 1 && (
        <Select
          aria-label="Client"
          value={client ?? ''}
          onChange={(_, { value }) => setSearch({ client: value }, { replace: true })}
        >
          {clients.map((one) => (
            <option key={one.sub_domain} value={one.sub_domain}>
              {one.name}
            </option>
          ))}
        </Select>
      )}
      {access === 'none' ? (
        <EmptyState
          icon={<BoardRegular />}
          title="No client for this page"
          text={`It shows figures of the client at ${named.join(' or ')}, and of clients that gather the same figures. There is none here.`}
        />
      ) : access === 'off' ? (
        <EmptyState
          icon={<LockClosedRegular />}
          title={`${name} shows its figures to nobody`}
          text="The client’s configuration (support) says so. Its administrators can change it."
        />
      ) : access === 'asked' ? (
        <EmptyState
          icon={<HourglassRegular />}
          title={`${name} has not answered`}
          text={`You asked on ${formatMoment(askedAt!)}. The client's administrators grant or refuse it under Support requests.`}
          actions={[{ label: 'Check again', onClick: again }]}
        />
      ) : access === 'open' ? (
        <>
          {clients.length === 1 && <p className={own.from}>{name}</p>}
          {until !== null && <p className={own.until}>You may look until {formatMoment(until)}.</p>}
          <p className={own.from}>
            {collections.length === 0
              ? `${name} has no data for this page yet. Its import jobs, or a refresh under Trigger Analytics there, provide it.`
              : collections
                  .map(
                    (one) =>
                      `${one.title}: ${formatNumber(one.rows)} rows, ${one.refreshed_at === null ? 'never refreshed' : `as of ${formatMoment(one.refreshed_at)}`}`,
                  )
                  .join(' · ')}
          </p>
        </>
      ) : (
        <Ask
          key={client}
          path={`/api/client_dashboard/${code}`}
          client={client!}
          name={name}
          refused={access === 'refused'}
          asked={again}
        />
      )}
    </>
  );
}

/** Requests access from the client's administrators. */
function Ask({
  path,
  client,
  name,
  refused,
  asked,
}: {
  path: string;
  client: string;
  name: string;
  refused: boolean;
  asked: () => void;
}) {
  const [reason, setReason] = useState('');
  const [minutes, setMinutes] = useState('60');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setProblem(null);
    try {
      await api.post(`${path}/ask`, { client, reason, minutes: Number(minutes) }, { quiet: true });
      asked();
    } catch (thrown) {
      setProblem((thrown as ApiError).message);
    }
    setBusy(false);
  };
  return (
    <form className={own.ask} onSubmit={(event) => void send(event)} noValidate>
      <h2>{refused ? `${name} refused your last request` : `${name} decides who sees its figures`}</h2>
      <p>
        An administrator of the client gets your request with your name and the reason, and agrees or refuses. What you
        open is kept in the client’s activity log.
      </p>
      <Field label="Reason" required {...(problem && { validationMessage: problem })}>
        <Textarea
          value={reason}
          maxLength={250}
          placeholder="Ticket 1182: totals of September"
          onChange={(_, { value }) => setReason(value)}
        />
      </Field>
      <Field label="For how long">
        <Select value={minutes} onChange={(_, { value }) => setMinutes(value)}>
          <option value="60">1 hour</option>
          <option value="480">8 hours</option>
          <option value="1440">1 day</option>
          <option value="10080">7 days</option>
        </Select>
      </Field>
      <Button type="submit" appearance="primary" disabledFocusable={busy}>
        {busy ? 'Asking…' : 'Ask for access'}
      </Button>
    </form>
  );
}
