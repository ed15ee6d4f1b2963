import type { Field, FieldError, Screen } from '../../../descriptor/types.ts';
import { AppError, invalid } from '../../db/errors.ts';

type Row = Record<string, unknown>;

/** A change of some child rows of a field: `{"add": [{…}], "set": {"41": {…}}, "remove": [40]}`. */
interface RowsPart {
  add: Row[];
  set: ReadonlyMap<number, Row>;
  remove: ReadonlySet<number>;
}

const isObject = (value: unknown): value is Row => value !== null && typeof value === 'object' && !Array.isArray(value);

/**
 * Input in which each partial change of child rows is replaced by the resulting whole list: from here on every rule
 * works with the list. `inWords` assigns findings to the position in the partial change.
 * @throws AppError 422 for a partial change of rows that do not exist
 */
export function wholeLists(
  screen: Pick<Screen, 'fields'>,
  input: Row,
  stored: Row,
): { input: Row; inWords: (error: unknown) => unknown } {
  const whole: Row = { ...input };
  /** Computed only if something is refused. */
  const placesOf: (() => (readonly [string, string])[])[] = [];
  const errors: FieldError[] = [];
  for (const field of screen.fields) {
    const sent = input[field.name];
    if (!field.rows || !isObject(sent)) continue;
    const rows = Array.isArray(stored[field.name]) ? (stored[field.name] as Row[]) : [];
    const part = readPart(field, sent, rows, errors);
    const kept = rows.filter(({ id }) => !part.remove.has(Number(id)));
    const list = kept.map((row) => {
      const set = part.set.get(Number(row.id));
      // A partial change may contain partial changes of rows within rows.
      return set && isObject(set)
        ? { ...row, ...wholeLists({ fields: field.rows! }, set, row).input, id: row.id }
        : row;
    });
    whole[field.name] = [...list, ...part.add];
    placesOf.push(() => [
      ...list.map(({ id }, at) => [`${field.name}.${at}`, `${field.name}.set.${String(id)}`] as const),
      ...part.add.map((_, at) => [`${field.name}.${list.length + at}`, `${field.name}.add.${at}`] as const),
    ]);
  }
  if (errors.length > 0) throw invalid(errors);
  if (placesOf.length === 0) return { input: whole, inWords: (error) => error };
  return { input: whole, inWords: (error) => inPlace(error, new Map(placesOf.flatMap((places) => places()))) };
}

/** The rows changed or removed by a partial change; null for a whole list. */
export function namedRows(sent: unknown): number[] | null {
  if (!isObject(sent)) return null;
  const ids = [
    ...(isObject(sent.set) ? Object.keys(sent.set) : []),
    ...(Array.isArray(sent.remove) ? sent.remove : []),
  ];
  return ids.map(Number).filter(Number.isSafeInteger);
}

function readPart(field: Field, sent: Row, rows: readonly Row[], errors: FieldError[]): RowsPart {
  const { add = [], set = {}, remove = [], ...others } = sent;
  const wrong = (path: string, message: string) => errors.push({ field: `${field.name}${path}`, message });
  const known = new Set(rows.map(({ id }) => Number(id)));
  const gone = `This row of ${field.title} no longer exists.`;
  for (const name of Object.keys(others))
    wrong(`.${name}`, `A part of ${field.title} has add, set and remove. Leave "${name}" out, or send the whole list.`);
  if (!Array.isArray(add)) wrong('.add', 'add is a list of new rows.');
  if (!isObject(set)) wrong('.set', 'set has the changed columns of rows, by the ids of the rows.');
  if (!Array.isArray(remove)) wrong('.remove', 'remove is a list of ids of rows.');
  const part = {
    add: Array.isArray(add) ? (add as Row[]) : [],
    set: new Map(isObject(set) ? Object.entries(set).map(([id, row]) => [Number(id), row as Row]) : []),
    remove: new Set(Array.isArray(remove) ? remove.map(Number) : []),
  };
  part.add.forEach((row, at) => {
    if (isObject(row) && row.id !== undefined && row.id !== null)
      wrong(`.add.${at}`, 'A new row has no id. Change a row that is there by set.');
  });
  for (const [id, row] of part.set)
    if (!known.has(id)) wrong(`.set.${id}`, `${gone} Add it as a new one.`);
    else if (!isObject(row)) wrong(`.set.${id}`, 'set has the changed columns of a row.');
    else if (part.remove.has(id)) wrong(`.set.${id}`, 'This row is both changed and removed. Do only one of them.');
  for (const id of part.remove) if (!known.has(id)) wrong(`.remove`, `${gone} Leave ${id} out.`);
  return part;
}

/** A refusal with the paths of its findings as they were sent: "lines.set.41.qty" for "lines.3.qty". */
function inPlace(error: unknown, places: ReadonlyMap<string, string>): unknown {
  if (!(error instanceof AppError)) return error;
  const placed = (path: string) => {
    const [field, at, ...rest] = path.split('.');
    const place = at === undefined ? undefined : places.get(`${field}.${at}`);
    return place === undefined ? path : [place, ...rest].join('.');
  };
  const moved = new AppError(error.status, error.code, error.message, {
    ...(error.field !== null && { field: placed(error.field) }),
    ...(error.reason !== null && { reason: error.reason }),
    details: error.details.map((detail) => ({ ...detail, field: placed(detail.field) })),
    extra: error.extra,
  });
  return moved;
}
