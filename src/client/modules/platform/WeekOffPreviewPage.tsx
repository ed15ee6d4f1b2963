import useSWR from 'swr';
import { formatDate, formatNumber } from '../../../descriptor/format.ts';
import type { DayOff } from '../../../domain/working_days.ts';
import { api } from '../../api/http.ts';
import { ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { today } from '../../../descriptor/place.ts';
import type { BespokeProps } from '../bespoke_props.ts';
import { DayLegend, WeekTable } from './day_grid.tsx';
import styles from './holidays.module.css';

interface Preview {
  name: string;
  from: string;
  days: (DayOff & { date: string })[];
}

/** The next eight weeks of a week-off, with the rule of each day off. */
export default function WeekOffPreviewPage({ params }: BespokeProps) {
  const { data, error, mutate } = useSWR(
    `/tapi/weekoff/${params.id}/preview`,
    async (path) => (await api.get<{ data: Preview }>(path, undefined, { quiet: true })).data,
  );
  return (
    <Page
      title={data ? `${data.name}: next 8 weeks` : 'Next 8 weeks'}
      breadcrumbs={[{ label: 'Week-offs', to: '/weekoff' }]}
      secondary={[{ label: 'Edit', to: `/weekoff/edit/${params.id}` }]}
    >
      <PageBody>
        {error && !data ? (
          <ErrorView error={error} retry={() => void mutate()} />
        ) : !data ? (
          <Skeleton rows={8} label="Loading the weeks" />
        ) : (
          <Weeks preview={data} />
        )}
      </PageBody>
    </Page>
  );
}

function Weeks({ preview: { days, from } }: { preview: Preview }) {
  const byDay = new Map(days.map((day) => [day.date, day]));
  const weeks = Array.from({ length: days.length / 7 }, (_, week) =>
    days.slice(week * 7, week * 7 + 7).map(({ date }) => date),
  );
  const rules = Map.groupBy(
    days.filter(({ work, why }) => work < 1 && why !== null),
    ({ why }) => why!,
  );
  const free = days.reduce((sum, { work }) => sum + 1 - work, 0);
  return (
    <>
      <p className={styles.note}>
        {formatNumber(free)} of {days.length} days are free.
        {from > days[0]!.date ? ` It holds from ${formatDate(from)} on.` : ''} Holidays are not shown here.
      </p>
      <ul className={styles.rules}>
        {[...rules].map(([why, of]) => (
          <li key={why}>
            {why}: {of.length} {of.length === 1 ? 'day' : 'days'}
          </li>
        ))}
      </ul>
      <DayLegend
        kinds={[
          ['off', 'Free'],
          ['half', 'Half day'],
          ['optional', 'Works by exception'],
        ]}
      />
      <WeekTable
        weeks={weeks}
        name="Next 8 weeks"
        today={today()}
        markOf={(day) => {
          const { work = 1, why = null } = byDay.get(day) ?? {};
          if (why === null) return null;
          return {
            kind: work === 0 ? 'off' : work < 1 ? 'half' : 'optional',
            title: work === 1 ? 'Works by exception' : why,
          };
        }}
      />
    </>
  );
}
