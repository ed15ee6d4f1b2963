import { isFigure } from '../../../descriptor/dashboard_kinds.ts';
import type { Dashboard, TileAnswer } from '../../../domain/dashboard.ts';
import type { HomeAnswer } from '../../../domain/home.ts';
import { dashboardPage, mayOpen } from '../../access/rights/pages.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import type { DashboardDeps } from '../../engine/dashboards/run_dashboard.ts';
import { ownTiles, runDashboard } from '../../engine/dashboards/run_dashboard.ts';
import { tableName } from '../../db/names.ts';
import { ownNotifications } from '../../services/notifications/own_notifications.ts';
import { MEDIA_TYPES, announcements } from '../media/media_feed.ts';
import type { ZoneDeps } from '../menu/my_zone.ts';
import { ownZone } from '../menu/my_zone.ts';
import type { WaitingDeps } from './waiting.ts';
import { waitingFor } from './waiting.ts';

export type HomeDeps = DashboardDeps &
  Omit<WaitingDeps, 'screens'> &
  ZoneDeps & {
    dashboards: () => ReadonlyMap<string, Dashboard>;
  };

const NOTICES = 5;
/** Figures stand in one row of a wide page. */
const FIGURES = 6;
/** So many dashboards without a figure are passed over: each costs the page its queries. */
const MAX_TRIED = 3;

/** The content of a person's page, its parts loaded in parallel. */
export async function homeOf(deps: HomeDeps, session: LiveSession): Promise<HomeAnswer> {
  const [waiting, zone, notices, news, figures, tiles] = await Promise.all([
    waitingFor(deps, session),
    ownZone(deps, session),
    noticesOf(session),
    announced(deps, session),
    figuresOf(deps, session),
    tilesOf(deps, session),
  ]);
  return { ...waiting, zone, notices, announcements: news, figures, tiles };
}

/** The tiles on this page, from the dashboards that the person may open. */
async function tilesOf(deps: HomeDeps, session: LiveSession): Promise<HomeAnswer['tiles']> {
  if (session.entityId === null) return [];
  const open = [...deps.dashboards().values()].filter(
    (dashboard) => dashboard.tiles.some(({ home }) => home) && mayOpen(session, dashboardPage(dashboard)),
  );
  const found = await Promise.all(
    open.map(async (dashboard) =>
      (await ownTiles(deps, session, dashboard))
        .filter(({ home }) => home)
        .map((tile) => ({ dashboard: dashboard.name, filters: dashboard.filters.map(({ name }) => name), tile })),
    ),
  );
  return found.flat();
}

async function noticesOf(session: LiveSession): Promise<HomeAnswer['notices']> {
  const query = { after: null, before: null, unreadAlone: true, max: NOTICES };
  const { rows, unread } = await ownNotifications(session, query);
  return {
    unread,
    items: rows.map(({ id, title, link, created_at }) => ({ id, title, link, created_at })),
  };
}

async function announced(deps: HomeDeps, session: LiveSession): Promise<HomeAnswer['announcements']> {
  if (session.tenant.schema === 'public' || session.entityId === null || !deps.screens(session).has(MEDIA_TYPES[0]!))
    return [];
  await deps.ensure(session.tenant, MEDIA_TYPES);
  const items = await announcements(session, session.entityId);
  return items.map(({ id, title, must_acknowledge: must, acknowledged }) => ({
    id,
    title,
    to_read: must && !acknowledged,
  }));
}

/**
 * The figures of the dashboard that the person's role names, or else of the one with the most tiles for this person;
 * one with nothing to say yet comes after others.
 */
async function figuresOf(deps: HomeDeps, session: LiveSession): Promise<HomeAnswer['figures']> {
  if (session.entityId === null) return null;
  const open = [...deps.dashboards().values()].filter((dashboard) => mayOpen(session, dashboardPage(dashboard)));
  const [named, ...shown] = await Promise.all([
    dashboardOfRole(session),
    ...open.map(async (dashboard) => ({
      dashboard,
      figures: (await ownTiles(deps, session, dashboard)).filter(({ kind, home }) => kind === 'figure' && !home),
    })),
  ]);
  const most = shown
    .filter(({ figures }) => figures.length > 0)
    .sort((one, other) => other.figures.length - one.figures.length);
  let empty: HomeAnswer['figures'] = null;
  const chosen = most.filter(({ dashboard }) => dashboard.name === named);
  for (const { dashboard, figures } of [...chosen, ...most.slice(0, MAX_TRIED)]) {
    const tiles = figures.slice(0, FIGURES);
    const query = { filters: {}, tiles: tiles.map((tile) => tile.name) };
    const { tiles: answers } = await runDashboard(deps, session, dashboard, query);
    const { title, name, route } = dashboard;
    // Zeros are facts; a figure that cannot be computed yet is only a dash.
    const said = answers.filter((answer) => answer.problem !== undefined || valuesOf(answer).length > 0);
    const names = new Set(said.map((answer) => answer.name));
    const found = { title, dashboard: name, route, tiles: tiles.filter((tile) => names.has(tile.name)), answers: said };
    if (name === named || said.some(saysSomething)) return found;
    if (said.length > 0) empty ??= found;
  }
  return empty;
}

/** The dashboard that the first of the person's roles names for Home, if any does. */
async function dashboardOfRole({ tenant: { db, schema }, roleIds }: LiveSession): Promise<string | null> {
  const [row] = await db.query<{ name: string }>(
    `select home_dashboard as name from ${tableName(schema, 'role')} where id = any($1::bigint[]) and home_dashboard is not null
     order by array_position($1::bigint[], id) limit 1`,
    [roleIds],
  );
  return row?.name ?? null;
}

/** The figures that the tiles show; what a figure is computed from stands behind it. */
function valuesOf({ figures }: TileAnswer): unknown[] {
  const shown = figures?.columns.find(isFigure)?.name;
  if (shown === undefined) return [];
  return figures!.rows.map((row) => row[shown]).filter((value) => value !== null && value !== undefined);
}

/** Whether a figure is neither empty nor 0. */
function saysSomething(answer: TileAnswer): boolean {
  return valuesOf(answer).some((value) => value !== '' && Number(value) !== 0);
}
