import type { Screen } from '../../../descriptor/types.ts';

/** The documents for which records of a type request approval: the fields with their type and id. */
export function documentOf({ fields }: Screen): { type: string; id: string } | undefined {
  const of = new Set(fields.flatMap(({ name, approvedTypes }) => (approvedTypes ? [name] : [])));
  return fields.flatMap(({ name, refBy }) =>
    refBy && of.has(refBy.field) ? [{ type: refBy.field, id: name }] : [],
  )[0];
}

/** Whether the page of a record shows levels: it needs approval, or it requests the approval of another. */
export const hasLevels = (screen: Screen): boolean => screen.approval !== undefined || documentOf(screen) !== undefined;
