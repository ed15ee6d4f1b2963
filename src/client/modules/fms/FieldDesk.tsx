import { Link } from 'react-router-dom';
import type { WireRecord } from '../../../descriptor/types.ts';
import { formatMoney, formatNumber } from '../../../descriptor/format.ts';
import { today } from '../../../descriptor/place.ts';
import { ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { ClockShown } from '../../runtime/fields/clock/ClockShown.tsx';
import type { ClockValue } from '../../../domain/clock_value.ts';
import { Box, Figure, dashboardStyles as styles } from '../dashboard_parts.tsx';
import { RescueStrip } from './RescueStrip.tsx';
import { useHome } from './use_home.ts';
import { useKeptList } from './use_kept.ts';

const OPEN = ['new', 'assigned', 'accepted', 'travelling', 'attending', 'paused'];

/** The desk: tiles of one's roles, people inside, open calls by the time that is left, today's visits. */
export default function FieldDesk() {
  const { data, error, mutate } = useHome();
  const trapped = useKeptList('fms_ticket', [
    'and',
    ['trapped', 'eq', true],
    ['all_out_at', 'empty'],
    ['status', 'in', OPEN],
  ]);
  const calls = useKeptList(
    'fms_ticket',
    ['and', ['status', 'in', OPEN], ['ticket_type', 'ne', 'preventive']],
    'restore_by',
    12,
  );
  const visits = useKeptList('scheduled_ticket', ['planned_on', 'eq', today()], 'route_id', 200);
  return (
    <Page title="Field service">
      <PageBody>
        {trapped?.map((record) => (
          <RescueStrip key={record.id} record={record} link={`/fms/edit_ticket/${record.id}`} />
        ))}
        {error && !data ? (
          <ErrorView error={error} retry={() => void mutate()} />
        ) : !data ? (
          <Skeleton rows={3} label="Loading the figures" />
        ) : (
          <div className={styles.figures}>
            {data.tiles
              .filter(({ show_on: where }) => where !== 'phone')
              .map(({ code, title, value, isAmount, tone, target }) => (
                <Figure
                  key={code}
                  title={title}
                  value={isAmount ? formatMoney(value) : formatNumber(Number(value))}
                  to={target}
                  tone={tone ?? 'neutral'}
                />
              ))}
          </div>
        )}
        <Box title="Open calls">
          {calls?.length === 0 && <p>No call is open.</p>}
          <ul>
            {calls?.map((call) => (
              <Call key={call.id} call={call} />
            ))}
          </ul>
        </Box>
        {visits && <Visits visits={visits} />}
      </PageBody>
    </Page>
  );
}

function Call({ call }: { call: WireRecord }) {
  const clock = (call.respond_clock ?? call.restore_clock) as ClockValue | null;
  return (
    <li>
      <Link to={`/fms/edit_ticket/${call.id}`}>{String(call.ticket_no ?? call.id)}</Link>{' '}
      {[call.building_id__label, call.lift_id__label, call.technician_id__label]
        .filter(Boolean)
        .map(String)
        .join(' · ')}{' '}
      {clock && typeof clock === 'object' ? <ClockShown value={clock} /> : null}
    </li>
  );
}

function Visits({ visits }: { visits: WireRecord[] }) {
  const done = visits.filter(({ status }) => status === 'done').length;
  const byRoute = Map.groupBy(visits, ({ route_id__label: route }) => String(route ?? 'Without a route'));
  return (
    <Box title={`Visits today: ${done} of ${visits.length} done`}>
      {visits.length === 0 && <p>No visit is planned for today.</p>}
      <ul>
        {[...byRoute].map(([route, of]) => (
          <li key={route}>
            {route}: {of.filter(({ status }) => status === 'done').length} of {of.length}
          </li>
        ))}
      </ul>
      <Link to="/scheduled_tickets">All scheduled visits</Link>
    </Box>
  );
}
