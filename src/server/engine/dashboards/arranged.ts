import type { Dashboard, Tile } from '../../../domain/dashboard.ts';
import type { RunningPeriod } from '../../../domain/dashboard_span.ts';
import type { DataScope, Rights } from '../../access/context.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { childTable, quoted, tableName } from '../../db/names.ts';
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
  /** How many of the reader's choices it is for. */
  fits: number;
  scope: ArrangedScope | null;
  period: string | null;
  widget: string;
  width: number | null;
}

/**
 * The layout of a dashboard for this person from the records of `arranged`: the tiles of all their roles, the widest scope
 * and the first period. Records without a role apply if none of their roles has a record. Records for what the reader chose,
 * such as a unit, come before all others. Null: the shipped layout.
 */
export async function arrangementFor(
  session: LiveSession,
  { name, arranged, arrangedBy = [], arrangedFor = [] }: Dashboard,
  chosen: Readonly<Record<string, unknown>> = {},
): Promise<Arrangement | null> {
  if (arranged === undefined) return null;
  const { db, schema } = session.tenant;
  const column = (one: 'scope' | 'period') => (arrangedBy.includes(one) ? `t.${one}` : `null as ${one}`);
  const isShared = arrangedBy.includes('dashboard');
  const values: unknown[] = [session.roleIds, ...(isShared ? [name] : [])];
  const ofChoice = arrangedFor.map(({ filter, field }) => {
    values.push(chosen[filter] ?? null);
    return { is: `(t.${quoted(field)} = $${values.length}::bigint)`, none: `t.${quoted(field)} is null` };
  });
  const fits = ofChoice.map(({ is }) => `coalesce(${is}, false)::int`).join(' + ') || '0';
  const all = await db.query<Row>(
    preparedStatement(
      `select t.role_id, ${fits} as fits, ${column('scope')}, ${column('period')}, w.widget, w.width from ${tableName(schema, arranged)} t
       join ${childTable(schema, arranged, 'widgets')} w on w.parent_id = t.id
       where t.active and (t.role_id is null or t.role_id = any($1::bigint[])) ${isShared ? 'and t.dashboard = $2' : ''}
         ${ofChoice.map(({ is, none }) => `and (${none} or ${is})`).join(' ')}
       order by w.seq nulls last, t.id, w.id`,
      values,
    ),
  );
  const most = Math.max(0, ...all.map((row) => row.fits));
  const fitting = all.filter((row) => row.fits === most);
  const ofRoles = fitting.filter(({ role_id: role }) => role !== null);
  const rows = ofRoles.length > 0 ? ofRoles : fitting;
  if (rows.length === 0) return null;
  const tiles = new Map<string, number>();
  for (const { widget, width } of rows) tiles.set(widget, Math.max(tiles.get(widget) ?? 0, width ?? 1));
  const scope = rows.reduce<ArrangedScope | null>(
    (widest, row) => (row.scope === null || widest === null ? null : wider(widest, row.scope)),
    'own',
  );
  return { tiles, scope, period: PERIODS[rows[0]!.period ?? ''] ?? null };
}

/** Whether a record arranges the dashboard for some choice of the reader: its tiles are known once that is made. */
export async function dependsOnChoice(
  { tenant: { db, schema } }: LiveSession,
  { name, arranged, arrangedBy = [], arrangedFor = [] }: Dashboard,
): Promise<boolean> {
  if (arranged === undefined || arrangedFor.length === 0) return false;
  const isShared = arrangedBy.includes('dashboard');
  const [found] = await db.query<{ depends: boolean }>(
    preparedStatement(
      `select exists (select 1 from ${tableName(schema, arranged)} t where t.active and (${arrangedFor
        .map(({ field }) => `t.${quoted(field)} is not null`)
        .join(' or ')}) ${isShared ? 'and t.dashboard = $1' : ''}) as depends`,
      isShared ? [name] : [],
    ),
  );
  return found!.depends;
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
