import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import type { Field, Screen, ScreenRef } from '../../../descriptor/types.ts';

/**
 * The fields that can be edited in a list cell: editable fields with a single value. Not computed, read-only, hidden or
 * secret ones, not the state, and none in views, whose rows are other records.
 */
export function fieldsInCells(screen: Screen, { rights, routes }: Pick<ScreenRef, 'rights' | 'routes'>): Set<string> {
  if (!rights.edit_screen || !rights.write || routes.edit === null || screen.subject) return new Set();
  const inForm = new Set(screen.form.tabs.flatMap((tab) => tab.sections.flatMap(({ fields }) => fields)));
  return new Set(
    screen.fields
      .filter(
        (field: Field) =>
          fieldType(field.type).can.bulk &&
          inForm.has(field.name) &&
          !field.readOnly &&
          field.formula === undefined &&
          !field.secret &&
          !field.masked &&
          !field.keptFrom &&
          field.count === undefined &&
          field.name !== screen.workflow?.field &&
          field.name !== screen.number?.field,
      )
      .map(({ name }) => name),
  );
}
