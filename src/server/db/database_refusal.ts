import { humanise } from '../../descriptor/humanise.ts';
import { AppError } from './errors.ts';

interface DatabaseError {
  code?: string;
  /** `Key (entity_id, lower(code))=(1, a-7) already exists.` */
  detail?: string;
  table?: string;
  column?: string;
  constraint?: string;
}

/** The fields of a refusal: from the key that the database reports, or otherwise from the constraint's name. */
function fieldsOf({ detail = '', table = '', column, constraint = '' }: DatabaseError): string[] {
  if (column) return [column];
  const key = /^Key \((.*?)\)=\(/s.exec(detail)?.[1];
  if (key !== undefined)
    return key
      .split(/,\s*/)
      .map((part) => /(\w+)\)*(::\w+)?\)*$/.exec(part.replaceAll('"', ''))?.[1] ?? '')
      .filter((name) => name !== '' && name !== 'entity_id');
  const name = constraint.startsWith(`${table}_`) ? constraint.slice(table.length + 1) : '';
  const field = name.replace(/(_required)?_(check|fkey|key|excl)$/, '');
  return field === '' || field === name ? [] : [field];
}

/** The refusal of a constraint or type as a readable message at the field; null = another error. */
export function databaseRefusal(error: unknown): AppError | null {
  const { code, detail = '' } = error as DatabaseError;
  const fields = fieldsOf(error as DatabaseError);
  const title = fields.map(humanise).join(' and ');
  const refuse = (status: number, name: string, message: string) => {
    const [field] = fields;
    return new AppError(status, name, message, field === undefined ? {} : { field, details: [{ field, message }] });
  };
  switch (code) {
    case '23505':
      return refuse(409, 'duplicate', `Another record has this ${title || 'value'} already. Enter another one.`);
    case '23503':
      return /is still referenced/.test(detail)
        ? new AppError(409, 'in_use', 'Other records still refer to this one. Change those first.')
        : refuse(
            422,
            'reference_not_allowed',
            `Choose ${title || 'another record'} again: the chosen one no longer exists.`,
          );
    case '23502':
      return refuse(422, 'invalid', `${title || 'A value'} is required.`);
    case '23514':
      return refuse(422, 'invalid', `${title || 'A value'} is outside the allowed range.`);
    case '23P01':
      return refuse(422, 'invalid', 'These dates overlap with another record of the same key.');
    case '22001':
      return refuse(422, 'invalid', `${title || 'A text'} is too long. Shorten it.`);
    case '22003':
      return refuse(422, 'invalid', `${title || 'A number'} is too large.`);
    case '22021':
    case '22P05':
      return refuse(422, 'invalid', `${title || 'A text'} contains a character that cannot be stored.`);
    default:
      return null;
  }
}
