import { memo } from 'react';
import type { ClockValue } from '../../../domain/clock_value.ts';
import type { BoardTicket } from '../../../domain/fms/call_board.ts';
import type { Suggestion } from '../../../domain/fms/who_goes.ts';
import { clockTone } from '../../../domain/clock_value.ts';
import { ClockShown } from '../../runtime/fields/clock/ClockShown.tsx';
import styles from './assign_board.module.css';
import type { Lane } from './board_model.ts';

const STATES: Record<string, string> = {
  new: 'Not assigned',
  assigned: 'Asked',
  accepted: 'Accepted',
  travelling: 'On the way',
  attending: 'On site',
  paused: 'Paused',
};

/** The current clock of a ticket: the arrival's until somebody is on site, then the repair's. */
function clockOf(ticket: BoardTicket): ClockValue | null {
  const clock = ticket.responded_at ? ticket.restore_clock : (ticket.respond_clock ?? ticket.restore_clock);
  return (clock as ClockValue | null | undefined) ?? null;
}

/**
 * A ticket on the board: selected by a click or Enter, dragged to a technician, or assigned to a suggestion by a digit.
 */
export const TicketChip = memo(function TicketChip({
  ticket,
  wide = false,
  chosen,
  onChoose,
  onDrag,
  onDigit,
}: {
  ticket: BoardTicket;
  wide?: boolean;
  chosen: boolean;
  onChoose: (id: number) => void;
  onDrag: (id: number | null) => void;
  onDigit?: (place: number) => void;
}) {
  const clock = clockOf(ticket);
  const place = String(ticket.building_id__label ?? '').replace(/ · BLD.*$/, '');
  const kind = ticket.ticket_type === 'preventive' ? 'Visit' : String(ticket.category_id__label ?? 'Call');
  return (
    <button
      type="button"
      className={styles.chip}
      data-ticket={ticket.id}
      data-wide={wide ? '' : undefined}
      data-priority={String(ticket.priority)}
      data-state={String(ticket.status)}
      data-tone={clock ? clockTone(clock, Date.now()) : undefined}
      data-chosen={chosen ? '' : undefined}
      aria-pressed={chosen}
      draggable
      onClick={() => onChoose(ticket.id)}
      onFocus={() => wide && onChoose(ticket.id)}
      onDragStart={(event) => {
        event.dataTransfer.setData('text/plain', String(ticket.id));
        event.dataTransfer.effectAllowed = 'move';
        onDrag(ticket.id);
      }}
      onDragEnd={() => onDrag(null)}
      onKeyDown={(event) => {
        if (!onDigit || event.ctrlKey || event.metaKey || event.altKey || !/^[1-9]$/.test(event.key)) return;
        event.preventDefault();
        onDigit(Number(event.key));
      }}
    >
      <span className={styles.place}>
        {ticket.trapped === true && !ticket.all_out_at ? 'People inside · ' : ''}
        {place}
      </span>
      <span className={styles.kind}>
        {String(ticket.priority ?? '').toUpperCase()} · {kind}
        {wide ? '' : ` · ${STATES[String(ticket.status)] ?? ''}`}
      </span>
      {wide && <span className={styles.kind}>{String(ticket.lift_id__label ?? '')}</span>}
      {wide && clock && (
        <span className={styles.clock}>
          <ClockShown value={clock} />
          {ticket.offered_to_all === true && ' · offered to all'}
          {ticket.source === 'qr' && !ticket.confirmed_at && ' · to be confirmed'}
        </span>
      )}
    </button>
  );
});

/** A technician with today's work. */
export const BoardLane = memo(function BoardLane({
  lane: { person, tickets, minutes },
  chosen,
  suggestion,
  onChoose,
  onDrag,
  onDrop,
}: {
  lane: Lane;
  chosen: number | null;
  suggestion: Suggestion | null;
  onChoose: (id: number) => void;
  onDrag: (id: number | null) => void;
  onDrop: () => void;
}) {
  const takes = suggestion === null || suggestion.refused === null;
  return (
    <div
      className={styles.lane}
      role="group"
      aria-label={`${person.name}, ${tickets.length} tickets`}
      data-off={person.offDuty === null ? undefined : ''}
      data-takes={suggestion !== null && takes ? '' : undefined}
      onDragOver={(event) => {
        event.preventDefault();
        event.dataTransfer.dropEffect = 'move';
      }}
      onDrop={(event) => {
        event.preventDefault();
        onDrop();
      }}
    >
      <div className={styles.person}>
        <strong>{person.name}</strong>
        <span>
          {person.offDuty ?? person.team} · level {person.level}
        </span>
        <span className={styles.load} title={`${minutes} of ${person.dayMinutes} min`}>
          <span
            style={{ inlineSize: `${Math.min(100, (minutes * 100) / person.dayMinutes)}%` }}
            data-over={minutes > person.dayMinutes ? '' : undefined}
          />
        </span>
        <span>
          {minutes} min
          {suggestion?.score !== null && suggestion?.km !== null && suggestion !== null
            ? ` · ${suggestion.km.toFixed(1)} km · ${suggestion.score.toFixed(1)}`
            : ''}
        </span>
      </div>
      <div className={styles.work}>
        {tickets.map((ticket) => (
          <TicketChip
            key={ticket.id}
            ticket={ticket}
            chosen={ticket.id === chosen}
            onChoose={onChoose}
            onDrag={onDrag}
          />
        ))}
        {tickets.length === 0 && <span className={styles.free}>Free</span>}
      </div>
    </div>
  );
});
