import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { MenuNode, WireRecord } from '../../../descriptor/types.ts';
import { formatMoment } from '../../../descriptor/format.ts';
import { dayOfMoment, place, today } from '../../../descriptor/place.ts';
import { distanceKm } from '../../../domain/fms/best_order.ts';
import { menu, useScreen } from '../../api/screens.ts';

import { toast } from '../../app/feedback.ts';
import { useSession } from '../../app/session.ts';
import { waitingActs } from '../../runtime/offline/outbox.ts';
import { BigButton } from './BigButton.tsx';
import { positionNow } from '../../runtime/fields/position.ts';
import type { Fix } from '../../runtime/fields/position.ts';
import { useHome } from './use_home.ts';
import { useKept, useKeptList } from './use_kept.ts';
import { saveOfVisit } from './visit_acts.ts';
import styles from './visit.module.css';

const OPEN = ['assigned', 'accepted', 'travelling', 'attending', 'paused', 'completed'];

/** My day: breakdowns on top, then the stops of the day in route order. */
export default function MyDay() {
  const { employeeId, name } = useSession();
  const waiting = waitingActs.use().length;
  const tickets = useKeptList('fms_ticket', ['status', 'in', OPEN], 'stop_no', 200, String(waiting));
  const mine = tickets?.filter(
    ({ technician_id: lead, helper_ids: helpers }) =>
      lead === employeeId || (Array.isArray(helpers) && helpers.includes(employeeId)),
  );
  const day = today();
  const calls = mine?.filter(({ ticket_type: type }) => type !== 'preventive') ?? [];
  const stops =
    mine?.filter(({ ticket_type: type, planned_on: on }) => type === 'preventive' && (!on || String(on) <= day)) ?? [];
  const later =
    mine?.filter(({ ticket_type: type, planned_on: on }) => type === 'preventive' && on && String(on) > day) ?? [];
  return (
    <div className={styles.visit}>
      <header className={styles.head}>
        <h1>My day</h1>
        <span className={styles.soft}>{name}</span>
      </header>
      <CheckIn employee={employeeId} />
      {mine === undefined && <p role="status">Loading your day…</p>}
      {calls
        .toSorted((a, b) => Number(b.trapped === true) - Number(a.trapped === true))
        .map((ticket) => (
          <Stop key={ticket.id} ticket={ticket} urgent />
        ))}
      {stops.map((ticket, at) => (
        <Stop key={ticket.id} ticket={ticket} before={stops[at - 1]} number={at + 1} />
      ))}
      {mine !== undefined && calls.length + stops.length === 0 && (
        <section className={styles.card}>
          <p>Nothing is planned for you today.</p>
        </section>
      )}
      {later.length > 0 && (
        <p className={styles.soft}>
          {later.length === 1 ? '1 visit is' : `${later.length} visits are`} planned for the next days.
        </p>
      )}
      <PhoneMenu />
    </div>
  );
}

/** One stop: place, distance, key holder, and whether the customer has dues. */
function Stop({
  ticket,
  before,
  number,
  urgent = false,
}: {
  ticket: WireRecord;
  before?: WireRecord | undefined;
  number?: number;
  urgent?: boolean;
}) {
  const building = useKept('building', ticket.building_id);
  const from = useKept('building', before?.building_id);
  const customer = useKept('customer_dtl', ticket.customer_id);
  const km =
    building?.geo && from?.geo && building.id !== from.id ? distanceKm(from.geo as Fix, building.geo as Fix) : null;
  return (
    <Link
      className={styles.card}
      style={{ textDecoration: 'none' }}
      data-urgent={urgent || undefined}
      to={`/fms/edit_ticket/${ticket.id}`}
    >
      <span className={styles.line}>
        {number !== undefined && <span className={styles.count}>{number}</span>}
        <strong>{String(ticket.building_id__label ?? '')}</strong>
      </span>
      <span>
        {String(ticket.lift_id__label ?? '')}
        {urgent
          ? ` · ${ticket.trapped === true ? 'People are inside' : String(ticket.category_id__label ?? 'Call')}`
          : ''}
      </span>
      <span className={styles.soft}>
        {[
          STATES[String(ticket.status)],
          km === null ? null : `${km.toFixed(1)} km from the stop before`,
          building?.key_holder ? `Key: ${String(building.key_holder)}` : null,
          customer?.credit_stop === true ? 'Dues: ask the office before chargeable work' : null,
        ]
          .filter((words) => words !== null && words !== undefined)
          .join(' · ')}
      </span>
    </Link>
  );
}

const STATES: Readonly<Record<string, string>> = {
  assigned: 'Accept or decline',
  accepted: 'Accepted',
  travelling: 'On the way',
  attending: 'At work',
  paused: 'Paused',
  completed: 'To be signed',
};

/** Check-in and check-out of the day, with the position if the phone gives it. */
function CheckIn({ employee }: { employee: number | null }) {
  const { screen } = useScreen('attendance_punch');
  const [turn, setTurn] = useState(0);
  const punches = useKeptList(
    'attendance_punch',
    employee === null ? null : ['employee_id', 'eq', employee],
    '-at',
    1,
    String(turn),
  );
  const [last, setLast] = useState<{ direction: string; at: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const known = last ?? (punches?.[0] as { direction: string; at: string } | undefined);
  if (!screen || employee === null) return null;
  const isIn = known?.direction === 'in' && dayOfMoment(place().timezone, Date.parse(known.at)) === today();
  const punch = async () => {
    setBusy(true);
    const direction = isIn ? 'out' : 'in';
    const at = new Date().toISOString();
    const place = await positionNow();
    const done = await saveOfVisit(screen, { employee_id: employee, at, direction, source: 'fms', place });
    setBusy(false);
    if (done.refused !== null) {
      toast.error(done.refused);
      return;
    }
    setLast({ direction, at });
    setTurn((old) => old + 1);
  };
  return (
    <section className={styles.card} aria-label="Attendance">
      {known && (
        <p className={styles.soft}>
          {known.direction === 'in' ? 'Day begun' : 'Day ended'}: {formatMoment(known.at)}
        </p>
      )}
      <BigButton main={!isIn} busy={busy} onPress={() => void punch()}>
        {isIn ? 'End my day' : 'Begin my day'}
      </BigButton>
    </section>
  );
}

/** The entries of the role's phone menu, in order. */
function PhoneMenu() {
  const { data } = useHome();
  const { tree } = menu.use();
  const entries = (data?.menu ?? []).flatMap(({ code, quick }) => {
    const node = found(tree, code);
    return quick && node?.route ? [{ code, name: node.name, route: node.route }] : [];
  });
  if (entries.length === 0) return null;
  return (
    <nav className={styles.two} aria-label="Phone menu">
      {entries.map(({ code, name, route }) => (
        <Link key={code} className={styles.big} to={route}>
          {name}
        </Link>
      ))}
    </nav>
  );
}

function found(nodes: readonly MenuNode[], code: string): MenuNode | null {
  for (const node of nodes) {
    const inside = node.code === code ? node : found(node.children ?? [], code);
    if (inside) return inside;
  }
  return null;
}
