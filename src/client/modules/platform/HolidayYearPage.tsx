import { formatNumber } from '../../../descriptor/format.ts';
import { Field, Select } from '@fluentui/react-components';
import { ArrowUploadRegular, ChevronLeftRegular, ChevronRightRegular, CopyRegular } from '@fluentui/react-icons';
import { Link, useSearchParams } from 'react-router-dom';
import useSWR from 'swr';
import { api } from '../../api/http.ts';
import { useScreenRef } from '../../api/screens.ts';
import { ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { useSession } from '../../app/session.ts';
import { addMonths } from '../../runtime/fields/calendar/days.ts';
import { firstYear, yearName, yearSpan } from '../../../descriptor/financial_year.ts';
import { place, today } from '../../../descriptor/place.ts';
import { Figure, dashboardStyles } from '../dashboard_boxes.tsx';
import type { DayMark } from './day_grid.tsx';
import { DayLegend, MonthGrid } from './day_grid.tsx';
import styles from './holidays.module.css';

interface Year {
  working_days: number;
  week_offs: string[];
  half_days: string[];
  holidays: string[];
  named: { id: number; name: string; holiday_type: string; date: string; to_date: string | null }[];
}

/** A financial year by month: holidays and week-offs of a branch. */
export default function HolidayYearPage() {
  const { entityId } = useSession();
  const holidays = useScreenRef('holiday');
  const [query, setQuery] = useSearchParams();
  const given = Number(query.get('year'));
  const first = given >= 1990 && given <= 2190 ? given : firstYear(today(), place().fyStartMonth);
  const branch = query.get('branch') ?? '';
  const span = yearSpan(first, place().fyStartMonth);
  const { data: branches } = useSWR(
    ['/tapi/branch/options', entityId],
    async ([path]) =>
      (
        await api.get<{ data: { id: number; label: string }[] }>(
          path,
          { for: 'holiday.branches', limit: 200 },
          { quiet: true },
        )
      ).data,
  );
  const { data, error, mutate } = useSWR(
    ['/tapi/holiday/year', span.from, branch, entityId],
    async ([path]) =>
      (await api.get<{ data: Year }>(path, { ...span, ...(branch && { branch_id: branch }) }, { quiet: true })).data,
    { keepPreviousData: true },
  );
  const set = (name: string, value: string) =>
    setQuery(
      (old) => {
        const next = new URLSearchParams(old);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  const mayAdd = holidays?.rights.add_screen === true && holidays.rights.write;
  return (
    <Page
      title={`Holidays ${yearName(first)}`}
      breadcrumbs={[{ label: 'Holidays', to: '/holiday' }]}
      secondary={[
        { label: 'Previous year', icon: <ChevronLeftRegular />, onClick: () => set('year', String(first - 1)) },
        { label: 'Next year', icon: <ChevronRightRegular />, onClick: () => set('year', String(first + 1)) },
      ]}
      more={[
        ...(mayAdd
          ? [
              {
                label: `Copy ${yearName(first - 1)} to this year`,
                icon: <CopyRegular />,
                to: `/holiday/copy?year=${first - 1}`,
              },
            ]
          : []),
        ...(holidays?.rights.import
          ? [{ label: 'Import a government list', icon: <ArrowUploadRegular />, to: '/holiday?import=1' }]
          : []),
      ]}
    >
      <PageBody>
        <div className={styles.choose}>
          <Field label="Branch">
            <Select value={branch} onChange={(_, { value }) => set('branch', value)}>
              <option value="">All branches</option>
              {branches?.map(({ id, label }) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        {error && !data ? (
          <ErrorView error={error} retry={() => void mutate()} />
        ) : !data ? (
          <Skeleton rows={10} label="Loading the year" />
        ) : (
          <Months data={data} first={first} mayAdd={mayAdd} />
        )}
      </PageBody>
    </Page>
  );
}

function Months({ data, first, mayAdd }: { data: Year; first: number; mayAdd: boolean }) {
  const [off, half] = [new Set(data.week_offs), new Set(data.half_days)];
  const markOf = (day: string): DayMark | null => {
    const named = data.named.filter(({ date, to_date: to }) => date <= day && day <= (to ?? date));
    const names = named.map(({ name }) => name).join(', ');
    if (named.some(({ holiday_type: type }) => type !== 'optional')) return { kind: 'holiday', title: names };
    if (off.has(day)) return { kind: 'off', title: names ? `Week-off; optional: ${names}` : 'Week-off' };
    if (named.length > 0) return { kind: 'optional', title: `Optional: ${names}` };
    return half.has(day) ? { kind: 'half', title: 'Half day' } : null;
  };
  const months = Array.from({ length: 12 }, (_, at) =>
    addMonths(yearSpan(first, place().fyStartMonth).from, at).slice(0, 7),
  );
  const whole = (value: number) => formatNumber(value);
  return (
    <>
      <ul className={dashboardStyles.figures}>
        <li>
          <Figure value={whole(data.working_days)} title="Working days" />
        </li>
        <li>
          <Figure
            value={whole(data.holidays.length)}
            title="Days of holidays"
            note={`${whole(data.holidays.filter((day) => off.has(day)).length)} on a week-off`}
          />
        </li>
        <li>
          <Figure
            value={whole(data.week_offs.length)}
            title="Week-offs"
            {...(data.half_days.length > 0 && { note: `and ${whole(data.half_days.length)} half days` })}
          />
        </li>
      </ul>
      {data.named.length === 0 && (
        <p className={styles.note} role="status">
          No holidays are entered for this year.{' '}
          {mayAdd && <Link to={`/holiday/copy?year=${first - 1}`}>Copy those of {yearName(first - 1)}</Link>}
        </p>
      )}
      <DayLegend
        kinds={[
          ['holiday', 'Holiday'],
          ['optional', 'Optional holiday, a working day'],
          ['off', 'Week-off'],
          ['half', 'Half day'],
        ]}
      />
      <div className={styles.months}>
        {months.map((month) => (
          <div key={month}>
            <MonthGrid month={month} markOf={markOf} today={today()} />
            <ul className={styles.names}>
              {data.named
                .filter(({ date, to_date: to }) => date.slice(0, 7) <= month && (to ?? date).slice(0, 7) >= month)
                .map(({ id, name, date, to_date: to, holiday_type: type }) => (
                  <li key={id}>
                    <span>{to ? `${date.slice(8)}–${to.slice(8)}` : date.slice(8)}</span>
                    <Link to={`/holiday/view/${id}`}>{name}</Link>
                    {type === 'optional' && <span className={styles.muted}>optional</span>}
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </div>
    </>
  );
}
