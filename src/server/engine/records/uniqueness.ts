import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { formatValue } from '../../../descriptor/format.ts';
import { describeFilter } from '../../../descriptor/filter.ts';
import { numberKey } from '../../../descriptor/number_key.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import { conditionFields, keyHolds } from '../../../descriptor/key_condition.ts';
import type { ConditionalKey, Field, FieldError, FilterExpression, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { bareTable, constraintName, quoted, tableName } from '../../db/names.ts';
import { conditionSql } from '../../db/key_sql.ts';
import { whenKeyName } from '../../db/table_shapes.ts';
import { AppError } from '../../db/errors.ts';
import { refusedRange } from './ranges.ts';
import { IS_CURRENT } from '../../../descriptor/workflow.ts';
import { companyOf } from '../../access/rights/scope.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';

/**
 * For each of these keys, by position: the condition that another record has the same values. Null: it cannot exist.
 */
function takenBy(
  session: Session,
  screen: Screen,
  keys: number[],
  record: Record<string, unknown>,
  id: number | null,
  values: SqlParams,
): { at: number; other: string }[] {
  return keys.map((at) => {
    const key = screen.unique[at]!;
    return { at, other: other(session, screen, key, record, id, values, { emptyEqual: isEmptyEqual(screen, key) }) };
  });
}

/** The condition that another record has these values. */
function other(
  session: Session,
  screen: Screen,
  key: string[],
  record: Record<string, unknown>,
  id: number | null,
  values: SqlParams,
  { emptyEqual, when }: { emptyEqual: boolean; when?: FilterExpression },
): string {
  const sqlOf = (name: string) => {
    const field = screen.fields.find((one) => one.name === name)!;
    return fieldType(field.type).sql(field);
  };
  const where = key.map((name) => {
    // "Is not distinct from" would use no index.
    if (emptyEqual && (record[name] ?? null) === null) return `t.${quoted(name)} is null`;
    const sql = sqlOf(name);
    return sql === 'text'
      ? `lower(t.${quoted(name)}) = lower(${values.bind(record[name])})`
      : `t.${quoted(name)} = ${values.bind(record[name])}::${sql}`;
  });
  if (when) where.push('t.active', conditionSql(when, sqlOf));
  if (screen.scope === 'entity') where.push(`t.entity_id = ${values.bind(companyOf(session))}`);
  if (id !== null) where.push(`t.id <> ${values.bind(id)}`);
  return `exists (select 1 from ${tableName(session.tenant.schema, screen.name)} t where ${where.join(' and ')})`;
}

/** Whether two empty values in a key are equal. */
function isEmptyEqual(screen: Screen, key: string[]): boolean {
  return screen.emptyEqual?.some((one) => one.join() === key.join()) === true;
}

/** The condition that no other record has a key of a new one, for the statement that writes it. */
export function freeConditions(
  session: Session,
  screen: Screen,
  record: Record<string, unknown>,
  values: SqlParams,
): string[] {
  return takenBy(session, screen, [...screen.unique.keys()], record, null, values).map(({ other }) => `not ${other}`);
}

/**
 * Keys that another record already has, all in one statement. The database constraint has the final say.
 * @param stored the active record as it is stored, if it holds its keys already: only changed keys are looked up
 */
export async function duplicateErrors(
  session: Session,
  screen: Screen,
  record: Record<string, unknown>,
  id: number | null,
  stored: Record<string, unknown> | null = null,
): Promise<FieldError[]> {
  const values = new SqlParams();
  const isKept = (names: string[]) =>
    stored !== null && names.every((name) => record[name] !== undefined && record[name] === stored[name]);
  const whole = [...screen.unique.keys()].filter(
    (at) =>
      !isKept(screen.unique[at]!) &&
      (isEmptyEqual(screen, screen.unique[at]!) ||
        screen.unique[at]!.every((name) => record[name] !== null && record[name] !== undefined)),
  );
  const conditional = (screen.uniqueWhen ?? []).filter(
    (key) => binds(key, record) && !isKept([...key.key, ...conditionFields(key.when)]),
  );
  const parts = [
    ...takenBy(session, screen, whole, record, id, values).map(({ at, other }) => `select ${at} as at where ${other}`),
    ...conditional.map(
      (key, at) => `select ${-1 - at} as at where ${other(session, screen, key.key, record, id, values, key)}`,
    ),
  ];
  if (parts.length === 0) return [];
  const found = await session.tenant.db.query<{ at: number }>(
    preparedStatement(parts.join(' union all '), values.list),
  );
  return found.map(({ at }) =>
    at < 0 ? duplicateWhen(screen, conditional[-1 - at]!, record) : duplicate(screen, screen.unique[at]!, record),
  );
}

/** Whether a conditional key applies to this record: it is active, the condition is true, and no value is missing. */
function binds({ key, when, emptyEqual }: ConditionalKey, record: Record<string, unknown>): boolean {
  const whole = emptyEqual || key.every((name) => record[name] !== null && record[name] !== undefined);
  return record.active !== false && whole && keyHolds(when, record);
}

/** The message of a conditional key for a second record. */
function duplicateWhen(
  screen: Screen,
  { key, when, message }: ConditionalKey,
  record: Record<string, unknown>,
): FieldError {
  const field = conditionFields(when).find((name) => name !== IS_CURRENT) ?? key[0]!;
  const holds = describeFilter(when, screen).join(', ');
  const of = key.length === 0 ? '' : `${duplicate(screen, key, record).message.replace(/ already exists\.$/, '')}: `;
  return {
    field,
    message:
      message ?? `${of}There is another ${inSentence(screen.title)} already where ${holds}. Change that one first.`,
  };
}

function duplicate(screen: Screen, key: string[], record: Record<string, unknown>): FieldError {
  const fields = key.map((name) => screen.fields.find((field) => field.name === name)!);
  const empty = (field: Field) => record[field.name] === null || record[field.name] === undefined;
  const text = fields
    .map((field) =>
      empty(field)
        ? `${field.title} (empty)`
        : `${field.title} ${field.ref ? '' : formatValue(field, record[field.name])}`.trim(),
    )
    .join(', ');
  return { field: key[0]!, message: `${text} already exists.` };
}

/** Which of many records the database meant: it reports the key's values, "Key (…)=(1, a-7) already exists". */
function duplicateAmong(screen: Screen, key: string[], records: Record<string, unknown>[], detail: string): FieldError {
  const values = /=\((.*)\)/s.exec(detail)?.[1]?.toLowerCase() ?? '';
  const shown = screen.scope === 'entity' ? values.replace(/^\d+, /, '') : values;
  const meant = records.find(
    (record) => key.map((name) => String(record[name] ?? 'null').toLowerCase()).join(', ') === shown,
  );
  if (meant) return duplicate(screen, key, meant);
  const titles = key.map((name) => screen.fields.find((field) => field.name === name)!.title).join(' and ');
  return { field: key[0]!, message: `The ${titles} of one of these records already exists.` };
}

/** A database error as a readable message at the field of the constraint; any other error is passed on. */
export function refusalOf(
  error: unknown,
  screen: Screen,
  written: Record<string, unknown> | Record<string, unknown>[],
): unknown {
  const {
    code,
    constraint,
    detail = '',
    table,
    column,
  } = error as { code?: string; constraint?: string; detail?: string; table?: string; column?: string };
  if (code === '23505') {
    const numbers = numberKey(screen);
    const keys = numbers ? [...screen.unique, numbers] : screen.unique;
    const conditional = screen.uniqueWhen?.find((one) => whenKeyName(screen.name, one.key, one.when) === constraint);
    if (conditional) {
      const found = duplicateWhen(screen, conditional, Array.isArray(written) ? {} : written);
      return new AppError(409, 'duplicate', found.message, { field: found.field, details: [found] });
    }
    const key = keys.find((one) => constraintName(screen.name, one, 'key') === constraint);
    if (!key) return error;
    const found = Array.isArray(written)
      ? duplicateAmong(screen, key, written, detail)
      : duplicate(screen, key, written);
    return new AppError(409, 'duplicate', found.message, { field: found.field, details: [found] });
  }
  if (code === '23503')
    return refused(
      'reference_not_allowed',
      constrained(screen, constraint, 'fkey'),
      (title) => `Choose ${title ?? 'another record'} again: the chosen one no longer exists.`,
    );
  if (code === '23502') {
    const rows = screen.fields.find((field) => field.rows && bareTable(screen.name, field.name) === table);
    const missing = (rows?.rows ?? screen.fields).find(({ name }) => name === column);
    return missing ? refused('invalid', rows?.name ?? missing.name, () => `${missing.title} is required.`) : error;
  }
  if (code === '23P01') {
    const range = refusedRange(screen, constraint);
    return range ? refused('invalid', range.field, () => range.message) : error;
  }
  if (code === '22000')
    return refused(
      'invalid',
      screen.ranges?.[0]?.to,
      (title) => `${title ?? 'A range'} must not end before it begins.`,
    );
  if (code === '23514')
    return refused(
      'invalid',
      constrained(screen, constraint, 'check'),
      (title) => `${title ?? 'A value'} is outside the allowed range.`,
    );
  if (code === '22003') return refused('invalid', undefined, () => 'A number is too large.');
  if (code === '22021' || code === '22P05')
    return refused('invalid', undefined, () => 'The text contains a character that cannot be stored.');
  return error;

  function refused(name: string, field: string | undefined, message: (title?: string) => string): AppError {
    const title = screen.fields.find((one) => one.name === field?.split('.')[0])?.title;
    const text = message(title);
    return new AppError(422, name, text, field === undefined ? {} : { field, details: [{ field, message: text }] });
  }
}

/** The field with this constraint name; for child rows, the rows field. */
function constrained(screen: Screen, constraint: string | undefined, suffix: string): string | undefined {
  for (const field of screen.fields) {
    if (constraintName(screen.name, [field.name], suffix) === constraint) return field.name;
    if (
      field.rows?.some(
        (column) => constraintName(bareTable(screen.name, field.name), [column.name], suffix) === constraint,
      )
    )
      return field.name;
  }
  return undefined;
}
