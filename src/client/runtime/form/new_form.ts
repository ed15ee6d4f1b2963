import { filledNames } from '../../../descriptor/fills.ts';
import type { Screen } from '../../../descriptor/types.ts';

const made = new WeakMap<Screen, Screen>();

/**
 * The screen as a form for a new record shows it: without sections, and tabs, of which the system fills every field
 * later, such as results and what became of the record. What is computed while one types stays.
 */
export function formOfNew(screen: Screen): Screen {
  const known = made.get(screen);
  if (known) return known;
  const filled = new Set(filledNames(screen));
  const later = new Set(
    screen.fields
      .filter(
        (field) =>
          field.readOnly &&
          field.formula === undefined &&
          !field.fetch &&
          field.name !== screen.number?.field &&
          !filled.has(field.name),
      )
      .map(({ name }) => name),
  );
  const tabs = screen.form.tabs.flatMap((tab) => {
    const sections = tab.sections.filter(({ fields }) => !fields.every((name) => later.has(name)));
    return sections.length === 0 ? [] : [{ ...tab, sections }];
  });
  const form = tabs.length === 0 ? screen : { ...screen, form: { ...screen.form, tabs } };
  made.set(screen, form);
  return form;
}
