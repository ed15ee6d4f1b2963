import { useScreenRef } from '../../api/screens.ts';
import { RescueBlock } from './RescueBlock.tsx';
import { useKeptList } from './use_kept.ts';

/**
 * Watches for trapped people without a technician: after 5 minutes the desk's screen is blocked until somebody phones.
 */
export default function RescueWatch() {
  const access = useScreenRef('fms_ticket');
  return access ? <Watching /> : null;
}

function Watching() {
  const waiting = useKeptList(
    'fms_ticket',
    ['and', ['trapped', 'eq', true], ['all_out_at', 'empty'], ['status', 'in', ['new', 'assigned']]],
    'reported_at',
    5,
  );
  const ticket = waiting?.find((one) => Number(one.rescue_step ?? 0) >= 2 && !one.alarm_stopped_at);
  return ticket ? <RescueBlock key={ticket.id} ticket={ticket} /> : null;
}
