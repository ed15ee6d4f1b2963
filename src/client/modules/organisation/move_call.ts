import { api } from '../../api/http.ts';

/** The decision about a move. */
export interface Move {
  id: number;
  manager: number | null;
  from: string;
  reason: string;
  /** What waits for the former manager moves to the new one. */
  movesOpen: boolean;
}

/** Gives somebody another manager from a day on. `version`: the record that was seen; none = whatever it is now. */
export const postMove = ({ id, manager, from, reason, movesOpen }: Move, version?: number): Promise<unknown> =>
  api.post(
    `/tapi/employee/${id}/move`,
    {
      effective_from: from,
      reporting_to_id: manager,
      reason,
      moves_open: movesOpen,
      ...(version !== undefined && { version }),
    },
    { quiet: true },
  );
