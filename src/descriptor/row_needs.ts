import { compileExpression } from './expression/compile_expression.ts';
import { fieldType } from './fieldtypes/registry.ts';
import { hasHeldFields } from './held_fields.ts';
import { isMarkdown } from './markdown.ts';
import type { Field, Screen } from './types.ts';
import { unseenOf } from './unseen.ts';

const known = new WeakMap<Screen, ReadonlyMap<string, readonly string[]>>();

/**
 * The columns of each rows field that a change of other rows, or of the record, reads in unchanged rows: a save then
 * reads only a few of a thousand rows completely. A field that is absent needs all columns.
 */
export function rowNeeds(screen: Screen): ReadonlyMap<string, readonly string[]> {
  let needs = known.get(screen);
  if (!needs) {
    const apart = hasHeldFields(screen) || unseenOf(screen) !== undefined;
    needs = apart
      ? new Map()
      : new Map(
          screen.fields.flatMap((field) => {
            const columns = field.rows && isApart(field, screen) ? columnsOf(screen, field) : null;
            return columns ? [[field.name, columns] as const] : [];
          }),
        );
    known.set(screen, needs);
  }
  return needs;
}

/** Whether a row of the field depends only on its own content. */
function isApart({ part, rowGroup, rows }: Field, { fields }: Screen): boolean {
  if (part || rowGroup) return false;
  const own = new Set(rows!.map(({ name }) => name));
  const outer = new Set(fields.map(({ name }) => name));
  const looksOut = (expression: string | undefined) =>
    expression !== undefined && namesIn(expression).some((name) => !own.has(name) && outer.has(name));
  return rows!.every(
    (column) =>
      !column.rows &&
      !column.secret &&
      column.requiredWhen === undefined &&
      column.offered === undefined &&
      !fieldType(column.type).can.file &&
      !isMarkdown(column) &&
      !looksOut(column.formula) &&
      !looksOut(column.when) &&
      Object.values(column.ref?.filter ?? {}).every((name) => own.has(name)),
  );
}

const namesIn = (expression: string): string[] =>
  compileExpression(expression).names.map((name) => name.split('.')[0]!);

function columnsOf(screen: Screen, field: Field): string[] | null {
  const found = new Set<string>(field.uniqueRows ?? []);
  for (const { from, to, key } of field.rowRanges ?? []) [from, to, ...key].forEach((name) => found.add(name));
  const ranged = screen.ranges?.some(({ rows }) => rows === field.name) === true;
  const byRow = screen.rules.filter(({ rows }) => rows === field.name);
  if (
    ranged ||
    byRow.some(({ assert }) => namesIn(assert).some((name) => !field.rows!.some((one) => one.name === name)))
  )
    return null;
  // A rule that uses the current day is checked for every row.
  if (byRow.some(({ assert }) => assert.includes('('))) return null;
  const groups = screen.fields.filter(({ rowGroup }) => rowGroup?.of === field.name);
  for (const { rowGroup } of groups) found.add(rowGroup!.by);
  const over = [
    ...screen.fields.flatMap(({ formula, when, requiredWhen }) => [formula, when, requiredWhen]),
    ...screen.fields.flatMap(({ offered }) => offered?.map(({ when }) => when) ?? []),
    ...screen.fields.flatMap(({ rows }) => rows?.flatMap(({ formula, when }) => [formula, when]) ?? []),
    ...screen.rules.map(({ assert }) => assert),
  ];
  for (const expression of over) {
    if (expression === undefined) continue;
    for (const name of compileExpression(expression).names) {
      const [head, column] = name.split('.');
      if (head === field.name && column !== undefined) found.add(column);
    }
  }
  return [...found].filter((name) => field.rows!.some((column) => column.name === name));
}
