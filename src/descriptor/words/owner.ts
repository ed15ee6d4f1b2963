import { OWNERS } from '../check_context.ts';
import type { ScreenCheck } from '../check_context.ts';
import type { Path } from './word.ts';

/** A field that defines the owner of a record: it refers to a user or an employee. */
export function checkOwner(check: ScreenCheck, name: string, path: Path, word: string): void {
  const field = check.field(name);
  if (name === 'created_by') return;
  if (!field) check.unknown(path, name, check.names, word);
  else if (!field.ref || !OWNERS.has(field.ref.type))
    check.report(
      path,
      `"${name}" says nothing of whose a record is: it refers to no user, no employee and no role.`,
      'Choose a field with "x-ref": "employee", "users" or "role", or created_by.',
    );
}
