import { Badge, Button, Field, Select, Tab, TabList } from '@fluentui/react-components';
import { ArrowDownloadRegular, HistoryRegular, ShieldCheckmarkRegular } from '@fluentui/react-icons';
import { useId, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import useSWR from 'swr';
import useSWRInfinite from 'swr/infinite';
import type { Field as DateField } from '../../../descriptor/types.ts';
import { formatMoment } from '../../../descriptor/format.ts';
import { api } from '../../api/http.ts';
import { alertDialog, toast } from '../../app/feedback.ts';
import { EmptyState, ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { TableHead } from '../../app/table_head.tsx';
import { DateWidget } from '../../runtime/fields/date.tsx';
import styles from './rights.module.css';

interface Entry {
  seq: number;
  at: string;
  actor: string | null;
  action: string;
  target_type: string | null;
  target_id: number | null;
  summary: string | null;
  diff: unknown;
  ip: string | null;
}
interface SignIn {
  id: number;
  at: string;
  user: string | null;
  outcome: string;
  ip: string | null;
  user_agent: string | null;
  device_known: boolean;
}
interface Answer<T> {
  data: T[];
  more: boolean;
}

const OUTCOMES: Record<string, { label: string; tone: 'success' | 'danger' | 'warning' }> = {
  success: { label: 'Signed in', tone: 'success' },
  bad_password: { label: 'Wrong password', tone: 'danger' },
  unknown: { label: 'Unknown user name', tone: 'danger' },
  locked: { label: 'Delayed after failures', tone: 'warning' },
  disabled: { label: 'Disabled account', tone: 'danger' },
  otp_failed: { label: 'Wrong code', tone: 'danger' },
  client_deactivated: { label: 'Client switched off', tone: 'warning' },
};

/** `rights.save` → "Rights save". */
const words = (code: string) => {
  const text = code.replaceAll(/[._]/g, ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};
const moment = (at: string) => formatMoment(at, true);

/** Who did what, and who signed in. */
export default function ActivityLogPage() {
  const [query, setQuery] = useSearchParams();
  const tab = query.get('tab') === 'sign_ins' ? 'sign_ins' : 'trail';
  const kind = tab === 'trail' ? 'audit_log' : 'login_log';
  const set = (name: string, value: string) => {
    const next = new URLSearchParams(query);
    if (value === '') next.delete(name);
    else next.set(name, value);
    setQuery(next, { replace: true });
  };
  const filter = new URLSearchParams([...query].filter(([name]) => name !== 'tab')).toString();
  const verify = async () => {
    const { data } = await api.get<{ data: { whole: boolean; broken_at: number | null } }>('/tapi/audit_log/verify');
    if (data.whole) toast.success('The chain is intact: no entry was changed or removed.');
    else
      void alertDialog({
        type: 'error',
        text: `Entry ${data.broken_at} does not match the one before it: the log was changed there.`,
      });
  };
  return (
    <Page
      title="Activity log"
      secondary={[
        ...(tab === 'trail'
          ? [
              {
                label: 'Check the chain',
                icon: <ShieldCheckmarkRegular />,
                onClick: () => void verify().catch(() => undefined),
              },
            ]
          : []),
        {
          label: 'Export',
          icon: <ArrowDownloadRegular />,
          onClick: () =>
            void api.download(`/tapi/${kind}/export.xlsx`, new URLSearchParams(filter)).catch(() => undefined),
        },
      ]}
    >
      <PageBody>
        <TabList
          selectedValue={tab}
          onTabSelect={(_, { value }) => setQuery(value === 'trail' ? {} : { tab: String(value) }, { replace: true })}
        >
          <Tab value="trail">Audit trail</Tab>
          <Tab value="sign_ins">Sign-ins</Tab>
        </TabList>
        <div className={styles.filters} data-filters>
          <DayFilter title="From" value={query.get('from')} onChange={(value) => set('from', value)} />
          <DayFilter title="To" value={query.get('to')} onChange={(value) => set('to', value)} />
          {tab === 'trail' ? (
            <ActionFilter value={query.get('action') ?? ''} onChange={(value) => set('action', value)} />
          ) : (
            <Field label="Outcome">
              <Select value={query.get('outcome') ?? ''} onChange={(_, { value }) => set('outcome', value)}>
                <option value="">All</option>
                {Object.entries(OUTCOMES).map(([value, { label }]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </Select>
            </Field>
          )}
        </div>
        {tab === 'trail' ? <Trail filter={filter} /> : <SignIns filter={filter} />}
      </PageBody>
    </Page>
  );
}

/** A day in the company's format; the browser's own date field follows its language. */
function DayFilter({
  title,
  value,
  onChange,
}: {
  title: string;
  value: string | null;
  onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <Field label={{ children: title, htmlFor: id }} className={styles.day}>
      <DateWidget
        id={id}
        field={{ name: title, title, type: 'date' } as DateField}
        value={value}
        onChange={(day) => onChange(typeof day === 'string' ? day : '')}
      />
    </Field>
  );
}

function ActionFilter({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { data } = useSWR('/tapi/audit_log/actions', (path) =>
    api.get<{ data: string[] }>(path, undefined, { quiet: true }),
  );
  return (
    <Field label="Action">
      <Select value={value} onChange={(_, chosen) => onChange(chosen.value)}>
        <option value="">All</option>
        {(data?.data ?? (value === '' ? [] : [value])).map((one) => (
          <option key={one} value={one}>
            {words(one)}
          </option>
        ))}
      </Select>
    </Field>
  );
}

/** Pages of a log, newest first; `key` identifies an entry. */
function useLog<T>(kind: string, filter: string, key: (entry: T) => number) {
  return useSWRInfinite(
    (_, before: Answer<T> | null) => {
      if (before && !before.more) return null;
      const last = before?.data.at(-1);
      return `/tapi/${kind}?${filter}${last ? `&before=${key(last)}` : ''}`;
    },
    (path: string) => api.get<Answer<T>>(path, undefined, { quiet: true }),
    { revalidateFirstPage: false },
  );
}

function Trail({ filter }: { filter: string }) {
  const { data, error, size, setSize, mutate } = useLog<Entry>('audit_log', filter, (entry) => entry.seq);
  const [open, setOpen] = useState<number | null>(null);
  if (error) return <ErrorView error={error} retry={() => void mutate()} home />;
  if (!data) return <Skeleton rows={10} />;
  const rows = data.flatMap((page) => page.data);
  if (rows.length === 0)
    return <EmptyState icon={<HistoryRegular />} title="Nothing matches" text="Choose another period or action." />;
  return (
    <>
      <div className={styles.frame}>
        <table className={styles.matrix} data-log>
          <TableHead columns={['When', 'Who', 'What', 'Record', 'From']} />
          <tbody>
            {rows.map((row) => (
              <tr key={row.seq}>
                <th scope="row">{moment(row.at)}</th>
                <td>{row.actor ?? '–'}</td>
                <td>
                  <span className={styles.name}>
                    {words(row.action)}
                    {row.summary && <span className={styles.code}>{row.summary}</span>}
                    {row.diff !== null && (
                      <Button
                        size="small"
                        appearance="subtle"
                        aria-expanded={open === row.seq}
                        onClick={() => setOpen(open === row.seq ? null : row.seq)}
                      >
                        {open === row.seq ? 'Hide what changed' : 'What changed'}
                      </Button>
                    )}
                    {open === row.seq && <pre className={styles.diff}>{JSON.stringify(row.diff, null, 1)}</pre>}
                  </span>
                </td>
                <td>{row.target_type ? `${row.target_type} ${row.target_id ?? ''}` : '–'}</td>
                <td>{row.ip ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {data.at(-1)?.more && (
        <p>
          <Button onClick={() => void setSize(size + 1)}>Show older</Button>
        </p>
      )}
    </>
  );
}

function SignIns({ filter }: { filter: string }) {
  const { data, error, size, setSize, mutate } = useLog<SignIn>('login_log', filter, (entry) => entry.id);
  if (error) return <ErrorView error={error} retry={() => void mutate()} home />;
  if (!data) return <Skeleton rows={10} />;
  const rows = data.flatMap((page) => page.data);
  if (rows.length === 0)
    return <EmptyState icon={<HistoryRegular />} title="Nothing matches" text="Choose another period or outcome." />;
  return (
    <>
      <div className={styles.frame}>
        <table className={styles.matrix} data-log>
          <TableHead columns={['When', 'User', 'Outcome', 'From', 'Device known']} />
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <th scope="row">{moment(row.at)}</th>
                <td>{row.user ?? '–'}</td>
                <td>
                  <Badge appearance="tint" color={OUTCOMES[row.outcome]?.tone ?? 'informative'}>
                    {OUTCOMES[row.outcome]?.label ?? row.outcome}
                  </Badge>
                </td>
                <td title={row.user_agent ?? ''}>{row.ip ?? '–'}</td>
                <td>{row.device_known ? 'Yes' : 'No'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {data.at(-1)?.more && (
        <p>
          <Button onClick={() => void setSize(size + 1)}>Show older</Button>
        </p>
      )}
    </>
  );
}
