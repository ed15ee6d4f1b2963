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

/** The same for a field of the record, or of one that it refers to: `board_unit_id.secretary_id`. */
export function checkOwnerPath(check: ScreenCheck, path: string, at: Path, word: string): void {
  const [name = '', further] = path.split('.');
  if (further === undefined) return checkOwner(check, name, at, word);
  const field = check.field(name);
  if (!field) return check.unknown(at, name, check.names, word);
  const of = check.all.drafts.get(field.ref?.type ?? '')?.screen;
  const person = of?.fields.find((one) => one.name === further);
  if (!person?.ref || !OWNERS.has(person.ref.type))
    check.report(
      at,
      `"${path}" leads to no user, no employee and no role.`,
      `Choose a field of the record that "${name}" refers to, with "x-ref": "employee", "users" or "role".`,
    );
}
