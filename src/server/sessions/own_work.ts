import type { Session } from '../context.ts';
import { AppError } from '../errors.ts';
import { clientSettings } from './client_settings.ts';

/** Whose work a document is: users, and members of the company. */
export interface Makers {
  users: unknown[];
  employees?: unknown[];
}

/**
 * Nobody approves what they made themselves, unless the client lets them (`allow_self_approval`).
 * @throws AppError 403 with the message
 */
export async function refuseOwnWork(session: Session, { users, employees = [] }: Makers, message: string): Promise<void> {
  const own = users.includes(session.userId) || (session.employeeId !== null && employees.includes(session.employeeId));
  if (own && !(await clientSettings(session.tenant)).allow_self_approval) throw new AppError(403, 'forbidden', message, { reason: 'row' });
}
