import type { FieldError, Screen } from '../../../descriptor/types.ts';
import { stateField } from '../../../descriptor/workflow.ts';

type Row = Readonly<Record<string, unknown>>;

/** What an import is refused that brings records into another state: their transitions look at more than a value. */
export function importStepErrors(screen: Screen, stored: Row | null, record: Row): FieldError[] {
  const field = stateField(screen);
  if (!field) return [];
  const now = stored?.[field.name] ?? screen.workflow!.states[0]!.name;
  const given = record[field.name] ?? now;
  if (given === now) return [];
  const label = field.options?.find(({ value }) => value === given)?.label ?? String(given);
  return [
    {
      field: field.name,
      message: `${field.title} changes by its steps, and not to "${label}" by an import. Leave it as it was.`,
    },
  ];
}
