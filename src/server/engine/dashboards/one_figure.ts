import { dashboardPage, mayOpen } from '../../access/rights/pages.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import type { Dashboard, NamedFigure } from '../../../domain/dashboard.ts';
import { COMPANY_FILTER } from '../../../domain/dashboard.ts';
import { AppError } from '../../db/errors.ts';
import { figureWords } from './figure_words.ts';
import type { DashboardDeps } from './run_dashboard.ts';
import { runDashboard } from './run_dashboard.ts';

/**
 * Looks at one tile as the person would now. @returns null where the person has no such tile, or where it says nothing in
 * words. Filters are those of the page's address; those that the dashboard does not know any more are left out.
 */
export async function oneFigure(
  deps: DashboardDeps & { dashboards: () => ReadonlyMap<string, Dashboard> },
  session: LiveSession,
  { dashboard: name, tile, filters }: { dashboard: string; tile: string; filters: string },
): Promise<NamedFigure | null> {
  const dashboard = deps.dashboards().get(name);
  const found = dashboard?.tiles.find((one) => one.name === tile);
  if (!dashboard || !found || !mayOpen(session, dashboardPage(dashboard))) return null;
  const known = new Set([
    ...dashboard.filters.map((field) => field.name),
    ...(dashboard.companies === undefined ? [] : [COMPANY_FILTER]),
  ]);
  const chosen = Object.fromEntries([...new URLSearchParams(filters)].filter(([key]) => known.has(key)));
  const answer = await runDashboard(deps, session, dashboard, { filters: chosen, tiles: [tile] }).catch(
    (error: unknown) => {
      // What the page was of, the person may not see.
      if (error instanceof AppError && error.status === 403) return null;
      throw error;
    },
  );
  const value = answer?.tiles[0] && figureWords(answer.tiles[0]);
  return value ? { title: `${dashboard.title}: ${found.title}`, value } : null;
}
