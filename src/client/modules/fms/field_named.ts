import type { Field, Screen } from '../../../descriptor/types.ts';

/** A field of a screen or of its steps, or a column of its rows (`photos.image`). @throws Error where the screen has none */
export function fieldNamed({ fields, asked = [] }: Pick<Screen, 'fields' | 'asked'>, path: string): Field {
  const [name, column] = path.split('.');
  const field = [...fields, ...asked].find((one) => one.name === name);
  const found = column === undefined ? field : field?.rows?.find((one) => one.name === column);
  if (!found) throw new Error(`There is no field ${path}.`);
  return found;
}
