/** Something that falls due on a day. */
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

/** What is to be known of the days of a span. */
export interface CalendarDays {
  week_offs: string[];
  half_days: string[];
  /** By name, each from its first day to its last. */
  holidays: { name: string; date: string; to_date: string | null; optional: boolean }[];
  events: CalendarEvent[];
  /** There are more events than the answer holds. */
  more: boolean;
}
