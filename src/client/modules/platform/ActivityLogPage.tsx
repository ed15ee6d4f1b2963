import { Badge, Button, Field, Select, Tab, TabList } from '@fluentui/react-components';
import { ArrowDownloadRegular, HistoryRegular, ShieldCheckmarkRegular } from '@fluentui/react-icons';
import { useId, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import useSWR from 'swr';
import useSWRInfinite from 'swr/infinite';
import type { Field as DateField } from '../../../descriptor/types.ts';
import { formatMoment } from '../../../descriptor/format.ts';
import { api } from '../../api/http.ts';
import { alertDialog, toast } from '../../app/feedback.ts';
import { pageAddress, useScreen, useScreenRef } from '../../api/screens.ts';
import { EmptyState, ErrorView, Page, PageBody, Skeleton, TextLink } from '../../app/page.tsx';
import type { HistoryRow } from '../../runtime/history/timeline_entries.ts';
import { changeLines, idsInChanges, lineWords } from '../../runtime/history/timeline_entries.ts';
import { useIdLabels } from '../../runtime/landing/use_labels.ts';
import { TableHead } from '../../app/table_head.tsx';
import { DateWidget } from '../../runtime/fields/date.tsx';
import styles from './rights.module.css';

interface Entry {
  seq: number;
  at: string;
  actor: string | null;
  what: string;
  /** The record type by its title; `type` if it has a screen. */
  record: string | null;
  type: string | null;
  target_id: number | null;
  summary: string | null;
  diff: Record<string, unknown> | null;
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
    api.get<{ data: { action: string; what: string }[] }>(path, undefined, { quiet: true }),
  );
  return (
    <Field label="Action">
      <Select value={value} onChange={(_, chosen) => onChange(chosen.value)}>
        <option value="">All</option>
        {data?.data.map(({ action, what }) => (
          <option key={action} value={action}>
            {what}
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
  const rows = data?.flatMap((page) => page.data) ?? [];
  const labels = useTargetLabels(rows);
  if (error) return <ErrorView error={error} retry={() => void mutate()} home />;
  if (!data) return <Skeleton rows={10} />;
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
                    {row.what}
                    {row.summary && <span className={styles.code}>{row.summary}</span>}
                    {row.diff !== null && (
                      <Button
                        size="small"
                        appearance="subtle"
                        className={styles.start}
                        aria-expanded={open === row.seq}
                        onClick={() => setOpen(open === row.seq ? null : row.seq)}
                      >
                        {open === row.seq ? 'Hide what changed' : 'What changed'}
                      </Button>
                    )}
                    {open === row.seq && row.diff !== null && <Changes type={row.type} diff={row.diff} />}
                  </span>
                </td>
                <td>
                  <Target entry={row} labels={labels} />
                </td>
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

type TargetLabels = ReadonlyMap<string, string>;

/** The labels of the records of entries, as far as the reader may see these. */
function useTargetLabels(rows: readonly Entry[]): TargetLabels {
  const wanted = new Map<string, Set<number>>();
  for (const { type, target_id: id } of rows)
    if (type !== null && id !== null) wanted.set(type, (wanted.get(type) ?? new Set()).add(id));
  const paths = [...wanted].map(([type, ids]) => [type, `/tapi/${type}/options?ids=${[...ids].join(',')}`] as const);
  const { data } = useSWR(
    paths,
    async () => {
      const found = await Promise.all(
        paths.map(async ([type, path]) => {
          const { data: options } = await api
            .get<{ data: { id: number; label: string }[] }>(path, undefined, { quiet: true })
            .catch(() => ({ data: [] }));
          return options.map(({ id, label }) => [`${type} ${id}`, label] as const);
        }),
      );
      return new Map(found.flat());
    },
    { keepPreviousData: true, revalidateOnFocus: false },
  );
  return data ?? new Map();
}

/** The record type, and the record as a link if it may be opened. */
function Target({ entry: { type, record, target_id: id }, labels }: { entry: Entry; labels: TargetLabels }) {
  const ref = useScreenRef(type ?? '');
  if (record === null) return '–';
  const label = labels.get(`${type} ${id}`);
  const to = ref && id !== null && label !== undefined ? pageAddress(ref, 'view_screen', id) : null;
  return (
    <span className={styles.name}>
      {to === null ? (label ?? (id === null ? '–' : `Number ${id}`)) : <TextLink to={to}>{label}</TextLink>}
      <span className={styles.code}>{record}</span>
    </span>
  );
}

/** The changed fields of an entry, by their titles where the type has a screen. */
function Changes({ type, diff }: { type: string | null; diff: Record<string, unknown> }) {
  const ref = useScreenRef(type ?? '');
  return ref ? <ChangesOf type={ref.name} diff={diff} /> : <Lines lines={plainLines(diff)} />;
}

function ChangesOf({ type, diff }: { type: string; diff: Record<string, unknown> }) {
  const { screen } = useScreen(type);
  const change = diff as HistoryRow['change'];
  const wanted = useMemo(() => (screen ? idsInChanges([{ change } as HistoryRow], screen) : []), [screen, change]);
  const labels = useIdLabels(wanted, screen!);
  if (!screen) return <Skeleton rows={2} />;
  const lines = changeLines({ change } as HistoryRow, screen, labels);
  return <Lines lines={lines.length > 0 ? lines.map(lineWords) : plainLines(diff)} />;
}

function Lines({ lines }: { lines: string[] }) {
  return (
    <ul className={styles.diff}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

/** Changes of what has no fields with titles, such as the rights of a role. */
function plainLines(diff: Record<string, unknown>): string[] {
  return Object.entries(diff).map(([name, value]) => {
    const title = name.replaceAll(/[._]/g, ' ');
    const text = (one: unknown): string =>
      one === null || one === undefined || one === ''
        ? 'empty'
        : Array.isArray(one)
          ? one.map(text).join(', ')
          : typeof one === 'object'
            ? plainLines(one as Record<string, unknown>).join('; ')
            : String(one);
    return Array.isArray(value) && value.length === 2
      ? `${title}: ${text(value[0])} → ${text(value[1])}`
      : `${title}: ${text(value)}`;
  });
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
