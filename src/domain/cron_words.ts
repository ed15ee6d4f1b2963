import { monthNames } from './month_names.ts';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const isNumber = (field: string): boolean => /^\d+$/.test(field);
const two = (field: string): string => field.padStart(2, '0');

/** A schedule as text, "daily at 18:00"; a schedule without a short text is shown as written. */
export function cronWords(cron: string): string {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = cron.trim().split(/\s+/);
  const everyDay = day === '*' && month === '*' && weekday === '*';
  if (everyDay && hour === '*') {
    const step = /^\*\/(\d+)$/.exec(minute)?.[1];
    if (minute === '*' || step === '1') return 'every minute';
    if (step !== undefined) return `every ${step} minutes`;
    if (isNumber(minute)) return `every hour at ${two(minute)} past`;
  }
  if (!isNumber(minute) || !isNumber(hour)) return cron;
  const time = `${two(hour)}:${two(minute)}`;
  if (everyDay) return `daily at ${time}`;
  if (day === '*' && month === '*' && isNumber(weekday)) return `on ${DAYS[Number(weekday)]} at ${time}`;
  if (day === '*' && month === '*' && weekday === '1-5') return `Monday to Friday at ${time}`;
  if (weekday !== '*' || !isNumber(day)) return cron;
  if (month === '*') return `monthly on day ${day} at ${time}`;
  return isNumber(month) ? `on ${day} ${monthNames[Number(month) - 1]} at ${time}` : cron;
}
