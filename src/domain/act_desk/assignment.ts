/** A member of a group, with the data that decides whose turn it is. */
export interface Member {
  id: number;
  /** Their open tickets. */
  open: number;
  /** When they got their last ticket, in milliseconds; null = never. */
  lastAt: number | null;
}

/** The next in turn: after the last one, in the order of their ids; null = nobody (act 5.1). */
export function nextInTurn(members: readonly number[], last: number | null): number | null {
  const ids = members.toSorted((one, other) => one - other);
  return ids.find((id) => last === null || id > last) ?? ids[0] ?? null;
}

/**
 * The member with the fewest open tickets; on a tie the one who has waited longest since the last one, then the lower
 * id (act 5.1).
 */
export function leastOpen(members: readonly Member[]): number | null {
  const [first] = members.toSorted(
    (one, other) => one.open - other.open || (one.lastAt ?? 0) - (other.lastAt ?? 0) || one.id - other.id,
  );
  return first?.id ?? null;
}
