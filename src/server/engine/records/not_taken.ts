import type { Field, FieldError, Screen } from '../../../descriptor/types.ts';

/** What stands beside a value in answers and is of no account when it is sent back. */
const BESIDE = /__(label|set|detail)$/;

/** Fields that somebody sends and cannot change with these rights, and why. A hidden one is as if it were not there. */
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
