import type { Dashboard, Tile } from '../../../domain/dashboard.ts';
import type { RunningPeriod } from '../../../domain/dashboard_span.ts';
import type { DataScope, Rights } from '../../access/context.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { childTable, tableName } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';

/** A row scope, or only the groups that the reader leads. */
type ArrangedScope = DataScope | typeof GROUP;
const GROUP = 'groups';

/** How the roles of somebody have a dashboard. */
export interface Arrangement {
  /** Names of tiles in their order, and how many of the four columns each takes. */
  tiles: Map<string, number>;
  /** Null: as the reader's rights are. */
  scope: ArrangedScope | null;
  period: RunningPeriod | null;
}

const SCOPES: readonly ArrangedScope[] = ['own', 'team', GROUP, 'branch', 'company', 'all_companies'];
const PERIODS: Readonly<Record<string, RunningPeriod>> = {
  today: 'day',
  week: 'week',
  month: 'month',
  quarter: 'quarter',
  fy: 'fy',
};

interface Row {
  role_id: number | null;
  scope: ArrangedScope | null;
  period: string | null;
  widget: string;
  width: number | null;
}

/**
 * The layout of a dashboard for this person from the records of `arranged`: the tiles of all their roles, the widest scope
 * and the first period. Records without a role apply if none of their roles has a record. Null: the shipped layout.
 */
export async function arrangementFor(
  session: LiveSession,
  { name, arranged, arrangedBy = [] }: Dashboard,
): Promise<Arrangement | null> {
  if (arranged === undefined) return null;
  const { db, schema } = session.tenant;
  const column = (one: 'scope' | 'period') => (arrangedBy.includes(one) ? `t.${one}` : `null as ${one}`);
  const isShared = arrangedBy.includes('dashboard');
  const all = await db.query<Row>(
    preparedStatement(
      `select t.role_id, ${column('scope')}, ${column('period')}, w.widget, w.width from ${tableName(schema, arranged)} t
       join ${childTable(schema, arranged, 'widgets')} w on w.parent_id = t.id
       where t.active and (t.role_id is null or t.role_id = any($1::bigint[])) ${isShared ? 'and t.dashboard = $2' : ''}
       order by w.seq nulls last, t.id, w.id`,
      [session.roleIds, ...(isShared ? [name] : [])],
    ),
  );
  const ofRoles = all.filter(({ role_id: role }) => role !== null);
  const rows = ofRoles.length > 0 ? ofRoles : all;
  if (rows.length === 0) return null;
  const tiles = new Map<string, number>();
  for (const { widget, width } of rows) tiles.set(widget, Math.max(tiles.get(widget) ?? 0, width ?? 1));
  const scope = rows.reduce<ArrangedScope | null>(
    (widest, row) => (row.scope === null || widest === null ? null : wider(widest, row.scope)),
    'own',
  );
  return { tiles, scope, period: PERIODS[rows[0]!.period ?? ''] ?? null };
}

const wider = <A extends ArrangedScope, B extends ArrangedScope>(a: A, b: B): A | B =>
  SCOPES.indexOf(a) >= SCOPES.indexOf(b) ? a : b;

/** The tiles in the order of the roles, over their period and as wide as they say. */
export function arrangedTiles(tiles: readonly Tile[], arrangement: Arrangement | null): Tile[] {
  if (!arrangement) return [...tiles];
  const { period } = arrangement;
  return [...arrangement.tiles].flatMap(([name, width]): Tile[] => {
    const tile = tiles.find((one) => one.name === name);
    if (!tile) return [];
    const span = tile.span && 'this' in tile.span && period !== null ? { ...tile.span, this: period } : tile.span;
    return [{ ...tile, span, wide: width > 2 }];
  });
}

/** The session with rows no wider than the roles have the dashboard; rights never become wider. */
export function narrowed(session: LiveSession, arrangement: Arrangement | null): LiveSession {
  const scope = arrangement?.scope ?? null;
  if (scope === null) return session;
  const { rights } = session;
  const atMost =
    (limit: DataScope): Rights['dataScope'] =>
    (screen) => {
      const own = rights.dataScope(screen);
      return wider(own, limit) === own ? limit : own;
    };
  if (scope !== GROUP) return { ...session, rights: { ...rights, dataScope: atMost(scope) } };
  // Types without groups show the next narrower rows.
  const withoutGroups = atMost('team');
  return {
    ...session,
    rights: {
      ...rights,
      groupsOnly: true,
      dataScope: (screen) => (screen.scopes?.group ? rights.dataScope(screen) : withoutGroups(screen)),
    },
  };
}
