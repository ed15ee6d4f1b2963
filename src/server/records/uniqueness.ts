import { fieldType } from '../../descriptor/fieldtypes/registry.ts';
import { formatValue } from '../../descriptor/format.ts';
import type { FieldError, Screen } from '../../descriptor/types.ts';
import type { Session } from '../context.ts';
import { constraintName, quoted, tableName } from '../db/names.ts';
import { AppError } from '../errors.ts';
import { companyOf } from './scope.ts';
import { Values, named } from './sql_text.ts';

/** Keys that another record has already, all in one statement. The constraint stays the last judge. */
export async function duplicateErrors(session: Session, screen: Screen, record: Record<string, unknown>, id: number | null): Promise<FieldError[]> {
  const values = new Values();
  const parts = screen.unique.flatMap((key, at) => {
    if (key.some((name) => record[name] === null || record[name] === undefined)) return [];
    const where = key.map((name) => {
      const sql = fieldType(screen.fields.find((field) => field.name === name)!.type).sql(screen.fields.find((field) => field.name === name)!);
      return sql === 'text' ? `lower(t.${quoted(name)}) = lower(${values.bind(record[name])})` : `t.${quoted(name)} = ${values.bind(record[name])}::${sql}`;
    });
    if (screen.scope === 'entity') where.push(`t.entity_id = ${values.bind(companyOf(session))}`);
    if (id !== null) where.push(`t.id <> ${values.bind(id)}`);
    return [`select ${at} as at where exists (select 1 from ${tableName(session.tenant.schema, screen.name)} t where ${where.join(' and ')})`];
  });
  if (parts.length === 0) return [];
  const found = await session.tenant.db.query<{ at: number }>(named(parts.join(' union all '), values.list));
  return found.map(({ at }) => duplicate(screen, screen.unique[at]!, record));
}

function duplicate(screen: Screen, key: string[], record: Record<string, unknown>): FieldError {
  const fields = key.map((name) => screen.fields.find((field) => field.name === name)!);
  const text = fields.map((field) => `${field.title} ${field.ref ? '' : formatValue(field, record[field.name])}`.trim()).join(', ');
  return { field: key[0]!, message: `${text} already exists.` };
}

/** What the database refused, in people's words; anything else is passed on. */
export function refusalOf(error: unknown, screen: Screen, record: Record<string, unknown>): unknown {
  const { code, constraint } = error as { code?: string; constraint?: string };
  if (code === '23505') {
    const key = screen.unique.find((one) => constraintName(screen.name, one, 'key') === constraint) ?? screen.unique[0];
    if (key) {
      const found = duplicate(screen, key, record);
      return new AppError(409, 'duplicate', found.message, { field: found.field, details: [found] });
    }
  }
  if (code === '23503') return new AppError(422, 'reference_not_allowed', 'A record that this one refers to is not there any more. Choose another one.');
  if (code === '23P01') return new AppError(422, 'invalid', 'These dates overlap with another record of the same key.', { ...(screen.valid && { field: screen.valid.from }) });
  if (code === '23514') return new AppError(422, 'invalid', 'A value is outside what is allowed.');
  if (code === '22003') return new AppError(422, 'invalid', 'A number is too large.');
  return error;
}
