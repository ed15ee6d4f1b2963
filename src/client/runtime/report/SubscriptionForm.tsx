import { Button, Field, Input, Select } from '@fluentui/react-components';
import { DismissRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import useSWR from 'swr';
import type { ReadableReport } from '../../../domain/report.ts';
import { isRelative } from '../../../domain/relative_days.ts';
import type { Interval } from '../../../domain/report_schedule.ts';
import { weekdayName } from '../../../domain/report_schedule.ts';
import { ApiError, api } from '../../api/http.ts';
import { useSession } from '../../app/session.ts';
import { chosenWords } from './chosen_words.ts';
import type { Chosen } from './report_view.ts';
import type { AskedSubscription, ShownSubscription } from './subscription.ts';
import { askedOf } from './subscription.ts';
import styles from './report.module.css';

interface Named {
  kind: 'people' | 'roles';
  id: number;
  name: string;
}

/** When a report is sent, in which format and to whom. */
export function SubscriptionForm({
  report,
  chosen,
  known,
  onDone,
  onCancel,
}: {
  report: ReadableReport;
  chosen: Chosen;
  /** The subscription being changed; null = a new one. */
  known: ShownSubscription | null;
  onDone: (text: string) => void;
  onCancel: () => void;
}) {
  const { userId, name } = useSession();
  const [asked, setAsked] = useState<Omit<AskedSubscription, 'people' | 'roles'>>(() =>
    known ? askedOf(known) : { parameters: chosen, format: 'pdf', every: 'daily', day: null, hour: 8, paused: false },
  );
  const [to, setTo] = useState<Named[]>(() =>
    known
      ? [
          ...known.people.map((id, at): Named => ({ kind: 'people', id, name: known.people__label[at] ?? '' })),
          ...known.roles.map((id, at): Named => ({ kind: 'roles', id, name: known.roles__label[at] ?? '' })),
        ]
      : [{ kind: 'people', id: userId, name }],
  );
  const [wrong, setWrong] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const set = (part: Partial<AskedSubscription>) => setAsked((old) => ({ ...old, ...part }));
  const save = async () => {
    setBusy(true);
    setWrong(null);
    const idsOf = (kind: Named['kind']) => to.filter((one) => one.kind === kind).map(({ id }) => id);
    const body = { ...asked, people: idsOf('people'), roles: idsOf('roles') };
    const at = `/tapi/report/${report.name}/subscriptions`;
    try {
      if (known) await api.put(`${at}/${known.id}`, body, { quiet: true });
      else await api.post(at, body, { quiet: true });
      onDone('The subscription is saved.');
    } catch (error) {
      setWrong(error as ApiError);
    } finally {
      setBusy(false);
    }
  };
  const problem = (field: string) => (wrong?.field === field ? { validationMessage: wrong.message } : {});
  const words = chosenWords(report, asked.parameters);
  const fixed = report.parameters.some(
    ({ name, type }) => type === 'date' && asked.parameters[name] && !isRelative(asked.parameters[name]),
  );
  return (
    <form
      className={styles.subscription}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {words.length > 0 && (
        <div>
          {words.map((text) => (
            <div key={text}>{text}</div>
          ))}
        </div>
      )}
      {fixed && (
        <p className={styles.faint}>
          Every mail covers the same dates. For dates that move on, first choose a period such as “Last month” on the
          page of the report.
        </p>
      )}
      <Field label="File">
        <Select value={asked.format} onChange={(_, { value }) => set({ format: value as 'pdf' | 'xlsx' })}>
          <option value="pdf">PDF</option>
          <option value="xlsx">Excel</option>
        </Select>
      </Field>
      <Field label="How often">
        <Select
          value={asked.every}
          onChange={(_, { value }) => set({ every: value as Interval, day: value === 'daily' ? null : 1 })}
        >
          <option value="daily">Every day</option>
          <option value="weekly">Every week</option>
          <option value="monthly">Every month</option>
        </Select>
      </Field>
      {asked.every !== 'daily' && (
        <Field label={asked.every === 'weekly' ? 'Weekday' : 'Day of the month'} {...problem('day')}>
          <Select value={String(asked.day)} onChange={(_, { value }) => set({ day: Number(value) })}>
            {Array.from({ length: asked.every === 'weekly' ? 7 : 31 }, (_, at) => at + 1).map((day) => (
              <option key={day} value={day}>
                {asked.every === 'weekly' ? weekdayName(day) : day === 31 ? 'Last day' : day}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <Field label="Time">
        <Select value={String(asked.hour)} onChange={(_, { value }) => set({ hour: Number(value) })}>
          {Array.from({ length: 24 }, (_, hour) => (
            <option key={hour} value={hour}>{`${String(hour).padStart(2, '0')}:00`}</option>
          ))}
        </Select>
      </Field>
      <Recipients report={report} to={to} onChange={setTo} {...problem('people')} />
      {wrong && !['day', 'people'].includes(wrong.field ?? '') && (
        <p role="alert" className={styles.problem}>
          {wrong.message}
        </p>
      )}
      <p className={styles.faint}>Each recipient gets only what they may see.</p>
      <div className={styles.buttons}>
        <Button appearance="primary" type="submit" disabled={busy}>
          Save
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
}

/** People and roles that receive the report: the chosen ones, and a search for more. */
function Recipients({
  report,
  to,
  onChange,
  validationMessage,
}: {
  report: ReadableReport;
  to: Named[];
  onChange: (to: Named[]) => void;
  validationMessage?: string;
}) {
  const [search, setSearch] = useState('');
  const { data } = useSWR(
    search.trim() === '' ? null : [`/tapi/report/${report.name}/recipients`, search.trim()],
    async ([path, text]) =>
      (
        await api.get<{ data: Record<Named['kind'], { id: number; name: string }[]> }>(
          path,
          { search: text },
          { quiet: true },
        )
      ).data,
    { keepPreviousData: true },
  );
  const found = (['people', 'roles'] as const)
    .flatMap((kind) => (data?.[kind] ?? []).map((one): Named => ({ kind, ...one })))
    .filter((one) => !to.some(({ kind, id }) => kind === one.kind && id === one.id));
  const nameOf = ({ kind, name }: Named) => (kind === 'roles' ? `${name} (role)` : name);
  return (
    <>
      <Field label="To" {...(validationMessage !== undefined && { validationMessage })}>
        <Input
          placeholder="Search people and roles"
          value={search}
          onChange={(_, { value }) => setSearch(value)}
          type="search"
        />
      </Field>
      {search.trim() !== '' && (
        <ul className={styles.found} aria-label="Found">
          {found.map((one) => (
            <li key={`${one.kind} ${one.id}`}>
              <Button
                appearance="subtle"
                size="small"
                onClick={() => {
                  onChange([...to, one]);
                  setSearch('');
                }}
              >
                {nameOf(one)}
              </Button>
            </li>
          ))}
          {data && found.length === 0 && <li className={styles.faint}>Nobody else has this name.</li>}
        </ul>
      )}
      <ul className={styles.chosen} aria-label="Recipients">
        {to.map((one) => (
          <li key={`${one.kind} ${one.id}`}>
            {nameOf(one)}
            <Button
              appearance="transparent"
              size="small"
              icon={<DismissRegular />}
              aria-label={`Remove ${nameOf(one)}`}
              onClick={() => onChange(to.filter((other) => other !== one))}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
