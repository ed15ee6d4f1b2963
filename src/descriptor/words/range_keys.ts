import type { ScreenCheck } from '../check_context.ts';
import { fieldType } from '../fieldtypes/registry.ts';
import { rangeKey } from '../ranges.ts';
import { checkKeyCondition, currentOnly, hasRevisions } from './keys.ts';
import type { Compiling, Path } from './word.ts';
import type { Field, RangeWord, Screen, WrittenRange } from '../types.ts';

/** "valid" and "bands" of a record type, after the ranges compiled before. */
export function compileRanges(
  word: RangeWord,
  written: WrittenRange | WrittenRange[] | undefined,
  { fields, screen, descriptor }: Compiling,
): Partial<Screen> {
  if (!written) return {};
  const place = ({ rows, key = [], from, to }: { rows?: string; key?: string[]; from: string; to: string }) =>
    JSON.stringify([rows, key, from, to]);
  const before = (screen.ranges ?? []).map(place);
  const ranges = [written].flat().map((one, at, all) => {
    const no = [...before, ...all.slice(0, at).map(place)].filter((other) => other === place(one)).length;
    const columns = one.rows === undefined ? fields : fields.find(({ name }) => name === one.rows)?.rows;
    const range = { ...rangeKey(word, one, columns ?? []), ...(no > 0 && { no }) };
    return hasRevisions(descriptor.workflow) && one.rows === undefined
      ? { ...range, when: currentOnly(one.when) }
      : range;
  });
  return ranges.length > 0 ? { ranges: [...(screen.ranges ?? []), ...ranges] } : {};
}

/** "valid" and "bands" of a record type. */
export function checkRanges(
  check: ScreenCheck,
  word: RangeWord,
  written: WrittenRange | WrittenRange[] | undefined,
): void {
  [written ?? []].flat().forEach((one, index) => {
    const path: Path = Array.isArray(written) ? [word, index] : [word];
    const rows = check.field(one.rows);
    if (one.rows !== undefined && !rows?.rows) {
      check.unknown([...path, 'rows'], one.rows, check.columns.keys(), `"${word}" (a rows field)`);
      return;
    }
    checkRange(check, word, one, rows?.rows ?? check.screen.fields, path);
    if (one.when && rows)
      check.report([...path, 'when'], 'Rows take no condition.', 'Leave it out, or make the rows a type.');
    else if (one.when) checkKeyCondition(check, one.when, [...path, 'when']);
  });
}

/** A range of a record, or of rows: two fields of its kind are start and end, and its key has short values. */
export function checkRange(
  check: ScreenCheck,
  word: RangeWord,
  range: { from: string; to: string; key?: string[] },
  fields: Field[],
  path: Path,
): void {
  const names = fields.map(({ name }) => name);
  for (const side of ['from', 'to'] as const) {
    const field = fields.find(({ name }) => name === range[side]);
    if (!field) check.unknown([...path, side], range[side], names, `"${word}"`);
    else if (word === 'valid' && field.type !== 'date')
      check.report(
        [...path, side],
        `"${field.name}" is of type ${field.type}; ranges are of dates.`,
        'Choose a field { "$ref": "types#date" }, or write "bands" for numbers.',
      );
    else if (word === 'bands' && (fieldType(field.type).filter !== 'number' || field.encrypted))
      check.report(
        [...path, side],
        `"${field.name}" is of type ${field.type}; bands are of numbers.`,
        'Choose a field that holds a number, or write "valid" for dates.',
      );
  }
  if (range.from === range.to)
    check.report([...path, 'to'], 'A range begins and ends with two fields.', 'Name the field of its end.');
  range.key?.forEach((name, index) => {
    const field = fields.find((one) => one.name === name);
    if (!field) check.unknown([...path, 'key', index], name, names, `"${word}"`);
    else if (!fieldType(field.type).can.key || field.encrypted || name === range.from || name === range.to)
      check.report(
        [...path, 'key', index],
        `"${name}" cannot be part of the key of a range.`,
        'Choose another field with one short value.',
      );
  });
}
