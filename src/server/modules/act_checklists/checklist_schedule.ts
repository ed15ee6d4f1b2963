import type { Schedule } from '../../../domain/act/recurrence.ts';

type Row = Readonly<Record<string, unknown>>;

/** The schedule that the fields of a checklist, or of a task with days of its own, describe. */
export function scheduleOf(record: Row, startOn: unknown, endOn: unknown): Schedule {
  const dates = (record.dates as { on: string; what: string }[] | null) ?? [];
  const days = (what: string) => dates.filter((one) => one.what === what).map(({ on }) => on);
  return {
    repeat: (record.repeat as Schedule['repeat'] | null) ?? 'monthly',
    start_on: String(startOn),
    end_on: (endOn as string | null) ?? null,
    every: record.every as number | null,
    weekdays: record.weekdays as string[] | null,
    month_day: record.month_day as number | null,
    month_no: record.month_no as number | null,
    nth: record.nth as number | null,
    weekday: record.weekday as string | null,
    rules: record.rules as string | null,
    rdates: days('add'),
    exdates: days('leave_out'),
  };
}
