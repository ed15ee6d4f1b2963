import { addDays, daysIn } from './contract_years.ts';

/** What a contract covers, from least to most. */
const COVER: readonly string[] = ['on_call', 'labour_only', 'semi', 'comprehensive'];

/** The kind of renewal of a contract, by the gap to its predecessor. */
export function ruleOf(ended: string, today: string, continuous: number): 'on_time' | 'late_continuous' | 'late_break' {
  if (today <= ended) return 'on_time';
  return daysIn({ from_on: addDays(ended, 1), to_on: today }) <= continuous ? 'late_continuous' : 'late_break';
}

/** Whether a renewal covers more or less than before; null = the same, or another type with the same cover. */
export function coverChange(before: string | null, after: string | null): 'upgrade' | 'downgrade' | null {
  const [from, to] = [COVER.indexOf(before ?? ''), COVER.indexOf(after ?? '')];
  if (from === to || from === -1 || to === -1) return null;
  return to > from ? 'upgrade' : 'downgrade';
}

/** Whether a lift must be inspected before it is covered again: its cover ended longer ago than the policy allows. */
export function inspectionDue(ended: string, start: string, afterDays: number | null): boolean {
  return afterDays !== null && daysIn({ from_on: addDays(ended, 1), to_on: addDays(start, -1) }) > afterDays;
}
