import { AppError } from '../../db/errors.ts';

/** What a call is answered whose session is over, or never was. */
export function unauthenticated(): AppError {
  return new AppError(401, 'unauthenticated', 'Your session has ended. Please sign in again.');
}
