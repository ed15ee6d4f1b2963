import type { Value } from '../../../descriptor/expression/value.ts';
import { valueOf } from '../../../descriptor/expression/scope.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import type { Field, Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Amend, Transition } from '../../../descriptor/workflow.ts';
import { COPIED_FROM, IS_CURRENT, amending } from '../../../descriptor/workflow.ts';
import type { Session } from '../../access/context.ts';
import { AppError } from '../../db/errors.ts';
import { quoted, tableName } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import { copyOf } from '../records/copy_of.ts';
import { plainValue } from './plain_value.ts';
import type { Surroundings } from './values.ts';
import { valueIn } from './values.ts';

type Row = Record<string, unknown>;

const FILES = new Set(['file', 'image', 'signature']);

/** The initial values of the next revision of a record: its values and rows, without files, and its number. */
export async function revisionOf(
  { tenant }: Session,
  screen: Screen,
  stored: WireRecord,
  { revision, supersede }: Amend,
): Promise<Row> {
  // An abandoned revision has used its number.
  const [last] = await tenant.db.query<{ revision: number | null }>(
    preparedStatement(
      `select max(${quoted(revision)}) as revision from ${tableName(tenant.schema, screen.name)} where ${quoted(COPIED_FROM)} = $1`,
      [stored.id],
    ),
  );
  const copy = copyOf(screen, stored);
  for (const field of screen.fields) {
    if (FILES.has(field.type)) delete copy[field.name];
    if (field.rows && Array.isArray(copy[field.name]))
      copy[field.name] = (copy[field.name] as Row[]).map((row) => withoutFiles(field.rows!, row));
  }
  const number = (screen.number ?? screen.numberAt)?.field;
  return {
    ...copy,
    ...(number !== undefined && { [number]: stored[number] }),
    [revision]: Math.max(Number(stored[revision] ?? 0), last?.revision ?? 0) + 1,
    [COPIED_FROM]: stored.id,
    [IS_CURRENT]: supersede === undefined,
  };
}

const withoutFiles = (columns: Field[], row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).filter(([name]) => !FILES.has(columns.find((one) => one.name === name)?.type ?? '')),
  );

/** A record has one current revision, and at most one in preparation. @throws AppError 409 */
export async function refuseSecondRevision({ tenant }: Session, screen: Screen, stored: WireRecord): Promise<void> {
  const title = inSentence(screen.title);
  if (stored[IS_CURRENT] !== true)
    throw new AppError(409, 'bad_state', `This is not the current revision of the ${title}. Revise that one.`);
  const { field, states } = screen.workflow!;
  const cancelled = states.filter(({ is }) => is === 'cancelled').map(({ name }) => name);
  const [open] = await tenant.db.query<{ id: number }>(
    preparedStatement(
      `select id from ${tableName(tenant.schema, screen.name)} where ${quoted(COPIED_FROM)} = $1 and active and not ${quoted(field)} = any($2::text[]) limit 1`,
      [stored.id, cancelled],
    ),
  );
  if (open)
    throw new AppError(
      409,
      'bad_state',
      `A revision of this ${title} is already in progress. Finish or delete that one.`,
      {
        extra: { revision: open.id },
      },
    );
}

/** The record that this transition replaces with its revision, or null. */
export function replacedBy(screen: Screen, { name }: Transition, record: WireRecord): number | null {
  const amend = amending(screen)?.amend;
  const original = record[COPIED_FROM];
  return amend?.supersede === name && record[IS_CURRENT] !== true && typeof original === 'number' ? original : null;
}

/** The values set on a replaced record: `copy.x` is a value of the replacement. */
export async function replacedValues(around: Surroundings, { set }: Amend, copy: Row): Promise<Row> {
  const more: Record<string, Value> = {};
  for (const field of around.screen.fields)
    if (!field.rows) more[`copy.${field.name}`] = valueOf(field, copy[field.name]);
  const values: Row = { [IS_CURRENT]: false };
  for (const [name, text] of Object.entries(set)) {
    const field = around.screen.fields.find((one) => one.name === name)!;
    values[name] = plainValue(field, await valueIn({ ...around, more }, text));
  }
  return values;
}
