/** A seat, as far as its vacancy needs it. */
export interface SeatDays {
  /** The first day without a holder; null = it is held, or nobody has held it. */
  vacant_since: string | null;
  sanctioned_on: string | null;
}

const DAY_MS = 86_400_000;

/** Days since the last holder left, or since the seat was created where nobody has held it; 0 while it is held. */
export function vacantDays(
  { vacant_since: since, sanctioned_on: created }: SeatDays,
  held: boolean,
  today: string,
): number {
  const from = since === null ? created : since;
  if (held || from === null) return 0;
  const days = Math.round((Date.parse(today) - Date.parse(from)) / DAY_MS);
  // The day before the first vacant day was the holder's last.
  return Math.max(0, since === null ? days : days + 1);
}
