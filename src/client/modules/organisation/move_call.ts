import type { Relink } from '../../../domain/performance/move_links.ts';
import { api } from '../../api/http.ts';

/** A KPI that counts into another sheet, and what it counted into. */
export interface Relinked extends Relink {
  was: number;
}

/** The decision about a move. */
export interface Move {
  id: number;
  manager: number | null;
  from: string;
  reason: string;
  /** What waits for the former manager moves to the new one. */
  movesOpen: boolean;
  /** KPIs that count into other sheets from then on. */
  relinks?: readonly Relinked[];
}

/** Gives somebody another manager from a day on. `version`: the record that was seen; none = whatever it is now. */
export const postMove = (
  { id, manager, from, reason, movesOpen, relinks = [] }: Move,
  version?: number,
): Promise<unknown> =>
  api.post(
    `/tapi/employee/${id}/move`,
    {
      effective_from: from,
      reporting_to_id: manager,
      reason,
      moves_open: movesOpen,
      ...(relinks.length > 0 && { relinks: relinks.map(({ was: _was, ...one }) => one) }),
      ...(version !== undefined && { version }),
    },
    { quiet: true },
  );

/** What a move did to KPIs, the other way round. */
export const linkedBack = ({ relinks = [] }: Move): Relinked[] =>
  relinks.flatMap(({ to, was, ...one }) => (to === null ? [{ ...one, to: was, was }] : [{ ...one, to: was, was: to }]));
