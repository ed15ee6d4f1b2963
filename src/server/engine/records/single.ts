import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Queryable } from '../../db/database.ts';
import { tableName } from '../../db/names.ts';
import { AppError } from '../../db/errors.ts';
import { readRecord } from './read.ts';
import { companyOf } from '../../access/rights/scope.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import { createRecord, updateRecord } from './write.ts';
import type { WriteContext } from './write_context.ts';

async function idOf(on: Queryable, session: Session, screen: Screen): Promise<number | null> {
  const ofCompany = screen.scope === 'entity';
  const text = `select id from ${tableName(session.tenant.schema, screen.name)}${ofCompany ? ' where entity_id = $1' : ''} order by id limit 1`;
  const [row] = await on.query<{ id: number }>(preparedStatement(text, ofCompany ? [companyOf(session)] : []));
  return row?.id ?? null;
}

/** The one record of a settings screen, or its defaults with version 0 until it is first saved. */
export async function readSingle(session: Session, screen: Screen, screens: Map<string, Screen>): Promise<WireRecord> {
  const id = await idOf(session.tenant.db, session, screen);
  if (id !== null) return readRecord(session, screen, screens, id);
  return {
    id: 0,
    version: 0,
    active: true,
    ...Object.fromEntries(screen.fields.map((field) => [field.name, field.default ?? (field.rows ? [] : null)])),
  };
}

/** Saves the one record; the first save creates it. Of two concurrent first saves, the second is refused. */
export async function saveSingle(context: WriteContext, input: Record<string, unknown>): Promise<WireRecord> {
  const { session, screen } = context;
  const id = await idOf(session.tenant.db, session, screen);
  if (id !== null) return updateRecord(context, id, input);
  return createRecord(context, input, async (tx) => {
    await tx.query(
      preparedStatement('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
        `${session.tenant.schema}.${screen.name} ${session.entityId} single`,
      ]),
    );
    if ((await idOf(tx, session, screen)) !== null)
      throw new AppError(409, 'stale_version', 'Somebody else saved these settings first. Reload the page.');
  });
}
