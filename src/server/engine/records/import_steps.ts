import type { FieldError, Screen } from '../../../descriptor/types.ts';
import { stateField } from '../../../descriptor/workflow.ts';

type Row = Readonly<Record<string, unknown>>;

/** The error for an import that sends records to another state: transitions need more than a value. */
export function importStepErrors(screen: Screen, stored: Row | null, record: Row): FieldError[] {
  const field = stateField(screen);
  if (!field) return [];
  const now = stored?.[field.name] ?? screen.workflow!.states[0]!.name;
  const given = record[field.name] ?? now;
  if (given === now) return [];
  const { states, import: opens = {} } = screen.workflow!;
  if (!stored && opens[String(given)] !== undefined) return [];
  const labelOf = (value: unknown) => field.options?.find((option) => option.value === value)?.label ?? String(value);
  if (!stored && Object.keys(opens).length > 0)
    return [
      {
        field: field.name,
        message: `An import opens records in ${[states[0]!.name, ...Object.keys(opens)].map((one) => `"${labelOf(one)}"`).join(' or ')}, not in "${labelOf(given)}".`,
      },
    ];
  return [
    {
      field: field.name,
      message: `${field.title} changes by its steps, and not to "${labelOf(given)}" by an import. Leave it as it was.`,
    },
  ];
}
