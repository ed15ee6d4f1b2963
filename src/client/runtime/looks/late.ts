import { today } from '../../../descriptor/place.ts';
import type { Field, FilterExpression, Screen, WireRecord } from '../../../descriptor/types.ts';
import type { ClockValue } from '../../../domain/clock_value.ts';
import { clockText, clockTone } from '../../../domain/clock_value.ts';

const DAY = 86_400_000;
const days = (count: number) => `Late by ${count} ${count === 1 ? 'day' : 'days'}`;

/** The states in which a record can be late by a field: those that "due" names for it, else all open ones. */
function openStates({ workflow, due }: Screen, by: string): readonly string[] {
  const { open } = due?.find(({ date }) => date === by) ?? {};
  const parts = (open?.[0] === 'and' ? open.slice(1) : [open]) as (FilterExpression | undefined)[];
  const states = parts.find((part) => part?.[0] === workflow?.field && (part?.[1] === 'in' || part?.[1] === 'eq'));
  if (states) return [states[2]].flat().map(String);
  return (workflow?.states ?? []).filter((state) => state.is === 'open').map(({ name }) => name);
}

/** The field by which a card is late: what the board says, else a day on which records fall due, else a clock. */
export function lateField({ looks, fields, due = [] }: Screen): Field | undefined {
  const named = looks?.board?.late;
  if (named !== undefined) return fields.find(({ name }) => name === named);
  const days = new Set(due.map(({ date }) => date));
  return fields.find(({ name }) => days.has(name)) ?? fields.find(({ type }) => type === 'clock');
}

/** How late a record is by a field, in words; null = it is not, or it is not open any more. */
export function lateness(
  screen: Screen,
  card: WireRecord,
  field: Field | undefined = lateField(screen),
  now = Date.now(),
): string | null {
  const { workflow } = screen;
  const value = field && card[field.name];
  if (!field || value === null || value === undefined) return null;
  if (workflow && !openStates(screen, field.name).includes(String(card[workflow.field]))) return null;
  if (field.type === 'clock') {
    const clock = value as ClockValue;
    return clockTone(clock, now) === 'danger' ? clockText(clock, now) : null;
  }
  if (typeof value !== 'string') return null;
  if (field.type === 'date') {
    const count = Math.round((Date.parse(today()) - Date.parse(value)) / DAY);
    return count > 0 ? days(count) : null;
  }
  const over = now - Date.parse(value);
  if (!(over > 0)) return null;
  return over < DAY ? 'Late' : days(Math.floor(over / DAY));
}
