import { DateTime } from 'luxon';

const day = (date: string) => DateTime.fromISO(date, { zone: 'utc' });
const plus = (date: string, days: number) => day(date).plus({ days }).toISODate()!;

/** The day by which the next meeting must be held. */
export function nextBy(lastMeeting: string, maxGapDays = 120): string {
  return plus(lastMeeting, maxGapDays);
}

/** Days between meetings, in their order. */
export function gapsOf(meetings: readonly string[]): number[] {
  const held = meetings.toSorted();
  return held.slice(1).map((date, at) => day(date).diff(day(held[at]!), 'days').days);
}

/** What the meetings of a year say of the two rules of s. 173. */
export function meetingsHeld(
  meetings: readonly string[],
  least = 4,
  maxGapDays = 120,
): { missing: number; gaps: number[]; tooLong: number[] } {
  const gaps = gapsOf(meetings);
  return {
    missing: Math.max(0, least - meetings.length),
    gaps,
    tooLong: gaps.filter((gap) => gap > maxGapDays).map((gap) => gap - maxGapDays),
  };
}

/** The days by which the papers of a meeting are due. */
export function meetingClocks(
  held: string,
  noticeDays = 7,
): { notice_by: string; draft_minutes_by: string; minutes_entered_by: string } {
  return { notice_by: plus(held, -noticeDays), draft_minutes_by: plus(held, 15), minutes_entered_by: plus(held, 30) };
}

/** How somebody took part in a meeting held while in office. */
export type Presence = 'in_person' | 'video' | 'leave' | 'absent';

const ATTENDED: ReadonlySet<Presence> = new Set(['in_person', 'video']);

/** Attended of held, in per cent with two decimals; null = none was held. Leave of absence is no attendance. */
export function attendance(presences: readonly Presence[]): number | null {
  if (presences.length === 0) return null;
  const attended = presences.filter((one) => ATTENDED.has(one)).length;
  return Math.round((attended / presences.length) * 10_000) / 100;
}

/** The office may fall vacant: of the meetings held in twelve months, none was attended (s. 167). */
export function mayFallVacant(presencesOfYear: readonly Presence[]): boolean {
  return presencesOfYear.length > 0 && presencesOfYear.every((one) => !ATTENDED.has(one));
}
