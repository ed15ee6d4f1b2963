import { DateTime } from 'luxon';
import { RRuleTemporal } from 'rrule-temporal';
import { shiftWorkingDays } from '../working_days.ts';

/** Whether a place works on a day, YYYY-MM-DD. */
export type Works = (day: string) => boolean;

const WEEKDAY_CODES = ['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su'] as const;

/** A recurrence as people choose it. Days are YYYY-MM-DD. */
export interface Schedule {
  repeat:
    | 'once'
    | 'daily'
    | 'working_days'
    | 'weekly'
    | 'monthly'
    | 'quarterly'
    | 'half_yearly'
    | 'yearly'
    | 'last_day'
    | 'weekday_of_month'
    | 'workday_of_month'
    | 'rules';
  start_on: string;
  end_on?: string | null;
  /** The interval in days, weeks or months. */
  every?: number | null;
  weekdays?: readonly string[] | null;
  month_day?: number | null;
  /** The month of a yearly task, 1 to 12. */
  month_no?: number | null;
  /** Which weekday or working day of the month: 3 = the third, -1 = the last. */
  nth?: number | null;
  weekday?: string | null;
  /** One RRULE of RFC 5545 per line; several lines are the union of their days. */
  rules?: string | null;
  rdates?: readonly string[];
  exdates?: readonly string[];
}

/** A due day. */
export interface Occurrence {
  /** The key of the occurrence: a later holiday moves its day but never its key. */
  key: string;
  /** The day before any shift for holidays. */
  nominal: string;
}

const PARTS = /^(FREQ|INTERVAL|BYDAY|BYMONTHDAY|BYMONTH|BYSETPOS|WKST|COUNT|UNTIL)=[A-Z0-9,+-]+$/;
const FREQUENCIES = new Set(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']);
/** More occurrences than this of one rule in one window are refused instead of computed. */
const MOST = 20_000;

const utc = (day: string) => DateTime.fromISO(day, { zone: 'utc' });
const plus = (day: string, days: number) => utc(day).plus({ days }).toISODate()!;

/** The error in RRULE lines, as text; null = none. */
export function ruleProblem(rules: string): string | null {
  const lines = linesOf(rules);
  if (lines.length === 0) return 'Write a rule, such as FREQ=MONTHLY;BYMONTHDAY=20.';
  for (const line of lines) {
    const parts = line.split(';');
    const bad = parts.find((part) => !PARTS.test(part));
    if (bad !== undefined) return `"${bad}" is not a part of a rule. Write one such as FREQ=MONTHLY;BYMONTHDAY=20.`;
    const frequency = parts.find((part) => part.startsWith('FREQ='))?.slice(5) ?? '';
    if (!FREQUENCIES.has(frequency)) return 'A rule begins with FREQ=DAILY, WEEKLY, MONTHLY or YEARLY.';
    try {
      ruleOf(line, '2025-01-01');
    } catch {
      return `"${line}" is not a rule that a calendar understands.`;
    }
  }
  return null;
}

const linesOf = (rules: string) =>
  rules
    .split('\n')
    .map((line) =>
      line
        .trim()
        .toUpperCase()
        .replace(/^RRULE:/, ''),
    )
    .filter((line) => line !== '');

/** The RRULEs of a schedule; schedules that depend on the calendar of a place have none. */
function rulesOf(schedule: Schedule): string[] {
  const { every, weekdays, month_day: day, month_no: month, nth, weekday } = schedule;
  const start = utc(schedule.start_on);
  const interval = (times = 1) => ((every ?? 1) * times === 1 ? '' : `;INTERVAL=${(every ?? 1) * times}`);
  const dayOfMonth = monthDay(day ?? start.day);
  switch (schedule.repeat) {
    case 'daily':
      return [`FREQ=DAILY${interval()}`];
    case 'weekly': {
      const days = weekdays && weekdays.length > 0 ? weekdays : [WEEKDAY_CODES[start.weekday - 1]!];
      return [`FREQ=WEEKLY${interval()};BYDAY=${days.join(',').toUpperCase()}`];
    }
    case 'monthly':
      return [`FREQ=MONTHLY${interval()};${dayOfMonth}`];
    case 'quarterly':
      return [`FREQ=MONTHLY${interval(3)};${dayOfMonth}`];
    case 'half_yearly':
      return [`FREQ=MONTHLY${interval(6)};${dayOfMonth}`];
    case 'yearly':
      return [`FREQ=YEARLY${interval()};BYMONTH=${month ?? start.month};${dayOfMonth}`];
    case 'last_day':
      return [`FREQ=MONTHLY${interval()};BYMONTHDAY=-1`];
    case 'weekday_of_month':
      return [
        `FREQ=MONTHLY${interval()};BYDAY=${nth ?? 1}${(weekday ?? WEEKDAY_CODES[start.weekday - 1]!).toUpperCase()}`,
      ];
    case 'rules':
      return linesOf(schedule.rules ?? '');
    default:
      return [];
  }
}

/** "31st or the last day" is the last day; "30th or the last day" the last of 28, 29 and 30 (§3.2). */
const monthDay = (day: number): string =>
  day >= 31
    ? 'BYMONTHDAY=-1'
    : day > 28
      ? `BYMONTHDAY=${Array.from({ length: day - 27 }, (_, at) => 28 + at).join(',')};BYSETPOS=-1`
      : `BYMONTHDAY=${day}`;

/** Days of a rule, cached by rule, first day and window: many checklists have the same. */
const known = new Map<string, readonly string[]>();
const MAX_CACHED_RULES = 5_000;

function daysOfRule(rule: string, start: string, from: string, to: string): readonly string[] {
  const key = `${rule} ${start} ${from} ${to}`;
  let days = known.get(key);
  if (!days) {
    days = ruleOf(rule, start)
      .between(new Date(`${from}T00:00:00Z`), new Date(`${to}T00:00:00Z`), true)
      .map((one) => one.toString().slice(0, 10))
      .filter((day) => day >= from && day <= to);
    if (known.size >= MAX_CACHED_RULES) known.clear();
    known.set(key, days);
  }
  return days;
}

const ruleOf = (rule: string, start: string) =>
  new RRuleTemporal({
    rruleString: `DTSTART:${start.replaceAll('-', '')}T000000Z\nRRULE:${rule}`,
    maxIterations: MOST,
  });

/**
 * The occurrences of a schedule between two days, both included, in order and each once (§5.1). `works` decides the
 * working days of a place; the key of "the third working day" is its month, so that it remains one occurrence whatever
 * becomes a holiday.
 */
export function occurrences(schedule: Schedule, from: string, to: string, works: Works): Occurrence[] {
  const first = from < schedule.start_on ? schedule.start_on : from;
  const last = schedule.end_on && schedule.end_on < to ? schedule.end_on : to;
  if (first > last) return [];
  if (schedule.repeat === 'workday_of_month') return workdaysOfMonths(schedule, first, last, works);
  const days = new Set<string>();
  if (schedule.repeat === 'once') days.add(schedule.start_on);
  if (schedule.repeat === 'working_days')
    for (let day = first; day <= last; day = plus(day, 1)) if (works(day)) days.add(day);
  for (const rule of rulesOf(schedule))
    for (const day of daysOfRule(rule, schedule.start_on, first, last)) days.add(day);
  for (const day of schedule.rdates ?? []) days.add(day);
  for (const day of schedule.exdates ?? []) days.delete(day);
  return [...days]
    .filter((day) => day >= first && day <= last)
    .toSorted()
    .map((day) => ({ key: day, nominal: day }));
}

function workdaysOfMonths(schedule: Schedule, from: string, to: string, works: Works): Occurrence[] {
  const made: Occurrence[] = [];
  const begins = utc(schedule.start_on).startOf('month');
  for (let month = utc(from).startOf('month'); month.toISODate()! <= to; month = month.plus({ months: 1 })) {
    const key = month.toISODate()!;
    if (month.diff(begins, 'months').months % (schedule.every ?? 1) !== 0) continue;
    // A month belongs to the window in which it begins; the first one to the window in which the schedule begins.
    if (key < from && (from !== schedule.start_on || !hasFirstMonth(schedule))) continue;
    if (schedule.exdates?.some((day) => day.slice(0, 7) === key.slice(0, 7))) continue;
    made.push({ key, nominal: nthWorkday(key, schedule.nth ?? 1, works) });
  }
  return made;
}

/** Whether a schedule that begins in the middle of a month has an occurrence in it, whatever its holidays. */
function hasFirstMonth({ start_on: start, nth }: Schedule): boolean {
  return (nth ?? 1) > 0 ? utc(start).day <= (nth ?? 1) : utc(start).day <= 20;
}

/** The n-th working day of a month that begins on a day, or from its end for a negative count. */
export function nthWorkday(monthStart: string, nth: number, works: Works): string {
  return nth > 0
    ? shiftWorkingDays(plus(monthStart, -1), nth, works)
    : shiftWorkingDays(utc(monthStart).plus({ months: 1 }).toISODate()!, nth, works);
}

/** The next day of a schedule that counts from the last completion. */
export function afterCompletion(schedule: Schedule, doneOn: string, works: Works): Occurrence | null {
  const until = utc(doneOn).plus({ years: 5 }).toISODate()!;
  return occurrences({ ...schedule, start_on: doneOn }, plus(doneOn, 1), until, works)[0] ?? null;
}

const ORDINALS: Record<string, string> = { '1': 'first', '2': 'second', '3': 'third', '4': 'fourth', '5': 'fifth' };
const nthInWords = (nth: number, what: string) =>
  nth === -1
    ? `the last ${what}`
    : nth < 0
      ? `the ${ORDINALS[-nth] ?? `${-nth}th`} last ${what}`
      : `the ${ORDINALS[nth] ?? `${nth}th`} ${what}`;
const DAY_NAMES: Record<string, string> = {
  mo: 'Monday',
  tu: 'Tuesday',
  we: 'Wednesday',
  th: 'Thursday',
  fr: 'Friday',
  sa: 'Saturday',
  su: 'Sunday',
};

/** A schedule as text: "Every 3 months on the 11th". */
export function scheduleInWords(schedule: Schedule): string {
  const { every, weekdays, month_day: day, month_no: month, nth, weekday } = schedule;
  const start = utc(schedule.start_on);
  const times = every ?? 1;
  const each = (unit: string) => (times === 1 ? `Every ${unit}` : `Every ${times} ${unit}s`);
  const on =
    (day ?? start.day) >= 31
      ? 'on the last day'
      : `on the ${ordinal(day ?? start.day)}${(day ?? start.day) > 28 ? ', or the last day of a shorter month' : ''}`;
  switch (schedule.repeat) {
    case 'once':
      return 'Once';
    case 'daily':
      return each('day');
    case 'working_days':
      return 'Every working day';
    case 'weekly': {
      const days = weekdays && weekdays.length > 0 ? weekdays : [WEEKDAY_CODES[start.weekday - 1]!];
      return `${each('week')} on ${days.map((one) => DAY_NAMES[one]).join(', ')}`;
    }
    case 'monthly':
      return `${each('month')} ${on}`;
    case 'quarterly':
      return `Every quarter ${on}`;
    case 'half_yearly':
      return `Every half-year ${on}`;
    case 'yearly':
      return `${each('year')} ${on} of ${MONTH_NAMES[(month ?? start.month) - 1]!}`;
    case 'last_day':
      return `${each('month')} on the last day`;
    case 'weekday_of_month':
      return `${each('month')} on ${nthInWords(nth ?? 1, DAY_NAMES[weekday ?? WEEKDAY_CODES[start.weekday - 1]!]!)}`;
    case 'workday_of_month':
      return `${each('month')} on ${nthInWords(nth ?? 1, 'working day')}`;
    case 'rules':
      return linesOf(schedule.rules ?? '')
        .map((line) => ruleInWords(line) ?? line)
        .map((words, at) => (at > 0 && words.startsWith('Every') ? `e${words.slice(1)}` : words))
        .join(', and ');
  }
}

const MONTH_NAMES = Array.from({ length: 12 }, (_, at) => DateTime.utc(2025, at + 1).toFormat('LLLL'));

/** Words for a rule that only names days and months; null = it stays as it is. */
function ruleInWords(line: string): string | null {
  const parts = new Map(line.split(';').map((part) => part.split('=') as [string, string]));
  const [frequency, times] = [parts.get('FREQ'), Number(parts.get('INTERVAL') ?? 1)];
  const known = ['FREQ', 'INTERVAL', 'BYMONTH', 'BYMONTHDAY', 'BYDAY', 'WKST'];
  if ([...parts.keys()].some((name) => !known.includes(name))) return null;
  const numbers = (name: string) => parts.get(name)?.split(',').map(Number);
  const [months, monthDays, weekdays] = [numbers('BYMONTH'), numbers('BYMONTHDAY'), parts.get('BYDAY')?.split(',')];
  const each = (unit: string) => (times === 1 ? `Every ${unit}` : `Every ${times} ${unit}s`);
  const names = weekdays?.map((day) => DAY_NAMES[day.toLowerCase()]);
  if (names?.some((name) => name === undefined)) return null;
  const days = monthDays?.map((day) => (day === -1 ? 'last day' : day > 0 ? ordinal(day) : null));
  if (days?.includes(null)) return null;
  if (frequency === 'DAILY' && !months && !days && !names) return each('day');
  if (frequency === 'WEEKLY' && names && !months && !days) return `${each('week')} on ${listed(names as string[])}`;
  if (names || !days) return null;
  const on = `on the ${listed(days as string[])}`;
  if (frequency === 'MONTHLY' && !months) return `${each('month')} ${on}`;
  if (!months || times !== 1 || (frequency !== 'YEARLY' && frequency !== 'MONTHLY')) return null;
  const others = MONTH_NAMES.filter((_, at) => !months.includes(at + 1));
  return months.length > 6
    ? `Every month except ${listed(others)} ${on}`
    : `Every year ${on} of ${listed(months.toSorted((a, b) => a - b).map((month) => MONTH_NAMES[month - 1]!))}`;
}

const listed = (words: readonly string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)!}`;

function ordinal(day: number): string {
  const ending = day > 10 && day < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th');
  return `${day}${ending}`;
}
