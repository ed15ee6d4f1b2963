import { openedFields, isOpened } from '../../../descriptor/opened_fields.ts';
import { recompute } from '../../../descriptor/validate.ts';
import type { Field, FieldError, Screen, WireRecord } from '../../../descriptor/types.ts';
import { stateField } from '../../../descriptor/workflow.ts';
import { PLACE } from '../../../descriptor/words/part.ts';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { refuseLocked } from '../workflow/locked_fields.ts';
import { AppError } from '../../db/errors.ts';
import { columnFields } from '../../db/columns.ts';
import { quoted, tableName } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import { changeOf, isSame } from './history.ts';
import { bound } from './insert_statement.ts';
import { readWritten } from './read.ts';
import type { WriteContext } from './write_context.ts';

type Row = Record<string, unknown>;

const listOf = (value: unknown): Row[] => (Array.isArray(value) ? (value as Row[]) : []);
const isNew = ({ id }: Row) => id === undefined || id === null;

export function hasParts({ fields }: Pick<Screen, 'fields'>): boolean {
  return fields.some(({ part }) => part);
}

/** Read-only columns filled in by the product: the rules of the parent have allowed them. */
function filledIn(part: Screen, change: Row): string[] {
  const state = stateField(part)?.name;
  return part.fields.flatMap(({ name, readOnly, formula }) =>
    readOnly && formula === undefined && name in change && name !== state && name !== part.number?.field ? [name] : [],
  );
}

/**
 * The part as its parent writes it: fields filled in by the product are writable, and all fields if the product writes
 * the parent.
 */
const asRows = (part: Screen, parent: Screen, names: string[]): Screen =>
  names.length > 0 || isOpened(parent) ? openedFields(part, names) : part;

/** A refusal of a part, reported at its row in the list. */
function ofRow(error: unknown, path: string): unknown {
  if (!(error instanceof AppError) || error.status >= 500) return error;
  const placed = (field: string) => (field === '' ? path : `${path}.${field}`);
  return new AppError(error.status, error.code, error.message, {
    field: placed(error.field ?? ''),
    ...(error.reason !== null && { reason: error.reason }),
    details: error.details.map((detail) => ({ ...detail, field: placed(detail.field) })),
    extra: error.extra,
  });
}

/** Rows sent with an outdated version, by path. */
export function staleRows(screen: Screen, input: Row, stored: Row, by: string): FieldError[] {
  return screen.fields.flatMap((field) => {
    if (!field.part) return [];
    const versions = new Map(listOf(stored[field.name]).map(({ id, version }) => [id, version]));
    return listOf(input[field.name]).flatMap((row, at) =>
      row?.version === undefined || !versions.has(row.id) || versions.get(row.id) === row.version
        ? []
        : [{ field: `${field.name}.${at}`, message: `${by} changed row ${at + 1} of ${field.title} in the meantime.` }],
    );
  });
}

/** Rows sent with another state: the state of parts changes only by transitions. */
export function movedRows(
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
  input: Row,
  stored: Row | null,
): FieldError[] {
  return screen.fields.flatMap((field) => {
    const part = field.part && screens.get(field.part.type);
    const state = part && stateField(part);
    if (!part || !state) return [];
    const known = new Map(listOf(stored?.[field.name]).map((row) => [row.id, row[state.name]]));
    return listOf(input[field.name]).flatMap((row, at) => {
      const sent = row?.[state.name];
      return sent === undefined || sent === null || sent === (known.get(row.id) ?? part.workflow!.states[0]!.name)
        ? []
        : [
            {
              field: `${field.name}.${at}.${state.name}`,
              message: `${state.title} changes by its steps. Leave it out, and take the step at the row.`,
            },
          ];
    });
  });
}

/**
 * Writes the added, changed and removed parts of a record; the record itself is stored, and locked by the unit.
 * @returns the record with its stored parts and the values computed from them
 */
export async function writeParts(
  context: WriteContext,
  id: number,
  before: Row | null,
  record: Row,
  names: ReadonlySet<string>,
): Promise<Row> {
  const { screen, screens, session } = context;
  const fields = screen.fields.filter(({ name, part }) => part && names.has(name));
  for (const field of fields)
    await writeRows(context, field, id, listOf(before?.[field.name]), listOf(record[field.name]));
  const stored = await readWritten(session, screen, screens, id);
  const now: Row = { ...record };
  let differs = false;
  for (const field of fields) {
    if (!sameRows(field, listOf(record[field.name]), listOf(stored[field.name]))) differs = true;
    now[field.name] = stored[field.name];
  }
  // Fills and hooks of a part may have given it other values than the form had.
  return differs ? recompute(screen, now, before ? { storedRows: before } : {}) : now;
}

const sameRows = (field: Field, some: Row[], others: Row[]): boolean =>
  some.length === others.length &&
  some.every((row, at) =>
    field.rows!.every((column) => column.rows || isSame(column, row[column.name], others[at]![column.name])),
  );

async function writeRows(context: WriteContext, field: Field, id: number, before: Row[], after: Row[]): Promise<void> {
  const { session, screen, screens, parts } = context;
  const part = screens.get(field.part!.type);
  if (!part || !parts) throw new Error(`The parts of ${screen.name} cannot be written here.`);
  const { by } = field.part!;
  const stored = new Map(before.map((row) => [row.id, row]));
  const left = new Set(after.map((row) => row.id));
  for (const row of before) if (!left.has(row.id)) await parts.remove(session, part, Number(row.id));
  const ids: number[] = [];
  for (const [at, row] of after.entries()) {
    const path = `${field.name}.${at}`;
    const values = Object.fromEntries(field.rows!.map(({ name }) => [name, row[name]]));
    const old = stored.get(row.id);
    try {
      if (isNew(row)) {
        const made = await parts.create(
          session,
          asRows(part, screen, [by, PLACE, ...filledIn(part, changeOf({ fields: field.rows! }, null, row))]),
          {
            ...values,
            [by]: id,
            [PLACE]: at,
          },
        );
        ids.push(made.id);
        continue;
      }
      ids.push(Number(row.id));
      const change = old ? changeOf({ fields: field.rows! }, old, row) : {};
      if (!old || Object.keys(change).length === 0) continue;
      const filled = filledIn(part, change);
      if (filled.length > 0 && part.workflow && !isOpened(screen)) {
        const entered = Object.fromEntries(Object.entries(change).filter(([name]) => !filled.includes(name)));
        await refuseLocked(session, screens, part, { ...old, [by]: id } as WireRecord, entered);
      }
      await parts.update(session, asRows(part, screen, filled), Number(row.id), { ...values, version: old.version });
    } catch (error) {
      throw ofRow(error, path);
    }
  }
  if (ids.length > 0)
    await session.tenant.db.query(
      preparedStatement(
        `update ${tableName(session.tenant.schema, part.name)} t set "position" = x.at - 1 from unnest($1::bigint[]) with ordinality x(id, at) where t.id = x.id and t."position" is distinct from x.at - 1`,
        [ids],
      ),
    );
}

/** Stores the values that the record computes from its parts, if they changed; its version stays. */
export async function keepComputed(context: WriteContext, stored: WireRecord): Promise<void> {
  const { session, screen } = context;
  const now = recompute(screen, stored);
  const change = changeOf(screen, stored, now);
  const fields = columnFields(screen.fields).filter(({ name, formula }) => formula !== undefined && name in change);
  if (fields.length === 0) return;
  const values = new SqlParams();
  const set = fields.map(
    (field) =>
      `${quoted(field.name)} = ${values.bind(bound(field, now[field.name]))}::${fieldType(field.type).sql(field)}`,
  );
  await session.tenant.db.query(
    preparedStatement(
      `update ${tableName(session.tenant.schema, screen.name)} set ${set.join(', ')} where id = ${values.bind(stored.id)}`,
      values.list,
    ),
  );
}

/** Removes the parts of a record that will be removed. */
export async function removeParts(
  { session, screen, screens, parts }: WriteContext,
  stored: WireRecord,
): Promise<void> {
  for (const field of screen.fields) {
    const part = field.part && screens.get(field.part.type);
    if (!part || !parts) continue;
    // In any state: permission was checked for the record.
    for (const { id } of listOf(stored[field.name])) await parts.remove(session, openedFields(part, []), Number(id));
  }
}
