import type { Field, FieldError, Screen } from '../../../descriptor/types.ts';

/** The display additions of answers, which are ignored when sent back. */
const BESIDE = /__(label|set|detail)$/;

/** Sent fields that cannot be changed with these rights, and why. Hidden ones are ignored. */
export function notTaken(screen: Screen, set: Readonly<Record<string, unknown>>): FieldError[] {
  const fields = new Map(screen.fields.map((field) => [field.name, field]));
  return Object.keys(set).flatMap((name) => {
    const field = fields.get(name);
    if (!field) return BESIDE.test(name) ? [] : [{ field: name, message: `There is no field "${name}".` }];
    const message = reason(screen, field);
    return message === null ? [] : [{ field: name, message }];
  });
}

function reason(screen: Screen, field: Field): string | null {
  if (field.keptFrom || field.masked) return `Your roles do not let you change ${field.title}.`;
  return field.readOnly || field.formula !== undefined || field.name === screen.number?.field
    ? `${field.title} is filled in by the system.`
    : null;
}
