import { useMemo } from 'react';
import type { WireRecord } from '../../../descriptor/types.ts';
import type { BoardTicket, CallBoard } from '../../../domain/fms/call_board.ts';
import type { Suggestion } from '../../../domain/fms/who_goes.ts';
import { MapView } from '../../runtime/looks/map/MapView.tsx';
import type { Place } from '../../runtime/looks/map/places.ts';
import { useTiles } from '../../runtime/looks/map/use_tiles.ts';
import styles from './assign_board.module.css';

/** Maximum number of places on the map. */
const MAX_PLACES = 200;

/** The places of the ticket and of possible technicians; without a ticket, of all open tickets. */
export function BoardMap({
  board,
  chosen,
  suggestions,
  onChoose,
}: {
  board: CallBoard;
  chosen: BoardTicket | null;
  suggestions: readonly Suggestion[];
  onChoose: (id: number) => void;
}) {
  const tiles = useTiles();
  const places = useMemo(() => {
    const shown = chosen ? [chosen] : board.tickets.slice(0, MAX_PLACES);
    const sites = shown.flatMap((ticket): Place[] => {
      const at = board.sites.find(({ id }) => id === ticket.id)?.at;
      const title = String(ticket.building_id__label ?? ticket.ticket_no).replace(/ · BLD.*$/, '');
      return at ? [{ ...at, record: ticket as WireRecord, title, lane: '', number: 1, from: null }] : [];
    });
    const people = suggestions.flatMap(({ id, name, km }, index): Place[] => {
      const at = board.technicians.find((one) => one.id === id)?.at;
      return at
        ? [
            {
              ...at,
              record: { id: -id, version: 0, active: true } as WireRecord,
              title: km === null ? name : `${name}, ${km.toFixed(1)} km`,
              lane: 'people',
              number: index + 2,
              from: km === null ? null : km * 1000,
            },
          ]
        : [];
    });
    return [...sites, ...people];
  }, [board, chosen, suggestions]);
  if (places.length === 0) return null;
  return (
    <div className={styles.map}>
      <MapView
        key={chosen?.id ?? 0}
        places={places}
        joined={false}
        chosen={chosen?.id ?? null}
        label="Places of tickets and technicians"
        address={({ id }) => (id > 0 ? `/fms/edit_ticket/${id}` : null)}
        onChoose={(id) => id > 0 && onChoose(id)}
        onMenu={({ id }) => id > 0 && onChoose(id)}
        onSight={null}
        tiles={tiles}
      />
    </div>
  );
}
