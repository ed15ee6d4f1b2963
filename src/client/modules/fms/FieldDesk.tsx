import { Link } from 'react-router-dom';
import type { WireRecord } from '../../../descriptor/types.ts';
import { formatCompact, formatNumber } from '../../../descriptor/format.ts';
import { currencySymbol } from '../../../descriptor/money.ts';
import { today } from '../../../descriptor/place.ts';
import { ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { usePhone } from '../../app/session.ts';
import { ClockShown } from '../../runtime/fields/clock/ClockShown.tsx';
import type { ClockValue } from '../../../domain/clock_value.ts';
import { Card } from '../../app/home/Card.tsx';
import { Figure, dashboardStyles } from '../dashboard_boxes.tsx';
import { RescueStrip } from './RescueStrip.tsx';
import { useHome } from './use_home.ts';
import { useKeptList } from './use_kept.ts';
import styles from './field_desk.module.css';

const OPEN = ['new', 'assigned', 'accepted', 'travelling', 'attending', 'paused'];

/** The desk: tiles of the user's roles, trapped people, open calls by time left, today's visits. */
export default function FieldDesk() {
  const phone = usePhone();
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
        {trapped && trapped.length > 0 && (
          <div className={styles.rescues}>
            {trapped.map((record) => (
              <RescueStrip key={record.id} record={record} link={`/fms/edit_ticket/${record.id}`} />
            ))}
          </div>
        )}
        {error && !data ? (
          <ErrorView error={error} retry={() => void mutate()} />
        ) : !data ? (
          <Skeleton rows={3} label="Loading the figures" />
        ) : (
          <div className={dashboardStyles.figures}>
            {data.tiles
              .filter(({ show_on: where }) => where !== (phone ? 'desk' : 'phone'))
              .map(({ code, title, value, problem, isAmount, tone, target }) => (
                <Figure
                  key={code}
                  title={title}
                  value={
                    value === null
                      ? '–'
                      : isAmount
                        ? currencySymbol() + formatCompact(Number(value))
                        : formatNumber(Number(value))
                  }
                  to={target}
                  tone={tone ?? 'neutral'}
                  {...(problem !== undefined && { note: problem })}
                />
              ))}
          </div>
        )}
        <div className={styles.desk}>
          <Card title="Open calls" more={<Link to="/fms/tickets">All calls</Link>}>
            {!calls && <Skeleton rows={6} label="Loading the open calls" />}
            {calls?.length === 0 && <p className={styles.nothing}>No call is open.</p>}
            <ul className={styles.lines}>
              {calls?.map((call) => (
                <Call key={call.id} call={call} />
              ))}
            </ul>
          </Card>
          {visits && <Visits visits={visits} />}
        </div>
      </PageBody>
    </Page>
  );
}

function Call({ call }: { call: WireRecord }) {
  const clock = (call.respond_clock ?? call.restore_clock) as ClockValue | null;
  const site = [call.building_id__label, call.lift_id__label].filter(Boolean).map(String).join(' · ');
  return (
    <li>
      <Link className={styles.call} to={`/fms/edit_ticket/${call.id}`}>
        <strong>{String(call.ticket_no ?? call.id)}</strong>
        <span className={styles.site}>
          {site}
          <small>{String(call.technician_id__label ?? 'Not assigned')}</small>
        </span>
        {clock && typeof clock === 'object' ? <ClockShown value={clock} /> : null}
      </Link>
    </li>
  );
}

function Visits({ visits }: { visits: WireRecord[] }) {
  const doneOf = (some: WireRecord[]) => some.filter(({ status }) => status === 'done').length;
  const byRoute = Map.groupBy(visits, ({ route_id__label: route }) => String(route ?? 'Without a route'));
  return (
    <Card
      title={`Visits today: ${doneOf(visits)} of ${visits.length} done`}
      more={<Link to="/scheduled_tickets">All visits</Link>}
    >
      {visits.length === 0 && <p className={styles.nothing}>No visit is planned for today.</p>}
      <ul className={styles.lines}>
        {[...byRoute].map(([route, some]) => (
          <li key={route} className={styles.route}>
            <span>{route}</span>
            {doneOf(some)} of {some.length}
          </li>
        ))}
      </ul>
    </Card>
  );
}
