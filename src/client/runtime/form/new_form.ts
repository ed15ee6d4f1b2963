import { filledNames } from '../../../descriptor/fills.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type { Values } from './values.ts';
import { isEmpty, sameValue } from './values.ts';

/**
 * The screen as a form for a new record shows it: without the fields that the system fills later, such as its number,
 * its state and what became of it. What is computed while one types stays, and what the record was begun with.
 */
export function formOfNew(screen: Screen, begun: Values): Screen {
  const filled = new Set(filledNames(screen));
  const later = new Set(
    screen.fields
      .filter(
        (field) =>
          field.readOnly &&
          field.formula === undefined &&
          !field.fetch &&
          !filled.has(field.name) &&
          (isEmpty(begun[field.name]) || sameValue(field, begun[field.name], field.default)),
      )
      .map(({ name }) => name),
  );
  if (later.size === 0) return screen;
  const tabs = screen.form.tabs.flatMap((tab) => {
    const sections = tab.sections.flatMap((section) => {
      const fields = section.fields.filter((name) => !later.has(name));
      return fields.length === 0 ? [] : [{ ...section, fields }];
    });
    return sections.length === 0 ? [] : [{ ...tab, sections }];
  });
  return tabs.length === 0 ? screen : { ...screen, form: { ...screen.form, tabs } };
}
