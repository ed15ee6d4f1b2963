import { Badge } from '@fluentui/react-components';
import { CheckmarkCircleRegular, PersonDeleteRegular } from '@fluentui/react-icons';
import { Link } from 'react-router-dom';
import useSWR from 'swr';
import { formatDate, formatNumber } from '../../../descriptor/format.ts';
import type { WireRecord } from '../../../descriptor/types.ts';
import { api } from '../../api/http.ts';
import { useScreenRef } from '../../api/screens.ts';
import { EmptyState, ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { today } from '../../../descriptor/place.ts';
import { addDays } from '../../runtime/fields/calendar/days.ts';
import type { BespokeProps } from '../bespoke_props.ts';
import styles from './people.module.css';

interface Holding {
  key: string;
  title: string;
  as: string;
  count: number;
  movable: boolean;
  route: string;
}

/** The responsibilities of an employee who leaves, to be reviewed before the last working day is entered. */
export default function LeavingPage({ params }: BespokeProps) {
  const id = params.id ?? '';
  const members = useScreenRef('employee');
  const person = useSWR(`/tapi/employee/${id}`, (path) =>
    api.get<{ data: WireRecord }>(path, undefined, { quiet: true }),
  );
  const holdings = useSWR(`/tapi/employee/${id}/holdings`, (path) =>
    api.get<{ data: Holding[]; notice_days: number | null }>(path, undefined, { quiet: true }),
  );
  const error: unknown = person.error ?? holdings.error;
  const record = person.data?.data;
  const held = holdings.data?.data;
  const name = record ? String(record.name) : '';
  const manager = typeof record?.reporting_to_id === 'number' ? `&reporting_to_id=${record.reporting_to_id}` : '';
  const notice = holdings.data?.notice_days ?? null;
  const last = notice === null ? null : addDays(today(), notice);
  const days = last === null ? '' : `&resigned_on=${today()}&effective_from=${last}`;

  return (
    <Page
      title={name === '' ? 'Leaving' : `${name} leaves`}
      {...(typeof record?.empno === 'string' && { number: record.empno })}
      {...(members?.rights.landing && { breadcrumbs: [{ label: members.plural, to: members.routes.landing }] })}
      layout="form"
      {...(record &&
        record.status !== 'left' && {
          primary: {
            label: 'Record the departure',
            icon: <PersonDeleteRegular />,
            to: `/employee_history/add?change=leave&employee_id=${id}${manager}${days}`,
          },
        })}
    >
      <PageBody>
        {error ? (
          <ErrorView error={error} retry={() => void Promise.all([person.mutate(), holdings.mutate()])} home />
        ) : !record || !held ? (
          <Skeleton rows={8} label="Loading the person's responsibilities" />
        ) : (
          <>
            {last !== null && record.status === 'active' && (
              <p className={styles.hint}>
                The notice of the grade is {notice} {notice === 1 ? 'day' : 'days'}: who resigns today works until{' '}
                {formatDate(last)}.
              </p>
            )}
            <Held record={record} held={held} name={name} />
          </>
        )}
      </PageBody>
    </Page>
  );
}

function Held({ record, held, name }: { record: WireRecord; held: Holding[]; name: string }) {
  const moved = held.filter(({ movable }) => movable);
  const others = held.filter(({ movable }) => !movable);
  return (
    <>
      {held.length === 0 ? (
        <EmptyState
          icon={<CheckmarkCircleRegular />}
          title="Nothing to hand over"
          text={`Nobody reports to ${name}, and no record names ${name} as head, owner or keeper.`}
        />
      ) : (
        <>
          <p className={styles.hint}>
            {moved.length > 0
              ? `When ${name} has left, all of this goes to the people you choose in the next step.`
              : 'None of this is handed over automatically.'}
            {record.status === 'on_notice' && ' The person is on notice already.'}
          </p>
          {moved.length > 0 && <List title="Handed over" holdings={moved} />}
          {others.length > 0 && <List title="To be reviewed by somebody" holdings={others} />}
        </>
      )}
    </>
  );
}

function List({ title, holdings }: { title: string; holdings: Holding[] }) {
  return (
    <section aria-label={title}>
      <h2 className={styles.holdingsTitle}>{title}</h2>
      <ul className={styles.people}>
        {holdings.map((one) => (
          <li key={one.key} className={styles.holding}>
            <span className={styles.two}>
              <Link to={one.route}>{one.title}</Link>
              <span className={styles.muted}>{one.as}</span>
            </span>
            <Badge appearance="tint" color="informative">
              {formatNumber(one.count)}
            </Badge>
          </li>
        ))}
      </ul>
    </section>
  );
}
