import { checkRules } from '../../../descriptor/validate.ts';
import type { FieldError, Screen } from '../../../descriptor/types.ts';
import { unseenOf } from '../../../descriptor/unseen.ts';
import type { Session } from '../../access/context.ts';
import { readRecords } from './read.ts';

type Row = Record<string, unknown>;
const whole = new WeakMap<Screen, Screen>();

/** A screen with only the fields that rules use and this person does not see. */
function hiddenPart(screen: Screen): Screen | null {
  const unseen = unseenOf(screen);
  if (!unseen) return null;
  let part = whole.get(screen);
  if (!part) whole.set(screen, (part = { ...screen, fields: unseen.fields.filter(({ secret }) => !secret) }));
  return part;
}

/** The values of stored records in fields that rules use and this person does not see; by id. */
export async function unseenValues(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  ids: number[],
): Promise<Map<number, Row>> {
  const part = hiddenPart(screen);
  if (!part || ids.length === 0) return new Map();
  return new Map((await readRecords(session, part, screens, ids)).map((record) => [record.id, record]));
}

/** Violated rules on fields that this person does not see. `values`: their stored values; null = the record is new. */
export function unseenErrors(screen: Screen, record: Row, values: Row | null | undefined): FieldError[] {
  const unseen = unseenOf(screen);
  if (!unseen) return [];
  const hidden = Object.fromEntries(
    unseen.fields.map(({ name, default: begins, rows }) => [name, values?.[name] ?? begins ?? (rows ? [] : null)]),
  );
  const names = new Set(unseen.fields.map(({ name }) => name));
  const fields = [...screen.fields.filter(({ name }) => !names.has(name)), ...unseen.fields];
  const shown = new Set(screen.fields.map(({ name }) => name));
  return checkRules({ ...screen, fields, rules: unseen.rules }, { ...record, ...hidden }).map(({ field, message }) => ({
    field: shown.has(field.split('.')[0]!) ? field : '',
    message,
  }));
}
