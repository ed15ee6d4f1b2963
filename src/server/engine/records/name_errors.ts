import { offeredNames } from '../../../descriptor/offered_names.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import type { Field, FieldError, Screen } from '../../../descriptor/types.ts';

type Row = Readonly<Record<string, unknown>>;

const rowsOf = (value: unknown): Row[] => (Array.isArray(value) ? (value as Row[]) : []);

/** Whether any field holds names of fields or steps. */
export const holdsNames = (fields: readonly Field[]): boolean =>
  fields.some(({ fieldsOf, rows }) => fieldsOf !== undefined || (rows !== undefined && holdsNames(rows)));

/** Names of fields and steps that the chosen record type does not have. */
export function nameErrors(screen: Screen, screens: ReadonlyMap<string, Screen>, record: Row): FieldError[] {
  const errors: FieldError[] = [];
  const look = (fields: readonly Field[], row: Row, at: string) => {
    for (const field of fields) {
      if (field.rows)
        for (const [index, line] of rowsOf(row[field.name]).entries())
          look(field.rows, { ...row, ...line }, `${at}${field.name}.${index}.`);
      const offered = field.fieldsOf;
      const about = offered && screens.get(String(row[offered.of]));
      if (!about) continue;
      const known = offeredNames(about, offered);
      const names = known.map(({ name }) => name);
      for (const written of [row[field.name]].flat())
        if (typeof written === 'string' && written !== '' && !names.includes(written))
          errors.push({
            field: `${at}${field.name}`,
            message: `"${written}" is not a ${offered!.what === 'steps' ? 'step' : 'field'} of the ${inSentence(about.title)} that can be chosen here. Choose one of ${known.map(({ title }) => title).join(', ')}.`,
          });
    }
  };
  look(screen.fields, record, '');
  return errors;
}
