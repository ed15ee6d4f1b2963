import type { FastifyInstance } from 'fastify';
import { compileExpression } from '../../../descriptor/expression/compile_expression.ts';
import { Exact } from '../../../descriptor/exact.ts';
import type { FilterExpression, Screen } from '../../../descriptor/types.ts';
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
import type { SetUpTile } from '../../platform/home/field_tiles.ts';
import { dayIn, placeOf } from '../../services/clock/client_day.ts';

export interface FieldHomeRouteDeps {
  screens: (session: Session) => Map<string, Screen>;
  ensure(tenant: Tenant, types: string[]): Promise<unknown>;
  engine: Engine;
  /** The types as the product has them, before a client or a role hides fields. */
  product: () => ReadonlyMap<string, Screen>;
}

/** The home page of field service: the tiles of one's roles with their figures, and the entries of the phone's menu. */
export async function fieldHomeRoutes(
  app: FastifyInstance,
  { screens, ensure, engine, product }: FieldHomeRouteDeps,
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
        const drawn = await tile(session, all, row, measure).catch((error: unknown) => {
          request.log.error({ err: error, tile: row.code, measure: row.measure }, 'A tile could not be computed.');
          const problem = error instanceof AppError ? error.message : 'This figure could not be computed.';
          return { value: null, tone: null, problem };
        });
        if (drawn === null) continue;
        shown.push({
          code: row.code,
          title: row.title,
          icon: row.icon,
          ...drawn,
          isAmount: measure?.sum !== undefined,
          target: row.target_route,
          show_on: row.show_on ?? 'both',
        });
      }
      return { data: { tiles: shown, menu: await phoneMenuOf(session), inTeam: await inTeam(session, today) } };
    });
  }

  /** The figure of a tile and its colour; null = the reader has none. */
  async function tile(
    session: LiveSession,
    all: ReadonlyMap<string, Screen>,
    row: SetUpTile,
    measure: HomeMeasure | null,
  ): Promise<Pick<HomeTile, 'value' | 'tone'> | null> {
    const value = await figure(session, all, measure);
    if (value === null) return null;
    return { value, tone: holds(row.alarm_when, value) ? 'danger' : holds(row.warn_when, value) ? 'warning' : null };
  }

  /** The part of a measure that a person may see; null = none. @throws AppError if the measure does not fit its type. */
  async function figure(
    session: LiveSession,
    all: ReadonlyMap<string, Screen>,
    measure: HomeMeasure | null,
  ): Promise<string | null> {
    if (measure === null) throw new AppError(422, 'invalid', 'The measure of this tile is not known. Choose another.');
    const { type, filter, sum, average } = measure;
    const screen = all.get(type);
    if (!screen || session.rights.refuse(screen, 'landing') !== null) return null;
    const added = sum ?? average;
    // Without a field that is kept from the reader there is no figure; one that no record has is a mistake.
    const names = [...fieldsOf(filter), ...(added === undefined ? [] : ['status', added])];
    const has = (fields: Screen['fields'], name: string) => fields.some((one) => one.name === name && !one.masked);
    const shipped = product().get(type)?.fields ?? [];
    if (names.some((name) => has(shipped, name) && !has(screen.fields, name))) return null;
    await ensure(session.tenant, [type]);
    const query = parseListQuery({ filter: JSON.stringify(filter), count: 'none' }, screen);
    if (added === undefined) return String((await engine.count(session, screen, query)).count);
    const field = (name: string) => {
      const found = screen.fields.find((one) => one.name === name);
      if (!found) throw new AppError(422, 'invalid', `There is no field "${name}" to add up.`);
      return found;
    };
    const { groups } = await engine.groups(session, screen, query, { by: field('status'), sums: [field(added)] });
    const total = groups.reduce((all, { sums }) => all.plus(sums[added] ?? 0), new Exact(0));
    if (average === undefined) return total.toFixed(2);
    const count = groups.reduce((all, one) => all + one.count, 0);
    return count === 0 ? null : total.dividedBy(count).toFixed(1);
  }
}

/** The fields that a filter names. */
function fieldsOf(filter: FilterExpression): string[] {
  const [name, ...rest] = filter as [string, ...unknown[]];
  return name === 'and' || name === 'or' || name === 'not'
    ? rest.flatMap((one) => fieldsOf(one as FilterExpression))
    : [name];
}

/** Whether a condition on `value` is true. */
function holds(condition: string | null, value: string): boolean {
  if (condition === null || condition.trim() === '') return false;
  return compileExpression(condition).evaluate({ value: new Exact(value) }) === true;
}
