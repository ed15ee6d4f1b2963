import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../context.ts';
import { tableName } from '../../db/names.ts';
import { companyScope, rowScope } from './scope.ts';
import { SqlParams } from '../../db/sql_text.ts';

/** Whether every row of a type in the session's company is visible, so that no row needs a separate check. */
export function seesWholeCompany(session: Session, screen: Screen, screens: Map<string, Screen>): boolean {
  if (screen.scope === 'entity' && session.entityId === null) return false;
  const values = new SqlParams();
  const company = companyScope(session, screen, 't', values).length;
  return rowScope(session, screen, screens, 't', values).length === company;
}

/** Which of these records are visible to the session, as in its lists. */
export async function idsInSight(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  ids: number[],
): Promise<Set<number>> {
  if (screen.scope === 'entity' && session.entityId === null) return new Set();
  const values = new SqlParams();
  const where = [`t.id = any(${values.bind(ids)})`, ...rowScope(session, screen, screens, 't', values)];
  const rows = await session.tenant.db.query<{ id: number }>(
    `select t.id from ${tableName(session.tenant.schema, screen.name)} t where ${where.join(' and ')}`,
    values.list,
  );
  return new Set(rows.map(({ id }) => id));
}
