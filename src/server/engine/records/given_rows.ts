import { columnsOf } from '../../../descriptor/fills.ts';
import { isOpened } from '../../../descriptor/opened_fields.ts';
import type { FieldError, Screen, WireRecord } from '../../../descriptor/types.ts';

type Row = Record<string, unknown>;

const rowsIn = (record: Readonly<Row> | null, field: string): Row[] =>
  Array.isArray(record?.[field]) ? (record[field] as Row[]) : [];
const isSet = (value: unknown) => value !== null && value !== undefined && value !== '';

/**
 * Rows that an action gives (`x-given-rows`) and a person leaves out: those that the action would give again, by the
 * fill that sets a column in each of them. A row with the same key may take the place of one.
 */
export async function givenRowsRemoved(
  screen: Screen,
  fill: ((record: Row, stored: WireRecord | null) => Promise<Row>) | undefined,
  record: Row,
  stored: WireRecord | null,
): Promise<FieldError[]> {
  if (!fill || !stored || isOpened(screen)) return [];
  const errors: FieldError[] = [];
  for (const { name, title, givenRows, uniqueRows = [] } of screen.fields) {
    if (givenRows !== true) continue;
    const kept = rowsIn(record, name);
    const keyOf = (row: Row) => JSON.stringify(uniqueRows.map((column) => row[column] ?? null));
    const [ids, keys] = [new Set(kept.map(({ id }) => id)), new Set(kept.map(keyOf))];
    const gone = rowsIn(stored, name).filter((row) => !ids.has(row.id) && !keys.has(keyOf(row)));
    if (gone.length === 0) continue;
    const filled = (screen.fills ?? []).flatMap(({ sets }) => columnsOf(sets, name));
    // As new rows, whose columns the fill has not set yet.
    const asked = gone.map((row) => ({
      ...row,
      id: null,
      ...Object.fromEntries(filled.map((column) => [column, null])),
    }));
    const answered = rowsIn(await fill({ ...record, [name]: [...kept, ...asked] }, stored), name).slice(kept.length);
    const missed = answered.find((row) => filled.some((column) => isSet(row[column])));
    if (missed)
      errors.push({
        field: name,
        message: `Rows of ${title} cannot be removed by hand. Put "${uniqueRows.map((column) => String(missed[column] ?? '')).join(' ')}" back.`,
      });
  }
  return errors;
}
