import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { tableName } from '../../db/names.ts';
import { detailExpression, labelExpression } from '../../db/columns.ts';
import { rowScope } from '../../access/rights/scope.ts';
import { Values, escapeLike, named } from '../../db/sql_text.ts';
import { existingTables } from '../../db/existing_tables.ts';

export interface Found {
  type: string;
  title: string;
  id: number;
  label: string;
  detail: string | null;
  route: string;
}

const OF_EACH = 5;
/** Types looked through in one search: the statement stays short enough to plan quickly. */
const MAX_TYPES = 60;

/** Records whose name or number holds the text, over all types that the session may list, in one statement. */
export async function searchRecords(session: Session, screens: Map<string, Screen>, q: string): Promise<Found[]> {
  const text = q.trim().toLowerCase();
  if (text.length < 2) return [];
  const { schema, db } = session.tenant;
  const existing = await existingTables(db, schema);
  const values = new Values();
  const [contains, starts] = [values.bind(`%${escapeLike(text)}%`), values.bind(`${escapeLike(text)}%`)];
  const types = [...screens.values()].filter(
    (screen) =>
      screen.kind !== 'settings' &&
      screen.kind !== 'view' &&
      existing.has(screen.name) &&
      session.rights.refuse(screen, 'landing') === null &&
      (screen.scope !== 'entity' || session.entityId !== null),
  );
  const parts = types.slice(0, MAX_TYPES).map((screen) => {
    const label = labelExpression(screen, 't');
    const detail = detailExpression(screen, 't');
    const match = [label, detail]
      .filter((one) => one !== null)
      .map((one) => `lower(${one}) like ${contains}`)
      .join(' or ');
    const where = ['t.active', ...rowScope(session, screen, screens, 't', values), `(${match})`];
    return `(select '${screen.name}' as type, t.id, ${label} as label, ${detail ?? 'null::text'} as detail, case when lower(${label}) like ${starts} then 0 else 1 end as rank
      from ${tableName(schema, screen.name)} t where ${where.join(' and ')} order by rank, lower(${label}) limit ${OF_EACH})`;
  });
  if (parts.length === 0) return [];
  const rows = await db.query<{ type: string; id: number; label: string; detail: string | null }>(
    named(`${parts.join(' union all ')} order by rank, label limit 30`, values.list),
  );
  return rows.map((row) => {
    const screen = screens.get(row.type)!;
    const page = session.rights.refuse(screen, 'view_screen') === null ? screen.routes.view : screen.routes.edit;
    const route = page ?? screen.routes.landing;
    return {
      ...row,
      title: screen.title,
      route: page === null || page.includes(':id') ? route.replace(':id', String(row.id)) : `${route}?id=${row.id}`,
      rank: undefined,
    };
  });
}
