import type { Screen } from '../../../descriptor/types.ts';
import { tableName } from '../../db/names.ts';
import { rowScope } from '../../access/rights/scope.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';

/** Whom field staff visit. */
const CUSTOMER = 'customer';
/** The maximum, because the browser stores it with the session. */
const MAX_ROWS = 500;

export interface CustomerOfUser {
  id: number;
  code: string;
  name: string;
}

/**
 * The customers that the person may see in the session's company, by name; the first 500. Empty for people who may not
 * see the list.
 */
export async function customersOf(session: LiveSession, screens: Map<string, Screen>): Promise<CustomerOfUser[]> {
  const screen = screens.get(CUSTOMER);
  const { db, schema } = session.tenant;
  if (!screen || session.entityId === null || session.rights.refuse(screen, 'landing') !== null) return [];
  const [made] = await db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    tableName(schema, CUSTOMER),
  ]);
  if (!made?.there) return [];
  const values = new SqlParams();
  const where = ['t.active', ...rowScope(session, screen, screens, 't', values)];
  return db.query<CustomerOfUser>(
    preparedStatement(
      `select t.id, t.code, t.name from ${tableName(schema, CUSTOMER)} t where ${where.join(' and ')} order by lower(t.name), t.id limit ${MAX_ROWS}`,
      values.list,
    ),
  );
}
