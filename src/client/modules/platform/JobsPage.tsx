import { Badge, Button, Switch, Tab, TabList } from '@fluentui/react-components';
import { ArrowClockwiseRegular, DismissRegular, PlayRegular } from '@fluentui/react-icons';
import { useSearchParams } from 'react-router-dom';
import useSWR from 'swr';
import { formatMoment } from '../../../descriptor/format.ts';
import { api } from '../../api/http.ts';
import { confirmDialog, toast } from '../../app/feedback.ts';
import { momentWords } from '../../app/layout/notification_list.tsx';
import { EmptyState, ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { TableHead } from '../../app/table_head.tsx';
import styles from './rights.module.css';

interface Schedule {
  name: string;
  title: string;
  cron: string;
  active: boolean;
  next_at: string | null;
  last_at: string | null;
  last_state: 'done' | 'failed' | null;
  last_error: string | null;
  last_ms: number | null;
  failures: number;
}
interface Run {
  id: number;
  name: string;
  state: string;
  trigger: string;
  started_at: string | null;
  ms: number | null;
  message: string | null;
  error: string | null;
}
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

const moment = (at: string | null) => (at === null ? '–' : formatMoment(at));
const get = <T,>(path: string) => api.get<{ data: T }>(path, undefined, { quiet: true });
const TONES = {
  done: 'success',
  sent: 'success',
  failed: 'danger',
  dead: 'danger',
  running: 'brand',
  sending: 'brand',
  retry: 'warning',
  suppressed: 'warning',
} as const;

function State({ state }: { state: string }) {
  return (
    <Badge appearance="tint" color={TONES[state as keyof typeof TONES] ?? 'informative'}>
      {state.charAt(0).toUpperCase() + state.slice(1)}
    </Badge>
  );
}

/** What works in the background: jobs with their schedules and runs, mails that wait, and what could not be delivered. */
export default function JobsPage() {
  const [query, setQuery] = useSearchParams();
  const tab = query.get('tab') ?? 'jobs';
  return (
    <Page title="Jobs and mails" breadcrumbs={[{ label: 'Settings' }]}>
      <PageBody>
        <TabList
          selectedValue={tab}
          onTabSelect={(_, { value }) => setQuery({ tab: String(value) }, { replace: true })}
        >
          <Tab value="jobs">Jobs</Tab>
          <Tab value="runs">Runs</Tab>
          <Tab value="mails">Mails</Tab>
          <Tab value="parked">Parked</Tab>
        </TabList>
        <div className={styles.filters} />
        {tab === 'jobs' ? <Jobs /> : tab === 'runs' ? <Runs /> : tab === 'parked' ? <Parked /> : <Mails />}
      </PageBody>
    </Page>
  );
}

function Jobs() {
  const { data, error, mutate } = useSWR('/tapi/jobs', get<Schedule[]>, { refreshInterval: 10_000 });
  if (error) return <ErrorView error={error} retry={() => void mutate()} />;
  if (!data) return <Skeleton rows={8} />;
  if (data.data.length === 0)
    return (
      <EmptyState
        title="No jobs yet"
        text="Their schedules are made within half a minute of the start."
        actions={[{ label: 'Look again', onClick: () => void mutate() }]}
      />
    );
  const run = async (job: Schedule) => {
    await api.post(`/tapi/jobs/${job.name}/run`, {});
    toast.success(`"${job.title}" runs now.`);
    setTimeout(() => void mutate(), 1500);
  };
  return (
    <div className={styles.frame}>
      <table className={styles.matrix}>
        <TableHead
          columns={['Job', { wide: 'Last run' }, 'Result', { wide: 'Next run' }, 'On', { unseen: 'Run now' }]}
        />
        <tbody>
          {data.data.map((job) => (
            <tr key={job.name} data-row>
              <th scope="row">
                <span className={styles.name}>
                  {job.title}
                  {job.last_error && <span className={styles.closed}>{job.last_error}</span>}
                </span>
              </th>
              <td data-wide>{job.last_at ? momentWords(job.last_at) : 'never'}</td>
              <td>
                {job.last_state ? <State state={job.last_state} /> : '–'}
                {job.failures > 1 && ` ${job.failures} times`}
              </td>
              <td data-wide>{job.active ? moment(job.next_at) : '–'}</td>
              <td>
                <Switch
                  aria-label={`${job.title} on`}
                  checked={job.active}
                  onChange={(_, { checked }) =>
                    void api.put(`/tapi/jobs/${job.name}`, { active: checked }).then(() => mutate())
                  }
                />
              </td>
              <td>
                <Button size="small" icon={<PlayRegular />} onClick={() => void run(job).catch(() => undefined)}>
                  Run now
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Runs() {
  const { data, error, mutate } = useSWR('/tapi/jobs/log', get<Run[]>, { refreshInterval: 10_000 });
  if (error) return <ErrorView error={error} retry={() => void mutate()} />;
  if (!data) return <Skeleton rows={8} />;
  if (data.data.length === 0)
    return <EmptyState title="Nothing has run yet" text="Every run of a job is listed here for 30 days." />;
  return (
    <div className={styles.frame}>
      <table className={styles.matrix}>
        <TableHead columns={['Job', 'State', 'Started', 'Took', 'By']} />
        <tbody>
          {data.data.map((run) => (
            <tr key={run.id} data-row>
              <th scope="row">
                <span className={styles.name}>
                  {run.name.replaceAll('_', ' ')}
                  <span className={styles.code}>{run.error ?? run.message}</span>
                </span>
              </th>
              <td>
                <State state={run.state} />
              </td>
              <td>{moment(run.started_at)}</td>
              <td>{run.ms === null ? '–' : run.ms < 1000 ? `${run.ms} ms` : `${(run.ms / 1000).toFixed(1)} s`}</td>
              <td>{run.trigger}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Mails() {
  const { data, error, mutate } = useSWR('/tapi/outbox', get<Mail[]>, { refreshInterval: 10_000 });
  if (error) return <ErrorView error={error} retry={() => void mutate()} />;
  if (!data) return <Skeleton rows={8} />;
  if (data.data.length === 0)
    return (
      <EmptyState
        title="No mail has been sent"
        text="Invitations, reset links and notifications by mail are listed here."
      />
    );
  return (
    <div className={styles.frame}>
      <table className={styles.matrix}>
        <TableHead columns={['Mail', 'To', 'State', 'Tries', 'Made', 'Sent, or goes at', { unseen: 'Try again' }]} />
        <tbody>
          {data.data.map((mail) => (
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
                        () => mutate(),
                        () => undefined,
                      )
                    }
                  >
                    Try again
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What should have followed from something that happened, and failed at every try. */
function Parked() {
  const { data, error, mutate } = useSWR('/tapi/event_delivery', get<ParkedDelivery[]>, { refreshInterval: 10_000 });
  if (error) return <ErrorView error={error} retry={() => void mutate()} />;
  if (!data) return <Skeleton rows={8} />;
  if (data.data.length === 0)
    return (
      <EmptyState
        title="Nothing is parked"
        text="What follows from something that happened, and fails at each of six tries, waits here for you."
      />
    );
  const act = async ({ id }: ParkedDelivery, what: 'retry' | 'drop') => {
    await api.post(`/tapi/event_delivery/${id}/${what}`, {});
    toast.success(what === 'retry' ? 'It is tried again now.' : 'It is dropped; what waited for it goes on.');
    await mutate();
  };
  const drop = async (one: ParkedDelivery) => {
    const sure = await confirmDialog({
      title: 'Drop it?',
      text: `What "${wordsOf(one.subscriber)}" should have done is never done. What waits for it goes on.`,
      confirmLabel: 'Drop',
      danger: true,
    });
    if (sure) await act(one, 'drop');
  };
  return (
    <div className={styles.frame}>
      <table className={styles.matrix}>
        <TableHead columns={['What happened', 'For', 'When', 'Tries', 'Waiting for it', { unseen: 'Actions' }]} />
        <tbody>
          {data.data.map((one) => (
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
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** `employee.changed` as words. */
function wordsOf(name: string): string {
  const words = name.replaceAll('_', ' ').replace('.', ': ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
