import { localTime } from '../../runtime/fields/calendar/moments.ts';
import { Link } from 'react-router-dom';
import useSWR from 'swr';
import { formatDate, formatMoney, formatNumber } from '../../../descriptor/format.ts';
import { api } from '../../api/http.ts';
import { ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { TableHead } from '../../app/table_head.tsx';
import { Bars, Box, Figure, dashboardStyles as styles } from '../dashboard_parts.tsx';
import adminStyles from './admin.module.css';

interface Home {
  clients: {
    states: { state: string; count: number }[];
    expiring: { id: number; name: string; valid_to: string; days: number; state: string }[];
  } | null;
  usage: {
    sign_ins: number;
    people: number;
    storage_mb: number;
    clients: { sub_domain: string; name: string; sign_ins: number; people: number; storage_mb: number }[];
    at: string;
  } | null;
  jobs: { failed: number; last: { schema_name: string; name: string; at: string; error: string | null }[] } | null;
  leads: {
    stages: { state: string; count: number; value: string }[];
    week: number;
    decided: { won: number; lost: number; percent: string | null };
  } | null;
  campaigns:
    | {
        id: number;
        name: string;
        spent: string;
        leads: number;
        won: number;
        value: string;
        per_lead: string | null;
        per_win: string | null;
      }[]
    | null;
  contacts: number | null;
}

const CLIENT_STATES = {
  active: 'Active',
  draft: 'Draft',
  provisioning: 'Being made',
  failed: 'Failed',
  deactivated: 'Deactivated',
  archived: 'Archived',
  purged: 'Purged',
};
const LEAD_STAGES = {
  new: 'New',
  contacted: 'Contacted',
  demo: 'Demo',
  proposal: 'Proposal',
  won: 'Won',
  lost: 'Lost',
  parked: 'Parked',
};

const OPEN_STAGES = new Set(['new', 'contacted', 'demo', 'proposal']);

/** The sum of amounts, without fractions. */
const amount = (values: string[]) =>
  formatMoney(
    values.reduce((sum, value) => sum + Number(value), 0),
    0,
  );
const storage = (mb: number) => (mb < 1024 ? `${formatNumber(mb)} MB` : `${formatNumber(mb / 1024, 1)} GB`);
const narrowed = (landing: string, filter: unknown[]) =>
  `${landing}?filter=${encodeURIComponent(JSON.stringify(filter))}`;

/** The platform at a glance: clients, sign-ins, jobs that failed, storage, subscriptions that end, leads. */
export default function PlatformHomePage() {
  const {
    data: home,
    error,
    mutate,
  } = useSWR(
    '/api/platform_home',
    async (path) => (await api.get<{ data: Home }>(path, undefined, { quiet: true })).data,
    { refreshInterval: 60_000 },
  );
  return (
    <Page title="Platform home">
      <PageBody>
        {error && !home ? (
          <ErrorView error={error} retry={() => void mutate()} />
        ) : !home ? (
          <Skeleton rows={8} label="Loading figures" />
        ) : (
          <Figures home={home} />
        )}
      </PageBody>
    </Page>
  );
}

function Figures({ home: { clients, usage, jobs, leads, campaigns, contacts } }: { home: Home }) {
  const count = (rows: { state: string; count: number }[], state: string) =>
    rows.find((row) => row.state === state)?.count ?? 0;
  return (
    <>
      <ul className={styles.figures}>
        {clients && (
          <li>
            <Figure
              value={formatNumber(count(clients.states, 'active'))}
              title="Active clients"
              to={narrowed('/client', ['state', 'eq', 'active'])}
            />
          </li>
        )}
        {usage && (
          <li>
            <Figure
              value={formatNumber(usage.sign_ins)}
              title="Sign-ins today"
              note={`by ${formatNumber(usage.people)} ${usage.people === 1 ? 'person' : 'people'}`}
            />
          </li>
        )}
        {jobs && (
          <li>
            <Figure
              value={formatNumber(jobs.failed)}
              title="Failed jobs"
              note="in the last 24 hours"
              tone={jobs.failed > 0 ? 'danger' : undefined}
            />
          </li>
        )}
        {usage && (
          <li>
            <Figure value={storage(usage.storage_mb)} title="Storage" note="tables and files" />
          </li>
        )}
        {clients && (
          <li>
            <Figure
              value={formatNumber(clients.expiring.length)}
              title="Subscriptions ending"
              note="within 60 days, or over"
              tone={clients.expiring.length > 0 ? 'warning' : undefined}
            />
          </li>
        )}
        {leads && (
          <li>
            <Figure
              value={formatNumber(count(leads.stages, 'new'))}
              title="New leads"
              note={`${formatNumber(leads.week)} came this week`}
              to={narrowed('/lead_landing', ['state', 'eq', 'new'])}
            />
          </li>
        )}
        {contacts !== null && (
          <li>
            <Figure
              value={formatNumber(contacts)}
              title="Enquiries to answer"
              to={narrowed('/contacts', ['state', 'eq', 'new'])}
              tone={contacts > 0 ? 'warning' : undefined}
            />
          </li>
        )}
      </ul>
      <div className={styles.boxes}>
        {clients && (
          <Box title="Clients by state">
            <Bars
              rows={Object.entries(CLIENT_STATES)
                .map(([state, title]) => ({
                  title,
                  value: count(clients.states, state),
                  to: narrowed('/client', ['state', 'eq', state]),
                }))
                .filter(({ value, title }) => value > 0 || title === 'Active')}
              words={formatNumber}
            />
          </Box>
        )}
        {clients && (
          <Box title="Subscriptions ending">
            {clients.expiring.length === 0 ? (
              <p className={styles.small}>No subscription ends within 60 days.</p>
            ) : (
              <ul className={styles.lines}>
                {clients.expiring.map((one) => (
                  <li key={one.id}>
                    <Link to={`/client/view/${one.id}`}>{one.name}</Link>
                    <span className={styles.small} data-over={one.days < 0 || undefined}>
                      {formatDate(one.valid_to)} ·{' '}
                      {one.days < 0
                        ? `over since ${formatNumber(-one.days)} ${one.days === -1 ? 'day' : 'days'}`
                        : one.days === 0
                          ? 'ends today'
                          : `${formatNumber(one.days)} ${one.days === 1 ? 'day' : 'days'} left`}
                    </span>
                  </li>
                ))}
              </ul>
            )}
          </Box>
        )}
        {usage && usage.clients.length > 0 && (
          <Box title="Storage by client">
            <Bars rows={usage.clients.map(({ name, storage_mb: value }) => ({ title: name, value }))} words={storage} />
          </Box>
        )}
        {leads && (
          <Box title="Leads by stage">
            <Bars
              rows={Object.entries(LEAD_STAGES).map(([state, title]) => ({
                title,
                value: count(leads.stages, state),
                to: narrowed('/lead_landing', ['state', 'eq', state]),
              }))}
              words={formatNumber}
            />
            <p className={styles.small}>
              {amount(leads.stages.filter(({ state }) => OPEN_STAGES.has(state)).map(({ value }) => value))} a year in
              open leads
              {leads.decided.percent !== null &&
                ` · won ${leads.decided.percent} % of those decided (${formatNumber(leads.decided.won)} of ${formatNumber(leads.decided.won + leads.decided.lost)})`}
            </p>
          </Box>
        )}
        {jobs && jobs.last.length > 0 && (
          <Box title="Failed jobs">
            <ul className={styles.lines}>
              {jobs.last.map((job) => (
                <li key={`${job.schema_name} ${job.name} ${job.at}`}>
                  <span>
                    {job.name} · {job.schema_name.replace(/^cmp_/, '')}
                  </span>
                  <span className={styles.small}>
                    {localTime(job.at)} · {job.error ?? 'no message'}
                  </span>
                </li>
              ))}
            </ul>
          </Box>
        )}
        {campaigns && campaigns.length > 0 && (
          <div className={adminStyles.row}>
            <Box title="Campaigns">
              <div className={adminStyles.sideways} tabIndex={0} role="region" aria-label="Result of campaigns">
                <table className={adminStyles.table}>
                  <TableHead columns={['Campaign', 'Spent', 'Leads', 'Won', 'Per lead', 'Per win']} />
                  <tbody>
                    {campaigns.map((one) => (
                      <tr key={one.id}>
                        <th scope="row">
                          <Link to={narrowed('/lead_landing', ['campaign_id', 'eq', one.id])}>{one.name}</Link>
                        </th>
                        <td>{amount([one.spent])}</td>
                        <td>{formatNumber(one.leads)}</td>
                        <td>{formatNumber(one.won)}</td>
                        <td>{one.per_lead === null ? '–' : amount([one.per_lead])}</td>
                        <td>{one.per_win === null ? '–' : amount([one.per_win])}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            </Box>
          </div>
        )}
      </div>
      {!clients && !leads && contacts === null && (
        <p className={adminStyles.note}>Your user type shows no figures. What you may open stands in the menu.</p>
      )}
    </>
  );
}
