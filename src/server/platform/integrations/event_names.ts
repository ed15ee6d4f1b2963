import type { Field, Screen } from '../../../descriptor/types.ts';

/** The events that every record type has. */
export const BASE_EVENTS = ['created', 'updated', 'deleted', 'activated', 'deactivated'] as const;

/** Fields whose new value is a separate event: `contract.approved`. */
const STATE_FIELDS = ['status', 'state'] as const;

/** Types excluded, because their events would be about events. */
export function hasEvents(type: string): boolean {
  return !type.startsWith('api_');
}

/** The events of a descriptor, without the type's prefix. */
export function eventsOf(screen: Screen): string[] {
  const states = STATE_FIELDS.flatMap((name) => valuesOf(screen.fields.find((field) => field.name === name)));
  return [...new Set([...BASE_EVENTS, ...states])];
}

function valuesOf(field: Field | undefined): string[] {
  return (field?.schema.enum ?? []).filter(
    (value): value is string => typeof value === 'string' && /^[a-z][a-z0-9_]*$/.test(value),
  );
}

/**
 * The error in an event name, or null. `employee.*` means all of a type.
 * @param known the types with events
 */
export function wrongEvent(text: string, known: ReadonlyMap<string, Screen>): string | null {
  const [type = '', event = '', ...rest] = text.split('.');
  const screen = known.get(type);
  if (!screen || !hasEvents(type))
    return `There is no record type "${type}". Write the type and what happens to it, such as employee.created.`;
  if (event === '*' && rest.length === 0) return null;
  if (rest.length === 0 && eventsOf(screen).includes(event)) return null;
  return `There is no event "${text}". Of ${type} there are ${eventsOf(screen).join(', ')}, or * for all.`;
}
