export interface DatePreset {
  label: string;
  from: string;
  to: string;
}

function iso(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Ranges people ask for, relative to today. Weeks begin on Monday, financial years on 1 April. */
export function datePresets(today: Date): DatePreset[] {
  const year = today.getFullYear();
  const month = today.getMonth();
  const day = today.getDate();
  const weekday = (today.getDay() + 6) % 7;
  const fiscal = month >= 3 ? year : year - 1;
  const range = (label: string, from: Date, to: Date): DatePreset => ({ label, from: iso(from), to: iso(to) });
  return [
    range('Today', today, today),
    range('Yesterday', new Date(year, month, day - 1), new Date(year, month, day - 1)),
    range('This week', new Date(year, month, day - weekday), new Date(year, month, day - weekday + 6)),
    range('This month', new Date(year, month, 1), new Date(year, month + 1, 0)),
    range('Last month', new Date(year, month - 1, 1), new Date(year, month, 0)),
    range('This financial year', new Date(fiscal, 3, 1), new Date(fiscal + 1, 2, 31)),
    range('Last financial year', new Date(fiscal - 1, 3, 1), new Date(fiscal, 2, 31)),
  ];
}

/** The moment a day begins here; days are YYYY-MM-DD. */
export function startOfDay(day: string): string {
  return new Date(`${day}T00:00:00`).toISOString();
}

/** The last moment of a day here. */
export function endOfDay(day: string): string {
  return new Date(`${day}T23:59:59.999`).toISOString();
}

/** The day here of a moment; a day stays what it is. */
export function dayOf(moment: string): string {
  return moment.length > 10 ? iso(new Date(moment)) : moment;
}
