/** An event on a due day. */
export interface CalendarEvent {
  /** YYYY-MM-DD. */
  day: string;
  /** The record type. */
  type: string;
  /** What it is, in words. */
  title: string;
  /** The record's name. */
  label: string;
  route: string;
}

/** Information about the days of a period. */
export interface CalendarDays {
  week_offs: string[];
  half_days: string[];
  /** By name, each from its first day to its last. */
  holidays: { name: string; date: string; to_date: string | null; optional: boolean }[];
  events: CalendarEvent[];
  /** There are more events than the answer contains. */
  more: boolean;
}
