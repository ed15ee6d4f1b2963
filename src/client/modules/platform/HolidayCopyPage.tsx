import { Badge, Checkbox } from '@fluentui/react-components';
import { CalendarRegular, CopyRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import useSWR from 'swr';
import { formatDate } from '../../../descriptor/format.ts';
import type { Field } from '../../../descriptor/types.ts';
import type { CopiedHoliday } from '../../../domain/working_days.ts';
import { api } from '../../api/http.ts';
import { toast } from '../../app/feedback.ts';
import { EmptyState, ErrorView, Page, PageBody, Skeleton, useUnsavedGuard } from '../../app/page.tsx';
import { useSession } from '../../app/session.ts';
import { TableHead } from '../../app/table_head.tsx';
import { today } from '../../../descriptor/place.ts';
import { addDays } from '../../runtime/fields/calendar/days.ts';
import { DateWidget } from '../../runtime/fields/date.tsx';
import { firstYear, yearName } from '../../../descriptor/financial_year.ts';
import { place } from '../../../descriptor/place.ts';
import styles from './holidays.module.css';

interface Row extends CopiedHoliday {
  chosen: boolean;
  problem: string | null;
}

const dateField = (name: string, title: string): Field => ({
  name,
  type: 'date',
  title,
  required: false,
  schema: { type: 'string' },
  secret: false,
  readOnly: false,
});
const FROM = dateField('date', 'Date');
const TO = dateField('to_date', 'Until');

/** Copies a year's holidays to the next year, after a review. */
export default function HolidayCopyPage() {
  const { entityId } = useSession();
  const [query] = useSearchParams();
  const given = Number(query.get('year'));
  const first = given >= 1990 && given <= 2190 ? given : firstYear(today(), place().fyStartMonth) - 1;
  const { data, error, mutate } = useSWR(
    ['/tapi/holiday/copy', first, entityId],
    async ([path]) => (await api.get<{ data: CopiedHoliday[] }>(path, { year: yearName(first) }, { quiet: true })).data,
    { revalidateOnFocus: false },
  );
  const title = `Copy holidays to ${yearName(first + 1)}`;
  const crumbs = [
    { label: 'Holidays', to: '/holiday' },
    { label: yearName(first + 1), to: `/holiday/year?year=${first + 1}` },
  ];
  if (data && data.length > 0)
    return <Review key={first} title={title} crumbs={crumbs} first={first} proposed={data} />;
  return (
    <Page title={title} breadcrumbs={crumbs}>
      <PageBody>
        {error && !data ? (
          <ErrorView error={error} retry={() => void mutate()} />
        ) : !data ? (
          <Skeleton rows={8} label="Loading last year" />
        ) : (
          <EmptyState
            icon={<CalendarRegular />}
            title={`${yearName(first)} has no holidays`}
            text="There is nothing to copy. Enter holidays, or import a list."
            actions={[{ label: 'Import a list', to: '/holiday?import=1' }]}
          />
        )}
      </PageBody>
    </Page>
  );
}

/** The last day, at the same distance from the first as last year. */
function untilOf(row: Row, date: string | null): string | null {
  if (date === null || row.was_to === null) return null;
  return addDays(date, Math.round((Date.parse(row.was_to) - Date.parse(row.was)) / 86_400_000));
}

function Review({
  title,
  crumbs,
  first,
  proposed,
}: {
  title: string;
  crumbs: { label: string; to: string }[];
  first: number;
  proposed: CopiedHoliday[];
}) {
  const navigate = useNavigate();
  const [rows, setRows] = useState<Row[]>(() =>
    proposed.map((one) => ({ ...one, chosen: !one.exists, problem: null })),
  );
  const [touched, setTouched] = useState(false);
  const [busy, setBusy] = useState(false);
  const release = useUnsavedGuard(touched);
  const change = (row: Row, part: Partial<Row>) => {
    setTouched(true);
    setRows((old) => old.map((one) => (one.copy_of === row.copy_of ? { ...one, problem: null, ...part } : one)));
  };
  const ready = rows.filter(({ chosen, date }) => chosen && date !== null);
  const open = rows.filter(({ chosen, date }) => chosen && date === null).length;

  const store = async () => {
    setBusy(true);
    try {
      const { data } = await api.post<{ data: { made: number; errors: { copy_of: number; message: string }[] } }>(
        '/tapi/holiday/copy',
        { rows: ready.map(({ copy_of, date, to_date }) => ({ copy_of, date, to_date })) },
      );
      const failed = new Map(data.errors.map(({ copy_of: id, message }) => [id, message]));
      if (data.made > 0)
        toast.success(
          `${data.made} ${data.made === 1 ? 'holiday is' : 'holidays are'} copied to ${yearName(first + 1)}.`,
        );
      const stored = new Set(ready.map(({ copy_of: id }) => id).filter((id) => !failed.has(id)));
      const left = rows.map((row) =>
        stored.has(row.copy_of)
          ? { ...row, exists: true, chosen: false }
          : { ...row, problem: failed.get(row.copy_of) ?? null },
      );
      setRows(left);
      if (left.some(({ chosen }) => chosen)) return;
      release();
      void navigate(`/holiday/year?year=${first + 1}`);
    } catch {
      // The call has shown the error.
    } finally {
      setBusy(false);
    }
  };

  return (
    <Page
      title={title}
      breadcrumbs={crumbs}
      primary={{
        label: `Copy ${ready.length} ${ready.length === 1 ? 'holiday' : 'holidays'}`,
        icon: <CopyRegular />,
        busy,
        disabled: ready.length === 0,
        reason: 'Set the date of at least one holiday.',
        onClick: () => void store(),
      }}
    >
      <PageBody>
        <p className={styles.note} role="status">
          Holidays on the same day every year have kept it.{' '}
          {open > 0
            ? `${open} more ${open === 1 ? 'needs its' : 'need their'} date in ${yearName(first + 1)}; those left empty are not copied.`
            : 'All others have a date.'}
        </p>
        <table className={styles.copy}>
          <TableHead columns={['Holiday', `In ${yearName(first)}`, 'Date', 'Until']} />
          <tbody>
            {rows.map((row) => (
              <tr key={row.copy_of}>
                <td>
                  <Checkbox
                    checked={row.chosen}
                    disabled={row.exists}
                    label={row.name}
                    onChange={(_, { checked }) => change(row, { chosen: checked === true })}
                  />
                  {row.holiday_group.toLowerCase() !== 'all' && (
                    <span className={styles.muted}>{row.holiday_group} </span>
                  )}
                  {row.exists && (
                    <Badge appearance="tint" color="success">
                      Is there
                    </Badge>
                  )}
                  {row.problem && (
                    <div className={styles.error} role="alert">
                      {row.problem}
                    </div>
                  )}
                </td>
                <td data-label={`In ${yearName(first)}`}>
                  {row.was_to ? `${formatDate(row.was)} to ${formatDate(row.was_to)}` : formatDate(row.was)}
                </td>
                <td data-date data-label="Date">
                  <DateWidget
                    field={FROM}
                    id={`date-${row.copy_of}`}
                    label={`Date of ${row.name}`}
                    value={row.date}
                    disabled={!row.chosen}
                    onChange={(value) =>
                      change(row, {
                        date: typeof value === 'string' ? value : null,
                        to_date: untilOf(row, typeof value === 'string' ? value : null),
                      })
                    }
                  />
                </td>
                <td data-date data-label="Until">
                  {row.was_to === null && row.to_date === null ? (
                    <span className={styles.muted}>One day</span>
                  ) : (
                    <DateWidget
                      field={TO}
                      id={`until-${row.copy_of}`}
                      label={`Last day of ${row.name}`}
                      value={row.to_date}
                      disabled={!row.chosen}
                      onChange={(value) => change(row, { to_date: typeof value === 'string' ? value : null })}
                    />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </PageBody>
    </Page>
  );
}
