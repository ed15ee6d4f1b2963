import type { MadeFrom } from '../../../descriptor/makes.ts';
import { AppError } from '../../db/errors.ts';

/** The source given for a new record; null = none. @throws AppError 400 */
export function madeFrom({ _from: from }: Record<string, unknown>): MadeFrom | null {
  if (from === undefined || from === null) return null;
  const { type, id, make, each } = from as Partial<MadeFrom>;
  const isFor = each === undefined || Number.isSafeInteger(each);
  if (typeof type === 'string' && typeof make === 'string' && Number.isSafeInteger(id) && isFor)
    return { type, id: id!, make, ...(each !== undefined && { each }) };
  throw new AppError(400, 'bad_request', '"_from" names a type, an id and what is made of it.', { field: '_from' });
}
