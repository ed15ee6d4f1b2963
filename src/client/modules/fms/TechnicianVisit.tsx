import { Badge } from '@fluentui/react-components';
import { useCallback, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import { stateOf } from '../../../descriptor/workflow.ts';
import type { OfferedStep } from '../../../descriptor/workflow.ts';
import { useScreen } from '../../api/screens.ts';
import { toast } from '../../app/feedback.ts';
import { ErrorView, Skeleton } from '../../app/page.tsx';
import { ClockShown } from '../../runtime/fields/clock/ClockShown.tsx';
import type { ClockValue } from '../../../domain/clock_value.ts';
import { useLiveRecord } from '../../runtime/looks/use_live_record.ts';
import { waitingActs } from '../../runtime/offline/outbox.ts';
import { BigButton } from './BigButton.tsx';
import { ArriveStep } from './ArriveStep.tsx';
import { LeaveStep } from './LeaveStep.tsx';
import { RescuePanel } from './RescuePanel.tsx';
import { SafeStep } from './SafeStep.tsx';
import { SignOffStep } from './SignOffStep.tsx';
import { SiteCard } from './SiteCard.tsx';
import { PauseStep } from './PauseStep.tsx';
import { WorkPanel } from './WorkPanel.tsx';
import type { VisitProps } from './visit_props.ts';
import type { Done } from './visit_acts.ts';
import { takeVisitStep } from './visit_acts.ts';
import styles from './visit.module.css';

const colours = {
  neutral: 'informative',
  brand: 'brand',
  success: 'success',
  warning: 'warning',
  danger: 'danger',
} as const;

/** A ticket on the technician's phone, step by step, also offline. */
export default function TechnicianVisit({ id }: { id: number }) {
  const { screen, error } = useScreen('fms_ticket');
  if (error) return <ErrorView error={error} />;
  if (!screen) return <Skeleton rows={6} label="Loading the visit" />;
  return <Visit key={id} screen={screen} id={id} />;
}

function Visit({ screen, id }: { screen: Screen; id: number }) {
  const { record, error, reload } = useLiveRecord(screen, id);
  // Applies the unsent actions of this device to the displayed ticket.
  const waiting = waitingActs.use().filter((act) => act.type === screen.name && act.id === id).length;
  useEffect(reload, [reload, waiting]);
  const [wrong, setWrong] = useState<string | null>(null);
  const take = useCallback<VisitProps['take']>(
    async (step, asked) => {
      if (!record) return false;
      const done: Done = await takeVisitStep(screen, record, step, asked);
      setWrong(done.refused);
      if (done.refused !== null) return false;
      if (!done.waits) toast.success(screen.workflow!.transitions.find(({ name }) => name === step)!.done ?? 'Done.');
      reload();
      return true;
    },
    [screen, record, reload],
  );
  if (error && !record) return <ErrorView error={error} retry={reload} />;
  if (!record) return <Skeleton rows={6} label="Loading the visit" />;
  const state = stateOf(screen.workflow!, record);
  const isRescue =
    record.trapped === true &&
    !record.all_out_at &&
    ['new', 'assigned', 'accepted', 'travelling', 'attending'].includes(state.name);
  const props: VisitProps = { screen, record, take, reload };
  return (
    <div className={styles.visit} data-alarm={isRescue || undefined}>
      <header className={styles.head}>
        <Link to="/fms_home" className={styles.soft}>
          ‹ My day
        </Link>
        <h1>
          {String(record.lift_id__label ?? '')} · {String(record.building_id__label ?? '')}
        </h1>
        <div className={styles.line}>
          <Badge appearance="filled" color={colours[state.colour]}>
            {state.title}
          </Badge>
          <span className={styles.soft}>{String(record.ticket_no ?? '')}</span>
          {clockOf(record)}
        </div>
      </header>
      {wrong !== null && (
        <p className={styles.wrong} role="alert">
          {wrong}
        </p>
      )}
      {isRescue ? <RescuePanel {...props} /> : <StageOf {...props} state={state.name} />}
    </div>
  );
}

function clockOf(record: WireRecord) {
  const clock = (record.respond_clock ?? record.restore_clock) as ClockValue | null;
  return clock && typeof clock === 'object' ? <ClockShown value={clock} /> : null;
}

/** The actions of each state. */
function StageOf({ state, ...props }: VisitProps & { state: string }) {
  const { record, take } = props;
  const offered = ((record._can as OfferedStep[] | undefined) ?? []).filter(({ blocked }) => blocked === null);
  const may = (step: string) => offered.some(({ name }) => name === step);
  switch (state) {
    case 'new':
      return (
        <>
          <SiteCard {...props} />
          {may('take') && <Bar step="take" label="I will go" take={take} />}
        </>
      );
    case 'assigned':
      return (
        <>
          <SiteCard {...props} />
          <AcceptBar take={take} mayDecline={may('decline')} />
        </>
      );
    case 'accepted':
      return (
        <>
          <SiteCard {...props} />
          <Bar step="go" label="Go" take={take} />
        </>
      );
    case 'travelling':
      return (
        <>
          <SiteCard {...props} />
          <ArriveStep {...props} />
        </>
      );
    case 'attending':
      return isMadeSafe(record) ? <AtWork {...props} /> : <SafeStep {...props} />;
    case 'paused':
      return <Paused {...props} />;
    case 'completed':
      return <SignOffStep {...props} />;
    default:
      return (
        <section className={styles.card}>
          <h2>
            {state === 'cancelled' || state === 'duplicate' ? 'This ticket was cancelled.' : 'This visit is done.'}
          </h2>
          <Link className={styles.big} data-main to="/fms_home">
            Back to my day
          </Link>
        </section>
      );
  }
}

/** Whether all three points of the isolation check are confirmed. */
const isMadeSafe = ({ isolation }: WireRecord): boolean => Array.isArray(isolation) && isolation.length >= 3;

function Bar({ step, label, take }: { step: string; label: string; take: VisitProps['take'] }) {
  const [busy, setBusy] = useState(false);
  return (
    <div className={styles.bar}>
      <BigButton main busy={busy} onPress={() => (setBusy(true), void take(step).finally(() => setBusy(false)))}>
        {label}
      </BigButton>
    </div>
  );
}

function AcceptBar({ take, mayDecline }: { take: VisitProps['take']; mayDecline: boolean }) {
  const [declines, setDeclines] = useState(false);
  const [reason, setReason] = useState('');
  if (!declines)
    return (
      <div className={styles.bar}>
        {mayDecline && <BigButton onPress={() => setDeclines(true)}>Decline</BigButton>}
        <BigButton main onPress={() => void take('accept')}>
          Accept
        </BigButton>
      </div>
    );
  return (
    <section className={styles.card}>
      <label className={styles.label}>
        Why can you not go?
        <input
          className={styles.input}
          value={reason}
          maxLength={200}
          onChange={({ target }) => setReason(target.value)}
        />
      </label>
      <div className={styles.two}>
        <BigButton onPress={() => setDeclines(false)}>Back</BigButton>
        <BigButton
          danger
          disabled={reason.trim() === ''}
          onPress={() => void take('decline', { reason: reason.trim() })}
        >
          Decline
        </BigButton>
      </div>
    </section>
  );
}

function AtWork(props: VisitProps) {
  const [part, setPart] = useState<'work' | 'pause' | 'leave'>('work');
  if (part === 'pause') return <PauseStep {...props} onClose={() => setPart('work')} />;
  if (part === 'leave') return <LeaveStep {...props} onClose={() => setPart('work')} />;
  return (
    <>
      <WorkPanel {...props} />
      <div className={styles.bar}>
        <BigButton onPress={() => setPart('pause')}>Pause</BigButton>
        <BigButton main onPress={() => setPart('leave')}>
          Leave the lift
        </BigButton>
      </div>
    </>
  );
}

function Paused({ record, take }: VisitProps) {
  return (
    <>
      <section className={styles.card}>
        <h2>Paused: {String(record.pause_category_id__label ?? 'no reason given')}</h2>
        {typeof record.pause_remark === 'string' && <p>{record.pause_remark}</p>}
        <p className={styles.soft}>Work goes on when you press Resume, or automatically when the material is issued.</p>
      </section>
      <Bar step="resume" label="Resume" take={take} />
    </>
  );
}
