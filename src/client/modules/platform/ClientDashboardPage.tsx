import { Button, Field, Select, Textarea } from '@fluentui/react-components';
import { BoardRegular, HourglassRegular, LockClosedRegular } from '@fluentui/react-icons';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import useSWR from 'swr';
import type { ClientFigures } from '../../../domain/client_figures.ts';
import type { ApiError } from '../../api/http.ts';
import { formatMoment, formatNumber } from '../../../descriptor/format.ts';
import { api } from '../../api/http.ts';
import { EmptyState, ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { Bars, Box, Figure, dashboardStyles as styles } from '../dashboard_parts.tsx';
import { amountWords, comparedWords, monthWords } from './client_figures.ts';
import own from './client_dashboard.module.css';

interface Dashboard {
  title: string;
  /** Sub-domains that the page was made for. */
  named: string[];
  clients: { sub_domain: string; name: string }[];
  client: string | null;
  access: 'none' | 'off' | 'ask' | 'asked' | 'refused' | 'open';
  asked_at: string | null;
  until: string | null;
  figures: ClientFigures | null;
}

/** The figures of one client, as far as the client lets people of the platform see them. */
export default function ClientDashboardPage() {
  const { pathname } = useLocation();
  const [search, setSearch] = useSearchParams();
  const wanted = search.get('client');
  const path = `/api/client_dashboard${pathname}`;
  const { data, error, mutate } = useSWR(
    [path, wanted],
    async ([address, client]) =>
      (await api.get<{ data: Dashboard }>(address, client === null ? {} : { client }, { quiet: true })).data,
  );
  const again = () => void mutate();
  const name = data?.clients.find(({ sub_domain: one }) => one === data.client)?.name ?? '';
  return (
    <Page
      title={data?.title ?? 'Client dashboard'}
      {...(data &&
        data.clients.length > 1 && {
          aside: (
            <Select
              aria-label="Client"
              value={data.client ?? ''}
              onChange={(_, { value }) => setSearch({ client: value }, { replace: true })}
            >
              {data.clients.map((one) => (
                <option key={one.sub_domain} value={one.sub_domain}>
                  {one.name}
                </option>
              ))}
            </Select>
          ),
        })}
    >
      <PageBody>
        {error && !data ? (
          <ErrorView error={error} retry={again} home />
        ) : !data ? (
          <Skeleton rows={8} label="Loading figures" />
        ) : data.access === 'none' ? (
          <EmptyState
            icon={<BoardRegular />}
            title="No client for this page"
            text={`It shows figures of the client at ${data.named.join(' or ')}, and of clients that gather the same figures. There is none here.`}
          />
        ) : data.access === 'off' ? (
          <EmptyState
            icon={<LockClosedRegular />}
            title={`${name} shows its figures to nobody`}
            text="The client has chosen so in its configuration (support). Its administrators can change it."
          />
        ) : data.access === 'asked' ? (
          <EmptyState
            icon={<HourglassRegular />}
            title={`${name} has not answered`}
            text={`You asked on ${formatMoment(data.asked_at!)}. An administrator there agrees or refuses under Support requests.`}
            actions={[{ label: 'Look again', onClick: again }]}
          />
        ) : data.figures === null ? (
          <Ask
            key={data.client}
            path={path}
            client={data.client!}
            name={name}
            refused={data.access === 'refused'}
            asked={again}
          />
        ) : (
          <Figures figures={data.figures} until={data.until} name={name} />
        )}
      </PageBody>
    </Page>
  );
}

/** Asks the client's administrators. */
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

function Figures({
  figures: { kpis, top, collections },
  until,
  name,
}: {
  figures: ClientFigures;
  until: string | null;
  name: string;
}) {
  const held = kpis.filter(({ value }) => value !== null);
  return (
    <>
      {until !== null && <p className={own.until}>You may look until {formatMoment(until)}.</p>}
      {held.length === 0 ? (
        <EmptyState
          icon={<BoardRegular />}
          title="No figures yet"
          text={`${name} has gathered nothing for this page. Its import jobs, or a refresh under Trigger Analytics there, fill it.`}
        />
      ) : (
        <>
          <ul className={`${styles.figures} ${own.figures}`}>
            {held.map((kpi) => (
              <li key={kpi.id}>
                <Figure value={amountWords(kpi.value!, kpi.unit)} title={kpi.name} note={comparedWords(kpi)} />
              </li>
            ))}
          </ul>
          <div className={`${styles.boxes} ${own.boxes}`}>
            {held
              .filter(({ months }) => months.length > 1)
              .map((kpi) => (
                <Box key={kpi.id} title={`${kpi.name} by month`}>
                  <Bars
                    rows={kpi.months.map(({ month, value }) => ({ title: monthWords(month), value: Number(value) }))}
                    words={(value) => amountWords(String(value), kpi.unit)}
                  />
                </Box>
              ))}
            {top
              .filter(({ rows }) => rows.length > 0)
              .map((list) => (
                <Box key={list.title} title={list.title}>
                  <Bars
                    rows={list.rows.map((row) => ({ title: row.name, value: Number(row.value) }))}
                    words={(value) => amountWords(String(value), list.unit)}
                  />
                </Box>
              ))}
          </div>
        </>
      )}
      {collections.length > 0 && (
        <p className={own.from}>
          {collections
            .map(
              (one) =>
                `${one.title}: ${formatNumber(one.rows)} rows, ${one.refreshed_at === null ? 'never refreshed' : `as of ${formatMoment(one.refreshed_at)}`}`,
            )
            .join(' · ')}
        </p>
      )}
    </>
  );
}
