import { createHash } from 'node:crypto';
import { isFigure } from '../../../descriptor/dashboard_kinds.ts';
import type { Dashboard, DashboardAnswer, Tile, TileAnswer } from '../../../domain/dashboard.ts';
import type { FilterExpression, Screen } from '../../../descriptor/types.ts';
import type { Report } from '../../../domain/report.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { dashboardPage } from '../../access/rights/pages.ts';
import { rowScope } from '../../access/rights/scope.ts';
import { AppError } from '../../db/errors.ts';
import type { Statement } from '../../db/database.ts';
import type { Tenant } from '../../db/tenant.ts';
import { dayIn, placeOf } from '../../services/clock/client_day.ts';
import type { ReadCollections } from '../reports/read_collections.ts';
import type { RecordFigure } from '../record_figure.ts';
import type { Engine } from '../records/engine.ts';
import { parseListQuery } from '../records/list_query.ts';
import { colouringTypes } from '../reports/coloured_rows.ts';
import { groupedRecords } from '../reports/grouped_records.ts';
import { readParameters } from '../reports/parameters.ts';
import type { ReportCall } from '../reports/report_source.ts';
import { finish } from '../reports/run_report.ts';
import { readInTime } from '../reports/read_in_time.ts';
import { COMPANY_FILTER, DAY_CHOICE } from '../../../domain/dashboard.ts';
import { dayOfMonth } from '../../../domain/dashboard_span.ts';
import { arrangedTiles, arrangementFor, dependsOnChoice, narrowed } from './arranged.ts';
import type { ChosenCompany, OfCompanies } from './chosen_company.ts';
import { behindFigure, inChosenCompany } from './chosen_company.ts';
import { TILE_MS, fewAtATime, tooSlow, within } from './in_time.ts';
import { filterOfTile } from './tile_filter.ts';
import type { TileMemory } from './tile_memory.ts';
import type { SightDeps } from './tile_sight.ts';
import { maySeeTile } from './tile_sight.ts';

const TILE_LIMIT = { milliseconds: TILE_MS, tooSlow };
/** Lines of a list unless the tile says otherwise. */
const LINES = 8;

export interface DashboardDeps extends SightDeps {
  engine: Pick<Engine, 'list'>;
  recordFigures: ReadonlyMap<string, RecordFigure>;
  collections: ReadCollections;
  memory: TileMemory;
  screens: (session: LiveSession) => Map<string, Screen>;
  ensure(tenant: Tenant, types: string[]): Promise<unknown>;
  log: { error(fields: object, message: string): void };
}

/** What was asked: filters as they stand in the address, and which tiles; null = all. */
export interface DashboardQuery {
  filters: Record<string, string | undefined>;
  tiles: readonly string[] | null;
}

/** One call of one reader. */
interface Asked {
  /** Who asked, in the current company. */
  reader: LiveSession;
  company: ChosenCompany;
  /** Reads the figures. */
  session: LiveSession;
  dashboard: Dashboard;
  own: Map<string, Screen>;
  chosen: Record<string, unknown>;
  today: string;
  fyStartMonth: number;
}

/** A dashboard with the companies of which it shows figures. */
export const ofCompanies = (dashboard: Dashboard): OfCompanies => ({
  page: dashboardPage(dashboard),
  companies: dashboard.companies,
});

/**
 * The tiles that are the reader's, without those that rights keep from them; all of them where their layout depends on what
 * the reader chooses.
 */
export async function ownTiles(deps: DashboardDeps, session: LiveSession, dashboard: Dashboard): Promise<Tile[]> {
  const seen = await seenTiles(deps, [session], dashboard);
  const arranged = await arrangement(deps, session, dashboard, {});
  return (await dependsOnChoice(session, dashboard)) ? seen : arrangedTiles(seen, arranged);
}

/** The tiles that the reader may see in each of the companies, in the order of the descriptor. */
async function seenTiles(deps: DashboardDeps, each: LiveSession[], { tiles }: Dashboard): Promise<Tile[]> {
  let seen = tiles;
  for (const session of each) {
    const own = deps.screens(session);
    const isSeen = await Promise.all(seen.map((tile) => maySeeTile(session, tile, own, deps)));
    seen = seen.filter((_, at) => isSeen[at]);
  }
  return seen;
}

async function arrangement(
  deps: DashboardDeps,
  session: LiveSession,
  dashboard: Dashboard,
  chosen: Readonly<Record<string, unknown>>,
) {
  if (dashboard.arranged === undefined) return null;
  await deps.ensure(session.tenant, [dashboard.arranged]);
  return arrangementFor(session, dashboard, chosen);
}

/** What a dashboard shows this reader; a tile that fails says so, and the others stand. @throws AppError 422 naming a filter */
export async function runDashboard(
  deps: DashboardDeps,
  reader: LiveSession,
  dashboard: Dashboard,
  query: DashboardQuery,
): Promise<DashboardAnswer> {
  const { [COMPANY_FILTER]: asking, ...others } = query.filters;
  const company = await inChosenCompany(reader, ofCompanies(dashboard), asking);
  const { title, name, folder, access, route, menu, filters } = dashboard;
  const read = readParameters(
    { title, name, folder, access, route, menu, parameters: filters, ...EMPTY },
    dashboard.companies === undefined ? query.filters : others,
  );
  const place = placeOf(company.session);
  const first: Asked = {
    reader,
    company,
    session: company.session,
    dashboard,
    own: deps.screens(company.session),
    chosen: read,
    today: dayIn(place.timezone),
    fyStartMonth: place.fyStartMonth,
  };
  const chosen = await begun(deps, first);
  const arranged = await arrangement(deps, company.session, dashboard, chosen);
  const session = narrowed(company.session, arranged);
  const own = deps.screens(session);
  const asked: Asked = { ...first, session, own, chosen };
  const day = earlierDay(asked);
  const tiles = arrangedTiles(await seenTiles(deps, company.each, dashboard), arranged).filter((tile) =>
    query.tiles === null ? !tile.home : query.tiles.includes(tile.name),
  );
  await deps.ensure(
    session.tenant,
    [...new Set(tiles.flatMap((tile) => typesOf(tile, deps)))].filter((type) => own.has(type)),
  );
  const answers = await fewAtATime(tiles, (tile) => answerOf(deps, asked, tile));
  return {
    filters: { ...(company.value !== null && { [COMPANY_FILTER]: company.value }), ...chosen },
    tiles: answers.filter((answer) => answer !== null),
    at: new Date().toISOString(),
    ...(day !== null && { day }),
  };
}

/** The choices, with those that the dashboard's function makes where the reader left them open. @throws AppError 403 for one of another reader */
async function begun({ sources, ensure }: DashboardDeps, asked: Asked): Promise<Record<string, unknown>> {
  const { dashboard, session, own, chosen } = asked;
  if (!dashboard.begins) return chosen;
  const { source: name, args = {} } = dashboard.begins;
  const source = sources.get(name);
  if (!source) throw new Error(`No function ${name} chooses what ${dashboard.name} shows.`);
  await ensure(
    session.tenant,
    Object.keys(source.reads).filter((type) => own.has(type)),
  );
  const [row = {}] = (await source.rows({ ...callOf(asked, chosen), args })).rows;
  return Object.fromEntries(Object.entries(chosen).map(([filter, value]) => [filter, value ?? row[filter] ?? null]));
}

/** What a dashboard has not of a report. */
const EMPTY = { source: null, from: null, columns: [], totals: [] } satisfies Partial<Report>;

/** The types whose tables a tile reads. */
function typesOf({ report, list, source }: Tile, { sources }: SightDeps): string[] {
  if (list) return [list.type];
  if (report?.from)
    return [
      report.from.type,
      ...report.columns.flatMap(({ ref }) => ref?.type ?? []),
      ...colouringTypes(report.columns),
    ];
  const { reads = {}, counts = [] } = sources.get(source ?? '') ?? {};
  return [...Object.keys(reads), ...counts];
}

async function answerOf(deps: DashboardDeps, asked: Asked, tile: Tile): Promise<TileAnswer | null> {
  try {
    const made = tile.list
      ? listed(deps, asked, tile, tile.list)
      : tile.report!.from
        ? counted(deps, asked, tile, tile.report!)
        : given(deps, asked, tile, tile.report!);
    return {
      name: tile.name,
      ...(await within(TILE_MS, made)),
      ...addressOf(asked, tile),
      ...(tile.now && earlierDay(asked) !== null && { now: true }),
      ...(asked.dashboard.arrangedFor?.length && { wide: tile.wide === true }),
    };
  } catch (error) {
    // What the reader may not see is not there.
    if (error instanceof AppError && error.status === 403) return null;
    if (error instanceof AppError) return { name: tile.name, problem: error.message };
    deps.log.error({ err: error, dashboard: asked.dashboard.name, tile: tile.name }, 'A tile could not be computed.');
    return { name: tile.name, problem: 'These figures could not be computed. Try again in a moment.' };
  }
}

/** The last day of the earlier month that the reader chose; null = the page is as of today. */
function earlierDay({ dashboard, chosen, today }: Asked): string | null {
  const month = dashboard.filters.find(({ type }) => type === 'month');
  const day = month ? dayOfMonth((chosen[month.name] ?? null) as string | null, today) : today;
  return day < today ? day : null;
}

/** The address of `opens` with the choices of the page; empty choices are left out. */
function addressOf(asked: Asked, { opens }: Tile): Pick<TileAnswer, 'leads'> {
  const { company, chosen } = asked;
  if (!opens?.includes('{')) return {};
  const [path, query = ''] = opens.split('?') as [string, string?];
  const made: Record<string, unknown> = {
    ...chosen,
    [COMPANY_FILTER]: company.value,
    [DAY_CHOICE]: earlierDay(asked),
  };
  const parts = query.split('&').flatMap((part) => {
    const name = /\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined) return [part];
    const value = made[name] ?? null;
    return value === null ? [] : [part.replace(`{${name}}`, encodeURIComponent(String(value as string | number)))];
  });
  return { leads: parts.length === 0 ? path : `${path}?${parts.join('&')}` };
}

function callOf({ session, own, today }: Asked, parameters: Record<string, unknown>): ReportCall {
  return {
    session,
    screens: own,
    parameters,
    today,
    by: [],
    within: {},
    scoped: (type, alias, values) => rowScope(session, own.get(type)!, own, alias, values),
  };
}

/** What was chosen of a view, and as it stands in an address. */
function choiceOf({ chosen }: Asked, { choice }: Tile): Record<string, unknown> {
  return Object.fromEntries(choice.flatMap((name) => (chosen[name] === null ? [] : [[name, chosen[name]]])));
}

const texts = (choice: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(choice).map(([name, value]) => [name, String(value as string | number | boolean)]));

/** Records in groups. What is kept is kept by the statement: it holds the filters, the company, the rows and the fields in sight. */
async function counted(
  { memory }: DashboardDeps,
  asked: Asked,
  tile: Tile,
  report: Report,
): Promise<Omit<TileAnswer, 'name'>> {
  const { session } = asked;
  const { filter, earlier } = filterOfTile(tile, report.from!.filter, asked.chosen, asked);
  const choice = choiceOf(asked, tile);
  const { tenant } = session;
  const run = (statement: Statement) => {
    const key = keyOf(tenant, statement.text, statement.values);
    return memory.once(key, { schema: tenant.schema, types: tile.refresh }, () =>
      readInTime(session, TILE_LIMIT, ({ tenant: { db } }) => db.query<Record<string, unknown>>(statement)),
    );
  };
  const figures = async (narrowed: FilterExpression | null) => {
    const { filter: _own, ...from } = report.from!;
    const of: Report = { ...report, from: { ...from, ...(narrowed && { filter: narrowed }) } };
    return finish(of, of.columns, await groupedRecords(of, { ...callOf(asked, choice), run }));
  };
  const [now, before] = await Promise.all([figures(filter), earlier && figures(earlier.filter)]);
  const { columns, rows, totals, more } = now;
  const measure = columns.find(isFigure)!.name;
  return {
    figures: { columns, rows, totals, more, figures: [] },
    ...(before && { earlier: { value: before.rows[0]?.[measure] ?? null, days: earlier!.days } }),
    ...behindOf(asked, report.from!.type, filter, choice),
  };
}

/** What the list behind a tile shows; nothing where it would show other companies. */
function behindOf(
  { reader, company, own }: Asked,
  type: string,
  filter: FilterExpression | null,
  choice: Record<string, unknown>,
): Pick<TileAnswer, 'behind'> {
  const found = behindFigure(reader, company, own.get(type)!, filter);
  return found ? { behind: { ...found, choice: texts(choice) } } : {};
}

/** Lines of a type's list. */
async function listed(
  { engine, memory }: DashboardDeps,
  asked: Asked,
  tile: Tile,
  { type, columns, filter: written, sort, size = LINES }: NonNullable<Tile['list']>,
): Promise<Omit<TileAnswer, 'name'>> {
  // The reader's words are looked for when there are some.
  if (tile.kind === 'search') return { list: { columns: [], rows: [], count: null, capped: false } };
  const { own, chosen } = asked;
  const screen = own.get(type)!;
  const { filter } = filterOfTile(tile, written, chosen, asked);
  const choice = choiceOf(asked, tile);
  const shown = columns.flatMap((name) => screen.fields.find((field) => field.name === name && !field.masked) ?? []);
  const query = parseListQuery(
    {
      ...(filter && { filter: JSON.stringify(filter) }),
      ...(sort && { sort: sort.join(',') }),
      ...Object.fromEntries(Object.entries(texts(choice)).map(([name, value]) => [`p.${name}`, value])),
      size: String(size),
      ...(shown.length > 0 && { columns: shown.map(({ name }) => name).join(',') }),
    },
    screen,
  );
  const { data, pagination } = await ofAccount(memory, asked, tile, (reader) => engine.list(reader, screen, query));
  return {
    list: { columns: shown, rows: data, count: pagination.count, capped: pagination.capped === true },
    ...behindOf(asked, type, filter, choice),
  };
}

/** What a function of a module gives. */
async function given(
  { sources, memory, recordFigures, collections }: DashboardDeps,
  asked: Asked,
  tile: Tile,
  report: Report,
): Promise<Omit<TileAnswer, 'name'>> {
  const source = sources.get(tile.source!);
  if (!source) throw new Error(`No function gives the rows of ${tile.name}.`);
  const answer = await ofAccount(memory, asked, tile, (reader) =>
    source.rows({
      ...callOf({ ...asked, session: reader }, asked.chosen),
      recordFigures,
      collections,
      args: tile.args ?? {},
    }),
  );
  const { columns, rows, totals, more } = finish(report, report.columns, answer);
  return {
    figures: {
      columns,
      rows,
      totals,
      more,
      figures: answer.figures ?? [],
      ...(answer.note !== undefined && { note: answer.note }),
    },
    ...(answer.opens !== undefined && { opens: answer.opens }),
    ...(answer.widget !== undefined && { widget: answer.widget }),
  };
}

/** What is made for one account alone, kept for it with its rights as they are now. */
function ofAccount<T>(
  memory: TileMemory,
  { session, dashboard, chosen, today }: Asked,
  tile: Tile,
  make: (session: LiveSession) => Promise<T>,
): Promise<T> {
  const { tenant, userId, entityId, entityIds, rights, roleIds, branchIds, partnerId, actsFor } = session;
  const reader = [userId, entityId ?? entityIds, rights.version, roleIds, branchIds, partnerId, actsFor];
  const key = keyOf(tenant, `${dashboard.name} ${tile.name}`, [reader, today, chosen]);
  return memory.once(key, { schema: tenant.schema, types: tile.refresh }, () => readInTime(session, TILE_LIMIT, make));
}

function keyOf({ db, schema }: Tenant, text: string, values: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([db.name, schema, text, values]))
    .digest('base64url');
}
