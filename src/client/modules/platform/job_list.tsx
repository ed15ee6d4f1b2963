import { Button, ProgressBar, Switch } from '@fluentui/react-components';
import { PlayRegular, StopRegular } from '@fluentui/react-icons';
import useSWR from 'swr';
import { formatNumber } from '../../../descriptor/format.ts';
import { cronWords } from '../../../domain/cron_words.ts';
import { api } from '../../api/http.ts';
import { confirmDialog, toast } from '../../app/feedback.ts';
import { momentWords } from '../../app/layout/notification_list.tsx';
import { LoadedTable } from './loaded_table.tsx';
import { JobState, moment } from './job_state.tsx';
import styles from './rights.module.css';

interface Schedule {
  name: string;
  title: string;
  cron: string;
  per: 'client' | 'company' | 'branch';
  active: boolean;
  next_at: string | null;
  last_at: string | null;
  last_state: 'done' | 'failed' | 'cancelled' | null;
  last_error: string | null;
  failures: number;
}
interface Run {
  id: number;
  name: string;
  title: string;
  state: string;
  trigger: string;
  started_at: string | null;
  ms: number | null;
  message: string | null;
  error: string | null;
  steps: number | null;
  total: number | null;
  stopping: boolean;
}

/** Polls the progress more often while something is running. */
const OFTEN_MS = 2_000;
const SELDOM_MS = 10_000;

/** The schedules of the client's jobs; `mails`: the user may see mails too. */
export const getSchedules = (path: string) =>
  api.get<{ data: Schedule[]; mails: boolean }>(path, undefined, { quiet: true });
const getRuns = (path: string) => api.get<{ data: Run[] }>(path, undefined, { quiet: true });
const isGoing = ({ state }: Run) => state === 'running' || state === 'queued';
const useRuns = () =>
  useSWR('/tapi/jobs/log', getRuns, {
    refreshInterval: (latest) => (latest?.data.some(isGoing) ? OFTEN_MS : SELDOM_MS),
  });

/** The progress of a run. */
function Progress({ run: { title, steps, total } }: { run: Run }) {
  if (steps === null) return null;
  const words = total === null ? `${formatNumber(steps)} steps` : `${formatNumber(steps)} of ${formatNumber(total)}`;
  return (
    <span className={styles.code}>
      {words}
      {total !== null && total > 0 && (
        <ProgressBar aria-label={`${title}: ${words}`} value={Math.min(1, steps / total)} />
      )}
    </span>
  );
}

function StopButton({ run, after }: { run: Run; after: () => Promise<unknown> }) {
  const stop = async () => {
    const sure = await confirmDialog({
      title: `Stop "${run.title}"?`,
      text: 'The run stops after its current step. Completed steps are kept.',
      confirmLabel: 'Stop',
      danger: true,
    });
    if (!sure) return;
    await api.post(`/tapi/jobs/log/${run.id}/stop`, {});
    toast.success(`"${run.title}" is stopped.`);
    await after();
  };
  return (
    <Button
      size="small"
      icon={<StopRegular />}
      disabled={run.stopping}
      aria-label={`Stop ${run.title}`}
      onClick={() => void stop().catch(() => undefined)}
    >
      {run.stopping ? 'Stopping' : 'Stop'}
    </Button>
  );
}

/** The client's jobs with their schedules. */
export function Jobs() {
  const jobs = useSWR('/tapi/jobs', getSchedules, { refreshInterval: SELDOM_MS });
  const { mutate } = jobs;
  const { data: runs, mutate: lookAtRuns } = useRuns();
  const look = () => Promise.all([mutate(), lookAtRuns()]);
  const start = async (job: Schedule) => {
    await api.post(`/tapi/jobs/${job.name}/run`, {});
    toast.success(`"${job.title}" runs now.`);
    await look();
    setTimeout(() => void look(), 1500);
  };
  return (
    <LoadedTable
      loaded={jobs}
      columns={['Job', { wide: 'Last run' }, 'Result', { wide: 'Next run' }, 'On', { unseen: 'Run now' }]}
      empty={{
        title: 'No jobs yet',
        text: 'Schedules are created within half a minute of the start.',
        actions: [{ label: 'Check again', onClick: () => void mutate() }],
      }}
    >
      {(job) => {
        const going = runs?.data.find((run) => run.name === job.name && run.state === 'running');
        return (
          <tr key={job.name} data-row>
            <th scope="row">
              <span className={styles.name}>
                {job.title}
                <span className={styles.code}>
                  {cronWords(job.cron)}
                  {job.per !== 'client' && `, each ${job.per}`}
                </span>
                {going && <Progress run={going} />}
                {job.last_error && <span className={styles.closed}>{job.last_error}</span>}
              </span>
            </th>
            <td data-wide>{job.last_at ? momentWords(job.last_at) : 'never'}</td>
            <td>
              {going ? <JobState state="running" /> : job.last_state ? <JobState state={job.last_state} /> : '–'}
              {job.failures > 1 && ` ${job.failures} times`}
            </td>
            <td data-wide>{job.active ? moment(job.next_at) : '–'}</td>
            <td>
              <Switch
                aria-label={`${job.title} on`}
                checked={job.active}
                onChange={(_, { checked }) =>
                  void api.put(`/tapi/jobs/${job.name}`, { active: checked }).then(
                    () => mutate(),
                    () => undefined,
                  )
                }
              />
            </td>
            <td>
              {going ? (
                <StopButton run={going} after={look} />
              ) : (
                <Button
                  size="small"
                  icon={<PlayRegular />}
                  aria-label={`Run ${job.title} now`}
                  onClick={() => void start(job).catch(() => undefined)}
                >
                  Run now
                </Button>
              )}
            </td>
          </tr>
        );
      }}
    </LoadedTable>
  );
}

/** The latest runs; queued and running ones first. */
export function JobRuns() {
  const runs = useRuns();
  return (
    <LoadedTable
      loaded={runs}
      columns={['Job', 'State', { wide: 'Started' }, { wide: 'Took' }, { wide: 'By' }, { unseen: 'Stop' }]}
      empty={{ title: 'Nothing has run yet', text: 'Every run of a job is listed here for 30 days.' }}
    >
      {(run) => (
        <tr key={run.id} data-row>
          <th scope="row">
            <span className={styles.name}>
              {run.title}
              <span className={styles.code}>{run.error ?? run.message}</span>
              {run.state !== 'done' && <Progress run={run} />}
            </span>
          </th>
          <td>
            <JobState state={run.state} />
          </td>
          <td data-wide>{moment(run.started_at)}</td>
          <td data-wide>
            {run.ms === null ? '–' : run.ms < 1000 ? `${run.ms} ms` : `${(run.ms / 1000).toFixed(1)} s`}
          </td>
          <td data-wide>{run.trigger}</td>
          <td>{isGoing(run) && <StopButton run={run} after={runs.mutate} />}</td>
        </tr>
      )}
    </LoadedTable>
  );
}
