import { inSentence } from '../../../descriptor/in_sentence.ts';
import type { Field, Screen, WireRecord } from '../../../descriptor/types.ts';
import { stateOf } from '../../../descriptor/workflow.ts';
import type { Session } from '../../access/context.ts';
import { AppError } from '../../db/errors.ts';
import { changeOf } from '../records/history.ts';
import { isRelated } from './relations.ts';

type Row = Record<string, unknown>;

/** Everybody who may edit the record. */
const ANYBODY = '*';

/** The fields that a record's state leaves editable for a person, as `rows.column` too; null = all. */
export async function openFields(
  session: Session,
  screens: ReadonlyMap<string, Screen>,
  screen: Screen,
  stored: WireRecord,
): Promise<Set<string> | null> {
  const { edit } = screen.workflow ? stateOf(screen.workflow, stored) : { edit: true };
  if (edit === true) return null;
  const open = new Set<string>();
  if (edit !== false)
    for (const [relation, names] of Object.entries(edit))
      if (relation === ANYBODY || (await isRelated(session, screens, screen, stored, relation, session)))
        for (const name of names) open.add(name);
  return open;
}

/**
 * Enforces the fields that the record's state leaves editable. `change`: the differences by field, from and to.
 * @throws AppError 409 with the first locked field
 */
export async function refuseLocked(
  session: Session,
  screens: ReadonlyMap<string, Screen>,
  screen: Screen,
  stored: WireRecord,
  change: Record<string, [unknown, unknown]>,
): Promise<void> {
  const { workflow } = screen;
  if (!workflow) return;
  const open = await openFields(session, screens, screen, stored);
  if (open === null) return;
  const { title } = stateOf(workflow, stored);
  const filled = filledFields(screen);
  for (const [name, [before, after]] of Object.entries(change)) {
    const field = screen.fields.find((one) => one.name === name);
    // Computed, filled and fetched values change with the values they depend on.
    if (!field || field.formula !== undefined || field.rowGroup || field.fetch || open.has(name)) continue;
    if (field.readOnly && filled.has(name)) continue;
    const locked = field.rows
      ? lockedColumn(field, before, after, (column) => open.has(column) || filled.has(column))
      : field.title;
    if (locked !== null)
      throw new AppError(
        409,
        'bad_state',
        `This ${inSentence(screen.title)} is "${title}": ${locked} can no longer be changed.`,
        { field: name },
      );
  }
}

/** Fields and columns that only functions fill: people cannot enter them. */
const filledFields = ({ fills = [] }: Screen): ReadonlySet<string> =>
  new Set(fills.flatMap(({ sets, over }) => (over === undefined ? sets : [])));

/**
 * The first changed column of rows that is not editable, or the rows themselves if some were added or removed; null =
 * none.
 */
function lockedColumn(
  field: Field,
  before: unknown,
  after: unknown,
  isOpen: (column: string) => boolean,
): string | null {
  const rows = (value: unknown) => (Array.isArray(value) ? (value as Row[]) : []);
  const old = new Map(rows(before).map((row) => [row.id, row]));
  const now = rows(after);
  if (now.length !== old.size || now.some(({ id }) => !old.has(id))) return field.title;
  for (const row of now)
    for (const column of field.rows ?? [])
      if (
        column.formula === undefined &&
        !isOpen(`${field.name}.${column.name}`) &&
        column.name in changeOf({ fields: [column] }, old.get(row.id)!, row)
      )
        return `${column.title} in ${field.title}`;
  return null;
}
