import type { Screen } from '../../../descriptor/types.ts';
import {
  checkRules,
  fieldErrors,
  isShown as isColumnShown,
  rangeErrors,
  semanticErrors,
} from '../../../descriptor/validate.ts';
import type { SchemaCheck } from './validator.ts';
import type { Values } from './values.ts';
import { entered } from './values.ts';

/** All errors of a record, one message per path, in plain words. */
export function findErrors(
  screen: Screen,
  values: Values,
  schemaCheck: SchemaCheck,
  isShown: (name: string) => boolean,
): Map<string, string> {
  const record = { ...(typeof values.id === 'number' && { id: values.id }), ...entered(screen.fields, values) };
  const found = new Map<string, string>();
  const add = ({ field, message }: { field: string; message: string }) => {
    if (found.has(field) || isStoredSecret(screen, values, field)) return;
    // Errors in hidden fields cannot be corrected here; the server has the final say.
    const [name = '', at, columnName] = field.split('.');
    if (!isShown(name)) return;
    const rows = screen.fields.find((one) => one.name === name)?.rows;
    const column = rows?.find((one) => one.name === columnName);
    const row = column?.when === undefined ? undefined : (record as Record<string, Values[]>)[name]?.[Number(at)];
    if (row && !isColumnShown(screen, column!, record, { fields: rows!, row })) return;
    found.set(field, message);
  };
  fieldErrors(screen, schemaCheck(record)).forEach(add);
  semanticErrors(screen, record).forEach(add);
  checkRules(screen, record).forEach(add);
  rangeErrors(screen, record).forEach(add);
  return found;
}

/** A stored secret is not sent to the browser: it is not missing. */
function isStoredSecret(screen: Screen, values: Values, path: string): boolean {
  const field = screen.fields.find(({ name }) => name === path);
  return field?.secret === true && values[`${path}__set`] === true && values[path] === undefined;
}
