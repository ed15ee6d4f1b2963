/** The calendar year in which the financial year of a day begins. */
export function firstYear(day: string, startMonth: number): number {
  return Number(day.slice(0, 4)) - (Number(day.slice(5, 7)) < startMonth ? 1 : 0);
}

/** 2026-02-10 with a year starting in April → 2025-26. */
export function financialYear(day: string, startMonth: number): string {
  const start = firstYear(day, startMonth);
  return `${start}-${String((start + 1) % 100).padStart(2, '0')}`;
}

/** The same in the form in which people choose a year: 2025-2026. */
export function wholeFinancialYear(day: string, startMonth: number): string {
  return yearName(firstYear(day, startMonth));
}

/** A financial year by the calendar year in which it begins: 2025-2026. */
export function yearName(first: number): string {
  return `${first}-${first + 1}`;
}

/** The first and the last day of the financial year that begins in a calendar year. */
export function yearSpan(first: number, startMonth: number): { from: string; to: string } {
  const from = `${first}-${String(startMonth).padStart(2, '0')}-01`;
  const next = Date.UTC(first + 1, startMonth - 1, 1);
  return { from, to: new Date(next - 86_400_000).toISOString().slice(0, 10) };
}
