import { Button, Input } from '@fluentui/react-components';
import { MegaphoneRegular, OpenRegular, SearchRegular } from '@fluentui/react-icons';
import { Suspense, lazy, useCallback, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import useSWR from 'swr';
import { today as dayOfCompany } from '../../../descriptor/place.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { OfferedStep } from '../../../descriptor/workflow.ts';
import type { BoardTicket, CallBoard } from '../../../domain/fms/call_board.ts';
import type { Suggestion } from '../../../domain/fms/who_goes.ts';
import { ApiError, api } from '../../api/http.ts';
import { useScreen } from '../../api/screens.ts';
import { toast } from '../../app/feedback.ts';
import { EmptyState, ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { useSession } from '../../app/session.ts';
import { useLiveRecords } from '../../runtime/landing/use_rows.ts';
import { wholeRecord } from '../../runtime/looks/use_move.tsx';
import type { AskedStep } from '../../runtime/workflow/take_step.ts';
import { askedStep } from '../../runtime/workflow/take_step.ts';
import { BoardLane, TicketChip } from './BoardLane.tsx';
import { BoardMap } from './BoardMap.tsx';
import styles from './assign_board.module.css';
import { assignStep, lanesOf, suggestionsOf, unassigned } from './board_model.ts';
import { RescueStrip } from './RescueStrip.tsx';

const StepDialog = lazy(() => import('../../runtime/workflow/StepDialog.tsx'));

/** Number of suggestions shown with reasons. */
const SHOWN = 6;

/** The dispatcher's board: unassigned tickets, today's work, and suggested technicians with reasons. */
export default function AssignBoardPage() {
  const { entityId } = useSession();
  const { screen } = useScreen('fms_ticket');
  const {
    data: board,
    error,
    mutate,
  } = useSWR(
    ['/tapi/fms/board', entityId],
    async ([path]) => (await api.get<{ data: CallBoard }>(path, undefined, { quiet: true })).data,
  );
  const refresh = useCallback(() => void mutate(), [mutate]);
  useLiveRecords('fms_ticket team building', refresh);
  return (
    <Page title="Assign" layout="fill">
      <PageBody pad={false}>
        {error && !board ? (
          <ErrorView error={error} retry={refresh} home />
        ) : !board || !screen ? (
          <Skeleton rows={12} label="Loading the board" />
        ) : (
          <Board board={board} screen={screen} refresh={refresh} />
        )}
      </PageBody>
    </Page>
  );
}

function Board({ board, screen, refresh }: { board: CallBoard; screen: Screen; refresh: () => void }) {
  const [chosen, setChosen] = useState<number | null>(null);
  const [text, setText] = useState('');
  const [dragged, setDragged] = useState<number | null>(null);
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState('');
  const [asking, setAsking] = useState<{ record: WireRecord; transition: AskedStep } | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const today = dayOfCompany();

  const waiting = useMemo(() => unassigned(board), [board]);
  const lanes = useMemo(() => lanesOf(board, today), [board, today]);
  const trapped = useMemo(() => board.tickets.filter((one) => one.trapped === true && !one.all_out_at), [board]);
  const ticket = board.tickets.find(({ id }) => id === chosen) ?? null;
  const site = board.sites.find(({ id }) => id === chosen) ?? null;
  const suggestions = useMemo(() => (site ? suggestionsOf(board.technicians, site) : []), [board.technicians, site]);
  const able = useMemo(() => suggestions.filter(({ refused }) => refused === null).slice(0, SHOWN), [suggestions]);
  const found = text.trim().toLowerCase();
  const shownLanes =
    found === ''
      ? lanes
      : lanes.filter(
          ({ person, tickets }) =>
            `${person.name} ${person.team}`.toLowerCase().includes(found) ||
            tickets.some((one) => wordsOf(one).includes(found)),
        );
  const shownWaiting = found === '' ? waiting : waiting.filter((one) => wordsOf(one).includes(found));

  /** Asks for the transition's other fields, if it has any besides the technician. */
  const assign = useCallback(
    async (id: number, technician: { id: number; name: string }) => {
      const one = board.tickets.find((other) => other.id === id);
      const step = one && assignStep(one);
      if (!one || !step || one.technician_id === technician.id) return;
      setBusy(true);
      try {
        if (step === 'assign') {
          await api.post(
            `/tapi/fms_ticket/${id}/assign`,
            { version: one.version, technician_id: technician.id },
            { quiet: true },
          );
          const words = `${String(one.ticket_no)} is ${technician.name}'s.`;
          toast.success(words);
          setSaid(words);
          setChosen((old) => (old === id ? null : old));
          refresh();
          list.current?.querySelector<HTMLElement>('[data-ticket]')?.focus();
        } else {
          const record = await wholeRecord(screen, one);
          const offer = ((record._can as OfferedStep[] | undefined) ?? []).find(({ name }) => name === step);
          const transition = screen.workflow?.transitions.find(({ name }) => name === step);
          if (!offer || !transition) toast.error('You may not give this ticket to somebody else.');
          else
            setAsking({
              record: { ...record, technician_id: technician.id, technician_id__label: technician.name },
              transition: askedStep(screen, transition, offer),
            });
        }
      } catch (thrown) {
        if (!(thrown instanceof ApiError)) throw thrown;
        toast.error(thrown.details[0]?.message ?? thrown.message);
        refresh();
      } finally {
        setBusy(false);
      }
    },
    [board, screen, refresh],
  );
  const offerToAll = async (one: BoardTicket) => {
    setBusy(true);
    try {
      await api.post(`/tapi/fms_ticket/${one.id}/broadcast`, { version: one.version });
      toast.success(`${String(one.ticket_no)} is offered to everybody in reach.`);
      refresh();
    } catch {
      // The call has shown the error.
    } finally {
      setBusy(false);
    }
  };

  return (
    <div className={styles.board} data-dragging={dragged === null ? undefined : ''}>
      {trapped.map((one) => (
        <RescueStrip key={one.id} record={one} link={`/fms/edit_ticket/${one.id}`} />
      ))}
      <div className={styles.tools}>
        <Input
          size="small"
          type="search"
          contentBefore={<SearchRegular />}
          placeholder="Technician, team, building, number"
          aria-label="Search the board"
          value={text}
          onChange={(_, { value }) => setText(value)}
        />
        <span className={styles.count}>
          {waiting.length} to be assigned · {board.tickets.length - waiting.length} under way · {lanes.length}{' '}
          technicians
        </span>
        <span className={styles.keys}>↑ ↓ choose · 1–{SHOWN} assign to that suggestion · drag works too</span>
        <output className={styles.hidden}>{said}</output>
      </div>
      <div className={styles.columns}>
        <section className={styles.waiting} aria-label="To be assigned">
          <h2>To be assigned ({shownWaiting.length})</h2>
          {shownWaiting.length === 0 && (
            <EmptyState title="Everything is assigned" text="New calls appear here automatically." />
          )}
          <ul
            ref={list}
            onKeyDown={(event) => {
              const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
              const cards = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-ticket]')];
              const at = cards.indexOf(document.activeElement as HTMLElement);
              if (step !== undefined && cards.length > 0) {
                const next = cards[Math.max(0, Math.min(cards.length - 1, at + step))]!;
                next.focus();
                setChosen(Number(next.dataset.ticket));
                event.preventDefault();
              }
            }}
          >
            {shownWaiting.map((one) => (
              <li key={one.id}>
                <TicketChip
                  ticket={one}
                  wide
                  chosen={one.id === chosen}
                  onChoose={setChosen}
                  onDrag={setDragged}
                  onDigit={(place) => {
                    const at = board.sites.find(({ id }) => id === one.id);
                    const to =
                      at && suggestionsOf(board.technicians, at).filter(({ refused }) => refused === null)[place - 1];
                    if (to && place <= SHOWN && !busy) void assign(one.id, to);
                  }}
                />
              </li>
            ))}
          </ul>
        </section>
        <section className={styles.lanes} aria-label="Technicians today">
          {board.more && <p className={styles.more}>Only the first {board.tickets.length} tickets are drawn.</p>}
          {shownLanes.map((lane) => (
            <BoardLane
              key={lane.person.id}
              lane={lane}
              chosen={chosen}
              suggestion={suggestions.find(({ id }) => id === lane.person.id) ?? null}
              onChoose={setChosen}
              onDrag={setDragged}
              onDrop={() => {
                if (dragged !== null && !busy) void assign(dragged, lane.person);
                setDragged(null);
              }}
            />
          ))}
          {shownLanes.length === 0 && (
            <EmptyState title="Nobody matches" text="Clear the search to see all technicians." />
          )}
        </section>
        <aside className={styles.detail} aria-label="Who goes">
          {ticket && site ? (
            <Chosen
              ticket={ticket}
              suggestions={suggestions}
              busy={busy}
              onAssign={(one) => void assign(ticket.id, one)}
              onOffer={() => void offerToAll(ticket)}
            />
          ) : (
            <p className={styles.hint}>Choose a ticket to see who should go, and why.</p>
          )}
          <BoardMap board={board} chosen={ticket} suggestions={able} onChoose={setChosen} />
        </aside>
      </div>
      {asking && (
        <Suspense fallback={null}>
          <StepDialog
            screen={screen}
            record={asking.record}
            transition={asking.transition}
            onTaken={() => {
              setAsking(null);
              refresh();
            }}
            onClose={() => setAsking(null)}
          />
        </Suspense>
      )}
    </div>
  );
}

const wordsOf = (one: BoardTicket): string =>
  [one.ticket_no, one.building_id__label, one.lift_id__label, one.category_id__label, one.technician_id__label]
    .join(' ')
    .toLowerCase();

/** The selected ticket: its subject and all possible technicians. */
function Chosen({
  ticket,
  suggestions,
  busy,
  onAssign,
  onOffer,
}: {
  ticket: BoardTicket;
  suggestions: Suggestion[];
  busy: boolean;
  onAssign: (one: Suggestion) => void;
  onOffer: () => void;
}) {
  const able = suggestions.filter(({ refused }) => refused === null);
  const refused = suggestions.filter((one) => one.refused !== null);
  const mayOffer = ticket.status === 'new' || ticket.status === 'assigned';
  return (
    <>
      <header className={styles.head}>
        <h2>{String(ticket.building_id__label ?? ticket.ticket_no)}</h2>
        <p>
          {[ticket.lift_id__label, ticket.category_id__label].filter(Boolean).join(' · ')}
          <br />
          {String(ticket.description ?? '')}
        </p>
        <div className={styles.acts}>
          <Link to={`/fms/edit_ticket/${ticket.id}`} className={styles.open}>
            <OpenRegular aria-hidden /> {String(ticket.ticket_no)}
          </Link>
          {mayOffer && (
            <Button
              size="small"
              icon={<MegaphoneRegular />}
              disabled={busy || ticket.offered_to_all === true}
              onClick={onOffer}
            >
              {ticket.offered_to_all === true ? 'Offered to all' : 'Offer to all'}
            </Button>
          )}
        </div>
      </header>
      {able.length === 0 && (
        <p className={styles.hint}>Nobody on duty can go. Offer the ticket to everyone, or phone the supervisor.</p>
      )}
      <ol className={styles.suggestions} aria-label="Suggestions">
        {able.slice(0, SHOWN).map((one, index) => (
          <li key={one.id} data-best={index === 0 ? '' : undefined}>
            <button
              type="button"
              disabled={busy || one.id === ticket.technician_id}
              onClick={() => onAssign(one)}
              aria-label={`Assign to ${one.name}: score ${one.score!.toFixed(1)}. ${one.reasons.join(', ')}`}
            >
              <strong>
                {index + 1}. {one.name}
                {one.id === ticket.technician_id ? ' (has it)' : ''}
              </strong>
              <span className={styles.score}>{one.score!.toFixed(1)}</span>
              <span className={styles.reasons}>{one.reasons.join(' · ')}</span>
            </button>
          </li>
        ))}
      </ol>
      {refused.length > 0 && (
        <details className={styles.refused}>
          <summary>{refused.length} cannot go</summary>
          <ul>
            {refused.map((one) => (
              <li key={one.id}>
                {one.name}: {one.refused}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
