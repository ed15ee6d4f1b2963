import type { Screen } from '../../../descriptor/types.ts';
import { openFields } from '../workflow/open_fields.ts';
import type { Values } from './values.ts';

/**
 * The screen for the form of a record whose state leaves only some fields editable: the others are shown, and rows of
 * which columns are open are neither added nor removed.
 */
export function formOfState(screen: Screen, record: Values): Screen {
  const open = openFields(screen, record);
  if (open === null) return screen;
  const isOpen = new Set(open);
  return {
    ...screen,
    fields: screen.fields.map((field) => {
      if (field.readOnly || field.part || isOpen.has(field.name)) return field;
      const hasOpen = field.rows?.some(({ name }) => isOpen.has(`${field.name}.${name}`)) === true;
      if (!field.rows || !hasOpen) return { ...field, readOnly: true };
      return {
        ...field,
        givenRows: true,
        rows: field.rows.map((one) => (isOpen.has(`${field.name}.${one.name}`) ? one : { ...one, readOnly: true })),
      };
    }),
  };
}
