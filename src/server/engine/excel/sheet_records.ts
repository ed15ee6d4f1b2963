import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import type { Field } from '../../../descriptor/types.ts';
import { localMoment, shownText, takesText } from './cell_text.ts';
import { monthFirst, readsBothWays } from './date_order.ts';
import type { CellError } from './cell_error.ts';
import { namesOf } from './reference_names.ts';
import { isBlank } from './sheet_read.ts';
import type { Sheet } from './sheet_read.ts';

/** A row of a sheet by field; references are still names. */
export interface SheetRecord {
  row: number;
  record: Record<string, unknown>;
  /** Fields whose cells cannot be used as they are. */
  wrong: string[] | null;
}

/** The values of a sheet's cells, by field; `texts` are the names in reference columns. */
export function sheetRecords(
  sheet: Sheet,
  columns: readonly (Field | null)[],
): { records: SheetRecord[]; errors: CellError[]; texts: Map<Field, Set<string>> } {
  const errors: CellError[] = [];
  const records: SheetRecord[] = [];
  const texts = new Map<Field, Set<string>>();
  const present = columns.flatMap((field, index) =>
    field === null ? [] : [{ field, index, type: fieldType(field.type), text: takesText(field) }],
  );
  const inDoubt = new Map(
    present.flatMap(({ field, index }) => {
      const found = ['date', 'datetime'].includes(field.type) ? monthFirst(sheet.rows, index) : null;
      return found === null ? [] : [[field, found]];
    }),
  );
  const problems = Map.groupBy(sheet.problems, ({ row }) => row);
  for (const { row, cells } of sheet.rows) {
    const record: Record<string, unknown> = {};
    /** Fields whose cells cannot be used as they are. */
    let wrong: string[] | null = null;
    const refuse = (field: Field, message: string) => {
      errors.push({ row, column: field.title, message });
      (wrong ??= []).push(field.name);
    };
    const faulty = problems.get(row);
    for (const { field, index, type, text } of present) {
      const problem = faulty?.find(({ column }) => column === index);
      if (problem) refuse(field, problem.message);
      let cell = cells[index];
      if (isBlank(cell)) continue;
      if (text && typeof cell !== 'string') {
        const shown = shownText(cell, field);
        if ('error' in shown) {
          refuse(field, shown.error);
          continue;
        }
        cell = shown.value;
      }
      const other = inDoubt.get(field);
      if (other !== undefined && readsBothWays(cell)) {
        refuse(field, `The month may come first here, as in ${other}. Write the day first: DD-MM-YYYY.`);
        continue;
      }
      if (cell === '-' && !field.required) record[field.name] = null;
      else if (field.ref) {
        record[field.name] = namesOf(field, cell, texts);
      } else {
        const parsed = type.parse(cell instanceof Date && type.name === 'datetime' ? localMoment(cell) : cell, field);
        if ('error' in parsed) refuse(field, parsed.error);
        else if (parsed.value !== null) record[field.name] = parsed.value;
      }
    }
    records.push({ row, record, wrong });
  }
  return { records, errors, texts };
}
