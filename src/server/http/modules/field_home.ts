import type { FastifyInstance } from 'fastify';
import { compileExpression } from '../../../descriptor/expression/compile_expression.ts';
import { Exact } from '../../../descriptor/exact.ts';
import type { Screen } from '../../../descriptor/types.ts';
import { homeMeasure } from '../../../domain/fms/home_measures.ts';
import type { FieldHome, HomeMeasure, HomeTile } from '../../../domain/fms/home_measures.ts';
import type { Session } from '../../access/context.ts';
import { authorize } from '../../access/rights/authorize.ts';
import { companyOf } from '../../access/rights/scope.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { parseListQuery } from '../../engine/records/list_query.ts';
import { PHONE_MENU, TEAM, TILES, inTeam, phoneMenuOf, tilesOf } from '../../platform/home/field_tiles.ts';
import { dayIn, placeOf } from '../../services/clock/client_day.ts';

export interface FieldHomeRouteDeps {
  screens: (session: Session) => Map<string, Screen>;
  ensure(tenant: Tenant, types: string[]): Promise<unknown>;
  engine: Engine;
}

/** The home page of field service: the tiles of one's roles with their figures, and the entries of the phone's menu. */
export async function fieldHomeRoutes(
  app: FastifyInstance,
  { screens, ensure, engine }: FieldHomeRouteDeps,
): Promise<void> {
  for (const prefix of ['/tapi', '/api']) {
    app.get(`${prefix}/fms/home`, async (request): Promise<{ data: FieldHome }> => {
      const session = request.session as LiveSession;
      const all = screens(session);
      const tiles = all.get(TILES);
      if (!tiles || session.tenant.schema === 'public') throw notFound();
      companyOf(session);
      authorize(
        session,
        { ...tiles, access: { ...tiles.access, screens: ['SCN_FMS_HOME'], modules: ['FMS'] } },
        'landing',
      );
      await ensure(session.tenant, [TILES, PHONE_MENU, TEAM]);
      const rows = await tilesOf(session);
      const today = dayIn(placeOf(session).timezone);
      const shown: HomeTile[] = [];
      for (const row of rows) {
        const measure = homeMeasure(row.measure, today, new Date().toISOString());
        const value = measure && (await figure(session, all, measure));
        if (value === null) continue;
        shown.push({
          code: row.code,
          title: row.title,
          icon: row.icon,
          value,
          isAmount: measure?.sum !== undefined,
          tone: holds(row.alarm_when, value) ? 'danger' : holds(row.warn_when, value) ? 'warning' : null,
          target: row.target_route,
          show_on: row.show_on ?? 'both',
        });
      }
      return { data: { tiles: shown, menu: await phoneMenuOf(session), inTeam: await inTeam(session, today) } };
    });
  }

  /** The part of a measure that a person may see; null = none. */
  async function figure(
    session: LiveSession,
    all: ReadonlyMap<string, Screen>,
    { type, filter, sum, average }: HomeMeasure,
  ): Promise<string | null> {
    const screen = all.get(type);
    if (!screen || session.rights.refuse(screen, 'landing') !== null) return null;
    try {
      await ensure(session.tenant, [type]);
      const query = parseListQuery({ filter: JSON.stringify(filter), count: 'none' }, screen);
      const added = sum ?? average;
      if (added === undefined) return String((await engine.count(session, screen, query)).count);
      const field = (name: string) => screen.fields.find((one) => one.name === name);
      const [by, amount] = [field('status'), field(added)];
      if (!by || !amount) return null;
      const { groups } = await engine.groups(session, screen, query, { by, sums: [amount] });
      const total = groups.reduce((all, { sums }) => all.plus(sums[added] ?? 0), new Exact(0));
      if (average === undefined) return total.toFixed(2);
      const count = groups.reduce((all, one) => all + one.count, 0);
      return count === 0 ? null : total.dividedBy(count).toFixed(1);
    } catch (error) {
      // If the client hides a field, or the type has other fields, the tile is empty.
      if (error instanceof AppError && error.status < 500) return null;
      throw error;
    }
  }
}

/** Whether a condition on `value` is true; an invalid one is not. */
function holds(condition: string | null, value: string): boolean {
  if (condition === null || condition.trim() === '') return false;
  try {
    return compileExpression(condition).evaluate({ value: new Exact(value) }) === true;
  } catch {
    return false;
  }
}
