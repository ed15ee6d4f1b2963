import { objectSchema } from '../fields.ts';
import type { Field, Screen } from '../types.ts';

/** Marks of the fields whose values are types or documents of the product ("x-values"). */
type ListMark = 'numberedTypes' | 'dueTypes' | 'printedDocuments' | 'approvedTypes';
type Lists = readonly { screen: Screen; fields: readonly Field[] }[];

/** A compilation asks for them once for each type that they list. */
const found = new WeakMap<readonly Screen[], Map<ListMark, Lists>>();

function listsOf(screens: readonly Screen[], mark: ListMark): Lists {
  let known = found.get(screens);
  if (!known) found.set(screens, (known = new Map<ListMark, Lists>()));
  let lists = known.get(mark);
  if (!lists) {
    lists = screens
      .map((screen) => ({ screen, fields: screen.fields.filter((field) => field[mark]) }))
      .filter(({ fields }) => fields.length > 0);
    known.set(mark, lists);
  }
  return lists;
}

/** Adds the missing options to every list of types with this mark. Existing options do not change. */
export function addToLists(
  screens: readonly Screen[],
  mark: ListMark,
  options: readonly { value: string; label: string }[],
): void {
  for (const { screen, fields } of listsOf(screens, mark)) {
    for (const field of fields) {
      const all = [...(field.options ?? [])];
      for (const option of options) if (!all.some(({ value }) => value === option.value)) all.push(option);
      field.options = all;
      field.schema = { ...field.schema, enum: all.map(({ value }) => value) };
    }
    Object.assign(screen.schema, objectSchema(screen.fields, false));
  }
}
