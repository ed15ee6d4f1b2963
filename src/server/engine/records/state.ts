import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import { mayLeave } from '../../../descriptor/may_leave.ts';
import { isOpened } from '../../../descriptor/opened_fields.ts';
import { stateOf } from '../../../descriptor/workflow.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted, tableName } from '../../db/names.ts';
import { entryGonePart, entryPart } from '../../db/search_entries.ts';
import type { Session } from '../../access/context.ts';
import { AppError, invalid } from '../../db/errors.ts';
import { staleVersion } from './history.ts';
import { removeParts } from './part_rows.ts';
import { readRecord } from './read.ts';
import { rangeConflicts } from './ranges.ts';
import { actingOn } from '../../access/rights/scope.ts';
import { duplicateErrors, refusalOf } from './uniqueness.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import { existingTables } from '../../db/existing_tables.ts';
import { whereUsed } from './where_used.ts';
import type { WriteContext } from './write_context.ts';

/** Deactivates or reactivates a record; existing references to it remain. */
export async function setActive(
  asked: WriteContext,
  id: number,
  version: number | null,
  active: boolean,
): Promise<WireRecord> {
  const { screen, screens, what } = asked;
  const stored = await readRecord(asked.session, screen, screens, id);
  const session = actingOn(asked.session, stored);
  const context = { ...asked, session };
  const { schema, db } = session.tenant;
  if (version !== null && version !== stored.version) throw await staleVersion(context, stored, version);
  await refuseIfUsed(context, stored, active ? 'activate' : 'deactivate');
  if (stored.active === active)
    throw new AppError(409, 'bad_state', `This is already ${active ? 'active' : 'inactive'}.`);
  if (active) await maySucceed(session, screen, stored);
  const forId = (await asked.delegators?.())?.[0]?.userId ?? null;
  const values = new SqlParams();
  const entry = entryPart(schema, screen);
  const entries = active ? entry?.part : entryGonePart(schema, screen);
  const text = `with r as (update ${tableName(schema, screen.name)} set active = ${values.bind(active)}::boolean, version = version + 1, updated_at = now(), updated_by = ${values.bind(session.userId)}::bigint
      where id = ${values.bind(id)}::bigint and version = ${values.bind(stored.version)}::integer returning ${['id', 'version', ...(active ? (entry?.returns ?? []) : [])].join(', ')}),${entries ? `\n    ${entries},` : ''}
    h as (insert into ${quoted(schema)}.history (record_type, record_id, entity_id, version, op, by, what, change, for_id)
      select ${values.bind(screen.name)}, r.id, ${values.bind(session.entityId)}::bigint, r.version, ${values.bind(active ? 'A' : 'X')}, ${values.bind(session.userId)}::bigint, ${values.bind(what)}, ${values.bind(JSON.stringify({ active: [!active, active] }))}::jsonb, ${values.bind(forId)}::bigint from r)
    select id from r`;
  const op = active ? 'A' : 'X';
  const change = (on: Queryable) =>
    on.query(preparedStatement(text, values.list)).catch((error: unknown) => {
      throw refusalOf(error, screen, stored);
    });
  const rows =
    asked.audit?.keeps(screen, op) === true
      ? await db.transaction(async (tx) => {
          const changed = await change(tx);
          if (changed.length > 0) await asked.audit?.store(tx, session, screen, { id, op });
          return changed;
        })
      : await change(db);
  const now = await readRecord(session, screen, screens, id);
  if (rows.length === 0) throw await staleVersion(context, now, stored.version);
  return now;
}

/** When reactivated, a record must again satisfy its conditional keys and ranges. @throws AppError 409, 422 */
async function maySucceed(session: Session, screen: Screen, stored: WireRecord): Promise<void> {
  if (!screen.ranges && !screen.uniqueWhen) return;
  const record = { ...stored, active: true };
  const [taken] = await duplicateErrors(session, screen, record, stored.id);
  if (taken) throw new AppError(409, 'duplicate', taken.message, { field: taken.field, details: [taken] });
  const [overlaps = []] = await rangeConflicts(session, screen, [{ id: stored.id, record }]);
  if (overlaps.length > 0) throw invalid(overlaps);
}

/** Permanently deletes a record, unless something refers to it. @throws AppError 409 in_use with where */
export async function removeRecord(context: WriteContext, id: number): Promise<void> {
  const { session: asking, screen, screens, hooks, what, audit } = context;
  const stored = await readRecord(asking, screen, screens, id);
  await refuseIfUsed({ session: asking, screen, screens, hooks }, stored, 'delete');
  const session = actingOn(asking, stored);
  const { schema, db } = session.tenant;
  const existing = await existingTables(db, schema);
  const used = await whereUsed(db, session, screen, screens, id, existing);
  if (used.length > 0) throw inUse(used);
  await removeParts({ ...context, session }, stored);
  const values = new SqlParams();
  const record = values.bind(id);
  const kept = JSON.stringify(
    Object.fromEntries(
      screen.fields
        .filter((field) => !field.secret && stored[field.name] !== null)
        .map((field) => [field.name, [stored[field.name], null]]),
    ),
  );
  const gone = entryGonePart(schema, screen);
  const text = `with r as (delete from ${tableName(schema, screen.name)} where id = ${record}::bigint returning id, version),${gone === null ? '' : `\n    ${gone},`}
    h as (insert into ${quoted(schema)}.history (record_type, record_id, entity_id, version, op, by, what, change)
      select ${values.bind(screen.name)}, r.id, ${values.bind(session.entityId)}::bigint, r.version + 1, 'D', ${values.bind(session.userId)}::bigint, ${values.bind(what)}, ${values.bind(kept)}::jsonb from r)
    select id from r`;
  const remove = async (on: Queryable) => {
    const gone = await on.query(preparedStatement(text, values.list));
    if (gone.length > 0 && audit?.keeps(screen, 'D') === true) await audit.store(on, session, screen, { id, op: 'D' });
  };
  await db.transaction(remove).catch(async (error: unknown) => {
    // Somebody referred to it between the check and the delete: the foreign key decides.
    if ((error as { code?: string }).code !== '23503') throw error;
    throw inUse(await whereUsed(db, session, screen, screens, id, existing));
  });
}

async function refuseIfUsed(
  { session, screen, screens, hooks }: Pick<WriteContext, 'session' | 'screen' | 'screens' | 'hooks'>,
  stored: WireRecord,
  how: 'deactivate' | 'activate' | 'delete',
): Promise<void> {
  refuseLeaving(screen, stored, how);
  const refused = await hooks.leave(session, screen, stored, how, screens);
  if (refused !== null) throw new AppError(422, 'invalid', refused);
}

function refuseLeaving(screen: Screen, stored: WireRecord, how: 'deactivate' | 'activate' | 'delete'): void {
  if (!screen.workflow || how === 'activate' || isOpened(screen) || mayLeave(screen, stored, how)) return;
  const state = stateOf(screen.workflow, stored);
  throw new AppError(
    409,
    'bad_state',
    how === 'delete'
      ? `This ${inSentence(screen.title)} is "${state.title}" and cannot be deleted. Only new ones can be deleted.`
      : `This ${inSentence(screen.title)} is "${state.title}": work on it has begun. Use the steps that end it.`,
  );
}

function inUse(used: Awaited<ReturnType<typeof whereUsed>>): AppError {
  const places = used.map(({ count, title }) => `${count >= 1000 ? '1,000+' : count} ${inSentence(title)}`).join(', ');
  return new AppError(409, 'in_use', `Used by ${places}. Deactivate it instead.`, { extra: { used_by: used } });
}
