import { compileExpression } from '../../../descriptor/expression/compile_expression.ts';
import { filledNames } from '../../../descriptor/fills.ts';
import type { Screen } from '../../../descriptor/types.ts';
import { holds, scopeOf } from '../../../descriptor/validate.ts';
import type { Values } from './values.ts';
import { isEmpty, sameValue } from './values.ts';

/**
 * The screen for the form of a new record: without the fields that the system fills later, such as number, state and
 * results. Values computed while typing, and initial values, stay.
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
  // A field shown only for a value that the system fills later appears with that value.
  const fixed = new Set([...later, 'id', ...(screen.workflow ? [screen.workflow.field] : [])]);
  const scope = scopeOf(screen.fields, { ...begun });
  for (const { name, when } of screen.fields)
    if (when !== undefined && compileExpression(when).names.every((one) => fixed.has(one)) && !holds(when, scope))
      later.add(name);
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
