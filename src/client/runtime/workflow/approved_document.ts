import type { Screen } from '../../../descriptor/types.ts';

/** The documents that records of a type ask approval for: the field with its type, and the one with its number. */
export function documentOf({ fields }: Screen): { type: string; id: string } | undefined {
  const of = new Set(fields.flatMap(({ name, approvedTypes }) => (approvedTypes ? [name] : [])));
  return fields.flatMap(({ name, refBy }) =>
    refBy && of.has(refBy.field) ? [{ type: refBy.field, id: name }] : [],
  )[0];
}

/** Whether the page of a record shows levels: it is approved, or it asks for the approval of another. */
export const hasLevels = (screen: Screen): boolean => screen.approval !== undefined || documentOf(screen) !== undefined;
