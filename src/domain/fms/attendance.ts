/** A shift of a day; times are HH:MM, and a shift that ends before it begins ends on the next day. */
export interface Shift {
  from: string;
  to: string;
  grace_minutes: number;
  break_minutes: number;
}

const minuteOf = (time: string) => {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour * 60 + minute;
};

/** A stay of up to five hours has no break: the Factories Act asks for one after five hours of work. */
const BREAK_AFTER = 300;

/**
 * Minutes worked and late for a day with a shift (C22). The break is deducted from stays of more than five hours;
 * lateness beyond the grace period counts from the start of the shift. Without an end the work is unknown: null.
 */
export function attendanceOf(
  shift: Shift,
  firstIn: string,
  lastOut: string | null,
): { worked: number | null; late: number } {
  const lateBy = minuteOf(firstIn) - minuteOf(shift.from);
  const late = lateBy > shift.grace_minutes ? lateBy : 0;
  if (lastOut === null) return { worked: null, late };
  const there = (minuteOf(lastOut) - minuteOf(firstIn) + 1440) % 1440;
  return { worked: there > BREAK_AFTER ? there - shift.break_minutes : there, late };
}

/** An activity of a person, with start and end. */
export interface Span {
  from: Date;
  to: Date;
}

/** The gaps of more than `minutes` between consecutive activities, in order. */
export function gapsOver(spans: readonly Span[], minutes: number): Span[] {
  const gaps: Span[] = [];
  let until: Date | null = null;
  for (const { from, to } of spans.toSorted((a, b) => a.from.getTime() - b.from.getTime())) {
    if (until !== null && from.getTime() - until.getTime() > minutes * 60_000) gaps.push({ from: until, to: from });
    if (until === null || to > until) until = to;
  }
  return gaps;
}

/** Minutes that activities cover; a minute of several of them counts once. */
export function minutesCovered(spans: readonly Span[]): number {
  let [total, until] = [0, -Infinity];
  for (const { from, to } of spans.toSorted((a, b) => a.from.getTime() - b.from.getTime())) {
    total += Math.max(0, to.getTime() - Math.max(from.getTime(), until));
    until = Math.max(until, to.getTime());
  }
  return total / 60_000;
}
