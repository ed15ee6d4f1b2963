import { AppError } from '../../db/errors.ts';

/** The error for a call whose session has ended, or never existed. */
export function unauthenticated(): AppError {
  return new AppError(401, 'unauthenticated', 'Your session has ended. Please sign in again.');
}
