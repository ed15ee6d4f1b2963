import type { ReactNode } from 'react';
import { Button, Tab, TabList } from '@fluentui/react-components';
import { ArrowClockwiseRegular, DismissRegular } from '@fluentui/react-icons';
import { Link, useSearchParams } from 'react-router-dom';
import useSWR from 'swr';
import type { RefusedStep } from '../../../domain/refused_step.ts';
import { api } from '../../api/http.ts';
import { confirmDialog, toast } from '../../app/feedback.ts';
import { Page, PageBody } from '../../app/page.tsx';
import { JobRuns, Jobs, getSchedules } from './job_list.tsx';
import { LoadedTable } from './loaded_table.tsx';
import { JobState as State, moment } from './job_state.tsx';
import styles from './rights.module.css';

interface Mail {
  id: number;
  channel: string;
  recipient: string;
  subject: string;
  state: string;
  attempts: number;
  error: string | null;
  created_at: string;
  next_at: string;
  sent_at: string | null;
}
interface ParkedDelivery {
  id: number;
  event: string;
  subscriber: string;
  record_type: string | null;
  record_id: number | null;
  at: string;
  attempts: number;
  error: string | null;
  waiting: number;
}

const get = <T,>(path: string) => api.get<{ data: T }>(path, undefined, { quiet: true });
const TABS: Record<string, () => ReactNode> = {
  jobs: Jobs,
  runs: JobRuns,
  parked: Parked,
  refused: Refused,
};

/** Background work: jobs with schedules and runs, waiting mails, and undelivered ones. */
export default function JobsPage() {
  const [query, setQuery] = useSearchParams();
  const tab = query.get('tab') ?? 'jobs';
  const { data: schedules } = useSWR('/tapi/jobs', getSchedules);
  const Shown = TABS[tab] ?? Mails;
  return (
    <Page title="Jobs and mails" breadcrumbs={[{ label: 'Settings' }]}>
      <PageBody>
        <TabList
          selectedValue={tab}
          onTabSelect={(_, { value }) => setQuery({ tab: String(value) }, { replace: true })}
        >
          <Tab value="jobs">Jobs</Tab>
          <Tab value="runs">Runs</Tab>
          {schedules?.mails && <Tab value="mails">Mails</Tab>}
          {schedules?.mails && <Tab value="parked">Parked</Tab>}
          {schedules?.mails && <Tab value="refused">Refused steps</Tab>}
        </TabList>
        <div className={styles.filters} />
        <Shown />
      </PageBody>
    </Page>
  );
}

function Mails() {
  const mails = useSWR('/tapi/outbox', get<Mail[]>, { refreshInterval: 10_000 });
  return (
    <LoadedTable
      loaded={mails}
      columns={['Mail', 'To', 'State', 'Tries', 'Made', 'Sent, or goes at', { unseen: 'Try again' }]}
      empty={{
        title: 'No mail has been sent',
        text: 'Invitations, reset links and notifications by mail are listed here.',
      }}
    >
      {(mail) => (
        <tr key={mail.id} data-row>
          <th scope="row">
            <span className={styles.name}>
              {mail.subject}
              {mail.error && <span className={styles.closed}>{mail.error}</span>}
            </span>
          </th>
          <td>{mail.channel === 'mail' ? mail.recipient : 'push'}</td>
          <td>
            <State state={mail.state} />
          </td>
          <td>{mail.attempts}</td>
          <td>{moment(mail.created_at)}</td>
          <td>
            {mail.sent_at
              ? moment(mail.sent_at)
              : ['queued', 'retry'].includes(mail.state)
                ? moment(mail.next_at)
                : '–'}
          </td>
          <td>
            {['dead', 'retry', 'suppressed'].includes(mail.state) && (
              <Button
                size="small"
                icon={<ArrowClockwiseRegular />}
                onClick={() =>
                  void api.post(`/tapi/outbox/${mail.id}/retry`, {}).then(
                    () => mails.mutate(),
                    () => undefined,
                  )
                }
              >
                Try again
              </Button>
            )}
          </td>
        </tr>
      )}
    </LoadedTable>
  );
}

/** Handlers of events that failed at every attempt. */
function Parked() {
  const parked = useSWR('/tapi/event_delivery', get<ParkedDelivery[]>, { refreshInterval: 10_000 });
  const act = async ({ id }: ParkedDelivery, what: 'retry' | 'drop') => {
    await api.post(`/tapi/event_delivery/${id}/${what}`, {});
    toast.success(
      what === 'retry' ? 'It is tried again now.' : 'The delivery was discarded. Later deliveries continue.',
    );
    await parked.mutate();
  };
  const drop = async (one: ParkedDelivery) => {
    const sure = await confirmDialog({
      title: 'Drop it?',
      text: `"${wordsOf(one.subscriber)}" will never process this event. Later events continue.`,
      confirmLabel: 'Drop',
      danger: true,
    });
    if (sure) await act(one, 'drop');
  };
  return (
    <LoadedTable
      loaded={parked}
      columns={['What happened', 'For', 'When', 'Tries', 'Waiting for it', { unseen: 'Actions' }]}
      empty={{
        title: 'Nothing is parked',
        text: 'Event deliveries that failed six times are listed here for you to decide.',
      }}
    >
      {(one) => (
        <tr key={one.id} data-row>
          <th scope="row">
            <span className={styles.name}>
              {wordsOf(one.event)}
              {one.record_id !== null && ` (${one.record_id})`}
              {one.error && <span className={styles.closed}>{one.error}</span>}
            </span>
          </th>
          <td>{wordsOf(one.subscriber)}</td>
          <td>{moment(one.at)}</td>
          <td>{one.attempts}</td>
          <td>{one.waiting}</td>
          <td>
            <Button
              size="small"
              icon={<ArrowClockwiseRegular />}
              onClick={() => void act(one, 'retry').catch(() => undefined)}
            >
              Try again
            </Button>
            <Button size="small" icon={<DismissRegular />} onClick={() => void drop(one).catch(() => undefined)}>
              Drop
            </Button>
          </td>
        </tr>
      )}
    </LoadedTable>
  );
}

/** Automatic transitions that are refused because of the record's data. */
function Refused() {
  const refused = useSWR('/tapi/refused_steps', get<RefusedStep[]>, { refreshInterval: 10_000 });
  return (
    <LoadedTable
      loaded={refused}
      columns={['Record', 'Step', 'Since', 'Tries']}
      empty={{
        title: 'No step is refused',
        text: 'A step that the product could not take automatically is listed here until it succeeds.',
      }}
    >
      {(one) => (
        <tr key={one.key} data-row>
          <th scope="row" aria-label={one.record}>
            <span className={styles.name}>
              <Link to={one.page}>{one.record}</Link>
              <span className={styles.closed}>{one.message}</span>
            </span>
          </th>
          <td>{one.step}</td>
          <td>{moment(one.since)}</td>
          <td>{one.tries}</td>
        </tr>
      )}
    </LoadedTable>
  );
}

/** `employee.changed` in words. */
function wordsOf(name: string): string {
  const words = name.replaceAll('_', ' ').replace('.', ': ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
