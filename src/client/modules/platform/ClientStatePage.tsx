import { Badge, Button } from '@fluentui/react-components';
import { ArrowDownloadRegular } from '@fluentui/react-icons';
import useSWR from 'swr';
import { formatMoment } from '../../../descriptor/format.ts';
import { api } from '../../api/http.ts';
import { toast } from '../../app/feedback.ts';
import { ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { Box, dashboardStyles } from '../dashboard_boxes.tsx';
import type { BespokeProps } from '../bespoke_props.ts';
import styles from './client_state.module.css';

type Tone = 'success' | 'danger' | 'brand' | 'warning';

interface Life {
  client: { name: string; sub_domain: string; state: string; since: string };
  steps: { step: string; title: string; state: string; ms: number | null; message: string | null }[];
  runs: {
    id: number;
    act: string;
    state: string;
    at: string;
    ms: number | null;
    message: string | null;
    error: string | null;
    by: string | null;
    file: number | null;
  }[];
  domains: { host: string; verified_at: string | null; txt_name: string; txt_value: string }[];
  support: {
    id: number;
    asked_by: string;
    reason: string;
    state: string;
    created_at: string;
    ends_at: string | null;
    answered_by: string | null;
    open: boolean;
  }[];
  events: {
    id: number;
    at: string;
    event: string;
    note: string | null;
    by: string | null;
    certificate: Record<string, string | number> | null;
  }[];
}

const TONES: Record<string, Tone> = {
  active: 'success',
  done: 'success',
  failed: 'danger',
  running: 'brand',
  provisioning: 'brand',
  queued: 'brand',
  deactivated: 'warning',
  asked: 'warning',
  agreed: 'success',
  refused: 'danger',
};
const ACTS: Record<string, string> = {
  archive: 'Archive',
  restore: 'Restore',
  purge: 'Purge',
  export: 'Export of all data',
  demo_removal: 'Removal of demo data',
};
const EVENTS: Record<string, string> = {
  provisioned: 'Made',
  deactivated: 'Switched off',
  reactivated: 'Switched on',
  archived: 'Archived',
  restored: 'Restored',
  purge_asked: 'Purge requested',
  purged: 'Purged',
  discarded: 'Discarded',
  exported: 'Data exported',
  demo_removed: 'Demo data removed',
  admin_reset: 'New link for the administrator',
};

const words = (text: string) => text.charAt(0).toUpperCase() + text.slice(1).replaceAll('_', ' ');
const moment = (at: string) => formatMoment(at);
const took = (ms: number | null) => (ms === null ? '' : ms < 1000 ? ` · ${ms} ms` : ` · ${(ms / 1000).toFixed(1)} s`);

/** Clients created by a command have no setup steps. */
const isMade = ({ client, steps }: Life) =>
  ['draft', 'provisioning', 'failed'].includes(client.state) || steps.some(({ state }) => state !== 'waiting');

function State({ state }: { state: string }) {
  return (
    <Badge appearance="tint" color={TONES[state] ?? 'informative'}>
      {words(state)}
    </Badge>
  );
}

/** The setup steps, background runs, own hosts and history of a client. */
export default function ClientStatePage({ params }: BespokeProps) {
  const path = `/api/client_account/${params.id}`;
  const { data, error, mutate } = useSWR(
    `${path}/life`,
    async (address) => (await api.get<{ data: Life }>(address, undefined, { quiet: true })).data,
    {
      refreshInterval: (life) =>
        life?.runs.some(({ state }) => state === 'queued' || state === 'running') ||
        life?.client.state === 'provisioning'
          ? 2_000
          : 30_000,
    },
  );
  const download = async (run: number) => {
    const { url } = await api.get<{ url: string }>(`${path}/exports/${run}/link`);
    window.location.assign(url);
  };
  const verify = async () => {
    const { data: found } = await api.post<{
      data: { verified: string[]; missing: { host: string; reason: string }[] };
    }>(`${path}/verify_domains`, {});
    if (found.verified.length > 0) toast.success(`${found.verified.join(', ')}: proved, and in use now.`);
    if (found.missing.length > 0) toast.error(found.missing.map(({ host, reason }) => `${host}: ${reason}`).join(' '));
    await mutate();
  };
  return (
    <Page
      title={data ? data.client.name : 'State of a client'}
      {...(data && {
        number: data.client.sub_domain,
        status: { label: words(data.client.state), tone: TONES[data.client.state] ?? 'neutral' },
      })}
      breadcrumbs={[
        { label: 'Clients', to: '/client' },
        { label: 'Record', to: `/client/view/${params.id}` },
      ]}
    >
      <PageBody>
        {error && !data ? (
          <ErrorView error={error} retry={() => void mutate()} />
        ) : !data ? (
          <Skeleton rows={8} />
        ) : (
          <div className={dashboardStyles.boxes}>
            <Box title="Runs">
              {data.runs.length === 0 ? (
                <p className={styles.small}>
                  Nothing has run yet. Archive, restore, purge, export and removal of demo data are started from the
                  record.
                </p>
              ) : (
                <ul className={styles.lines}>
                  {data.runs.map((run) => (
                    <li key={run.id}>
                      <span className={styles.what}>
                        {ACTS[run.act] ?? run.act}
                        <span className={styles.small}>
                          {moment(run.at)}
                          {took(run.ms)}
                          {run.by && ` · ${run.by}`}
                        </span>
                        {(run.error ?? run.message) && (
                          <span className={styles.small} data-bad={run.error ? '' : undefined}>
                            {run.error ?? run.message}
                          </span>
                        )}
                      </span>
                      <State state={run.state} />
                      {run.file !== null && (
                        <Button
                          size="small"
                          icon={<ArrowDownloadRegular />}
                          onClick={() => void download(run.id).catch(() => undefined)}
                        >
                          Download
                        </Button>
                      )}
                    </li>
                  ))}
                </ul>
              )}
            </Box>
            <Box title="Own host names">
              {data.domains.length === 0 ? (
                <p className={styles.small}>None. They are entered in the record, under Subscription.</p>
              ) : (
                <>
                  <ul className={styles.lines}>
                    {data.domains.map((one) => (
                      <li key={one.host}>
                        <span className={styles.what}>
                          {one.host}
                          {one.verified_at ? (
                            <span className={styles.small}>proved on {moment(one.verified_at)}</span>
                          ) : (
                            <dl className={styles.proof}>
                              <dt>TXT</dt>
                              <dd>{one.txt_name}</dd>
                              <dt>Value</dt>
                              <dd>{one.txt_value}</dd>
                            </dl>
                          )}
                        </span>
                        <Badge appearance="tint" color={one.verified_at ? 'success' : 'warning'}>
                          {one.verified_at ? 'In use' : 'To be proved'}
                        </Badge>
                      </li>
                    ))}
                  </ul>
                  {data.domains.some(({ verified_at: at }) => at === null) && (
                    <Button size="small" onClick={() => void verify().catch(() => undefined)}>
                      Check ownership now
                    </Button>
                  )}
                </>
              )}
            </Box>
            <Box title="Support access">
              {data.support.length === 0 ? (
                <p className={styles.small}>
                  Nobody has asked to sign in. Whoever needs to asks from the record; the client’s administrators
                  decide.
                </p>
              ) : (
                <ul className={styles.lines}>
                  {data.support.map((one) => (
                    <li key={one.id}>
                      <span className={styles.what}>
                        {one.asked_by}
                        <span className={styles.small}>
                          {moment(one.created_at)} · {one.reason}
                        </span>
                        {one.ends_at && (
                          <span className={styles.small}>
                            until {moment(one.ends_at)}
                            {one.answered_by && ` · ${one.answered_by}`}
                          </span>
                        )}
                      </span>
                      <State state={one.state === 'agreed' && !one.open ? 'over' : one.state} />
                    </li>
                  ))}
                </ul>
              )}
            </Box>
            {isMade(data) && (
              <Box title="Steps of its creation">
                <ul className={styles.lines}>
                  {data.steps.map((step) => (
                    <li key={step.step}>
                      <span className={styles.what}>
                        {step.title}
                        <span className={styles.small} data-bad={step.state === 'failed' ? '' : undefined}>
                          {step.message}
                          {took(step.ms)}
                        </span>
                      </span>
                      <State state={step.state} />
                    </li>
                  ))}
                </ul>
              </Box>
            )}
            <Box title="History">
              {data.events.length === 0 ? (
                <p className={styles.small}>No events for this client yet.</p>
              ) : (
                <ul className={styles.lines}>
                  {data.events.map((event) => (
                    <li key={event.id}>
                      <span className={styles.what}>
                        {EVENTS[event.event] ?? words(event.event)}
                        <span className={styles.small}>
                          {moment(event.at)}
                          {event.by && ` · ${event.by}`}
                          {event.note && ` · ${event.note}`}
                        </span>
                        {event.certificate && (
                          <dl className={styles.proof} aria-label="Certificate of destruction">
                            {Object.entries(event.certificate).map(([name, value]) => (
                              <Line key={name} name={words(name)} value={String(value)} />
                            ))}
                          </dl>
                        )}
                      </span>
                    </li>
                  ))}
                </ul>
              )}
            </Box>
          </div>
        )}
      </PageBody>
    </Page>
  );
}

function Line({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}
