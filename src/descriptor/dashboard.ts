import type { Dashboard, DashboardDescriptor, Narrowing, Tile, TileFrom, WrittenTile } from '../domain/dashboard.ts';
import { ARRANGING, COMPANY_FILTER, DAY_CHOICE, onPageDay } from '../domain/dashboard.ts';
import type { ReportDescriptor } from '../domain/report.ts';
import type { SourceFile } from './compile.ts';
import { compileFields } from './compile_fields.ts';
import { checkTileKind } from './dashboard_kinds.ts';
import { expand } from './fields.ts';
import { checkReferences, headOf, isFiguresFile, isWellFormed } from './figures_file.ts';
import { listField } from './filter.ts';
import { checkFilter, reportOf } from './report.ts';
import { didYouMean } from './source.ts';
import type { Source } from './source.ts';
import type { Field, JsonSchema, Screen } from './types.ts';
import { checkAccess } from './words/access.ts';

/** True for a file that describes a dashboard. */
export function isDashboard(descriptor: unknown): boolean {
  return isFiguresFile('dashboard', descriptor);
}

/** A day by which conditions of days are checked. */
const ANY_DAY = '2026-03-31';

interface Context {
  file: SourceFile;
  descriptor: DashboardDescriptor;
  types: Record<string, JsonSchema>;
  screens: ReadonlyMap<string, Screen>;
  filters: Field[];
  source: Source;
}

/** Compiles a dashboard's file; null and a finding in `source` when it cannot be. `screens`: the types it may speak of. */
export function compileDashboard(
  file: SourceFile,
  descriptor: DashboardDescriptor,
  types: Record<string, JsonSchema>,
  screens: ReadonlyMap<string, Screen>,
  source: Source,
): Dashboard | null {
  if (!isWellFormed('dashboard', file, descriptor, source)) return null;
  const filters = descriptor.filters
    ? compileFields(expand(descriptor.filters, types, source, ['filters']), source, ['filters'])
    : [];
  if (descriptor.companies !== undefined && filters.some(({ name }) => name === COMPANY_FILTER))
    source.report(
      ['filters', 'properties', COMPANY_FILTER],
      `"companies" already has a filter "${COMPANY_FILTER}".`,
      'Give the filter another name.',
    );
  checkReferences(filters, screens, source, (name) => ['filters', 'properties', name]);
  const context: Context = { file, descriptor, types, screens, filters, source };
  checkAccess(descriptor.access, source);
  const tiles = descriptor.tiles.flatMap((tile, index) =>
    source.within(['tiles', index], () => compileTile(tile, context) ?? []),
  );
  tiles.forEach(({ name }, index) => {
    if (tiles.findIndex((one) => one.name === name) < index)
      source.report(['tiles', index, 'name'], `Two tiles are called "${name}".`, 'Give each its own name.');
  });
  if (tiles.length === descriptor.tiles.length) checkFilters(context, tiles);
  checkAddresses(context);
  checkArranged(context);
  checkAsks(context);
  if (descriptor.begins && filters.length === 0)
    source.report(['begins'], 'There is no filter that a function could fill in.', 'Write "filters", or leave it out.');
  return {
    ...headOf('dashboard', file, descriptor),
    filters,
    ...(descriptor.companies !== undefined && { companies: descriptor.companies }),
    ...(descriptor.arranged !== undefined && {
      arranged: descriptor.arranged,
      arrangedBy: ARRANGING.filter((name) =>
        screens.get(descriptor.arranged!)?.fields.some((field) => field.name === name),
      ),
      arrangedFor: arrangedFor(filters, screens.get(descriptor.arranged)),
    }),
    ...(descriptor.flags && { flags: descriptor.flags }),
    ...(descriptor.asks !== undefined && { asks: descriptor.asks }),
    ...(descriptor.begins && { begins: descriptor.begins }),
    ...(descriptor.otherwise !== undefined && { otherwise: descriptor.otherwise }),
    tiles,
  };
}

/** References of the arranging type that have the name of a filter, with or without `_id`. */
function arrangedFor(filters: Field[], screen: Screen | undefined): { filter: string; field: string }[] {
  return filters.flatMap(({ name, ref }) => {
    const field = screen?.fields.find(
      (one) => ref && one.ref?.type === ref.type && [name, `${name}_id`].includes(one.name),
    );
    return field && field.name !== 'role_id' ? [{ filter: name, field: field.name }] : [];
  });
}

/** The type of `arranged` has the fields that say it, and offers each tile; if it has no other dashboard, no other. */
function checkArranged({ file, descriptor, screens, source }: Context): void {
  const { arranged, tiles } = descriptor;
  if (arranged === undefined) return;
  const screen = screens.get(arranged);
  if (!screen)
    return source.report(['arranged'], `There is no record type "${arranged}".`, didYouMean(arranged, screens.keys()));
  const widget = screen.fields.find(({ name }) => name === 'widgets')?.rows?.find(({ name }) => name === 'widget');
  const has = (name: string) => screen.fields.some((one) => one.name === name);
  const missing = ['role_id', 'widgets'].filter((name) => !has(name));
  if (missing.length > 0 || !widget)
    return source.report(['arranged'], `"${arranged}" lacks ${missing.join(', ') || 'the column widget'}.`);
  const offered = new Set((widget.schema.enum ?? []) as string[]);
  for (const [index, { name }] of tiles.entries())
    if (!offered.delete(name))
      source.report(
        ['tiles', index, 'name'],
        `"${arranged}" does not offer the tile "${name}".`,
        'Add it to the values of its "widget".',
      );
  const named = screen.fields.find(({ name }) => name === 'dashboard')?.schema.enum as string[] | undefined;
  if (named?.includes(file.name) === false)
    source.report(['arranged'], `"${arranged}" does not name the dashboard "${file.name}".`);
  if (!named)
    for (const name of offered) source.report(['arranged'], `"${arranged}" offers "${name}", which is not a tile.`);
}

/** Fields by which a question knows the figure that it is about. */
const ASKED = ['dashboard', 'tile', 'filters', 'figure', 'value_then'];

/** The type of `asks` has the fields that hold the figure. */
function checkAsks({ descriptor: { asks }, screens, source }: Context): void {
  if (asks === undefined) return;
  const screen = screens.get(asks);
  if (!screen) return source.report(['asks'], `There is no record type "${asks}".`, didYouMean(asks, screens.keys()));
  const missing = ASKED.filter((name) => !screen.fields.some((one) => one.name === name));
  if (missing.length > 0) source.report(['asks'], `"${asks}" lacks ${missing.join(', ')}.`);
}

/** The choices of the page in the addresses of tiles are filters of the dashboard. */
function checkAddresses({ descriptor: { tiles, companies }, filters, source }: Context): void {
  const known = [
    ...filters.map(({ name }) => name),
    ...(companies === undefined ? [] : [COMPANY_FILTER]),
    ...(filters.some(({ type }) => type === 'month') ? [DAY_CHOICE] : []),
  ];
  for (const [index, { opens = '' }] of tiles.entries())
    for (const [, name = ''] of opens.matchAll(/\{(\w+)\}/g))
      if (!known.includes(name))
        source.report(['tiles', index, 'opens'], `There is no filter "${name}".`, didYouMean(name, known));
}

/** A filter that narrows nothing would mislead. What a function of the server makes of it, nobody here knows. */
function checkFilters({ filters, source }: Context, tiles: Tile[]): void {
  if (tiles.some((tile) => tile.source !== undefined)) return;
  const used = new Set(
    tiles.flatMap(({ narrow, choice, span, past }) => [
      ...narrow.flatMap(({ by }) => by),
      ...choice,
      ...(span?.at !== undefined ? [span.at] : []),
      ...(past ? [past.at] : []),
    ]),
  );
  for (const { name } of filters)
    if (!used.has(name))
      source.report(
        ['filters', 'properties', name],
        `No tile is narrowed by "${name}".`,
        'Name it as a field of the types is named, or write "narrow" in the "from" of a tile.',
      );
}

function compileTile(tile: WrittenTile, context: Context): Tile | null {
  const { source, screens, filters } = context;
  const { from, columns: _columns, ...rest } = tile;
  if ((from === undefined) === (tile.source === undefined)) {
    source.report(
      [],
      `The tile "${tile.name}" has either "from" or "source".`,
      'Write "from" for records of a type; "source" names a function of the server.',
    );
    return null;
  }
  for (const [index, type] of (tile.refresh ?? []).entries())
    if (!screens.has(type))
      source.report(['refresh', index], `There is no record type "${type}".`, didYouMean(type, screens.keys()));
  const screen = from && screens.get(from.type);
  if (from && !screen) {
    source.report(['from', 'type'], `There is no record type "${from.type}".`, didYouMean(from.type, screens.keys()));
    return null;
  }
  const known = source.problems.length;
  const isListed = tile.kind === 'list' || tile.kind === 'search';
  const report = isListed && from ? null : figuresOf(tile, context);
  if (!isListed && report === null) return null;
  // What could not be made into columns would be counted wrong.
  if (source.problems.length === known) checkTileKind(tile, report?.columns ?? [], source);
  const list = from && isListed ? listOf(from, screen!, source) : null;
  if (from && screen) checkSpan(tile, from, screen, context);
  if (from?.past && screen) {
    checkMonth(from.past.at, ['from', 'past', 'at'], filters, source);
    checkFilter(onPageDay(from.past.filter, ANY_DAY), ['from', 'past', 'filter'], screen, source);
  }
  if (tile.now && (from?.past || from?.span?.at !== undefined))
    source.report(['now'], `"${tile.name}" is of the chosen month.`, 'Leave "now" out.');
  return {
    ...rest,
    refresh: tile.refresh ?? (screen ? refreshOf(screen, screens) : []),
    report,
    list,
    past: from?.past ?? null,
    span: from?.span ?? null,
    narrow: from && screen ? narrowings(from, screen, filters, source) : [],
    choice: (screen?.parameters ?? []).flatMap(({ name }) => (filters.some((one) => one.name === name) ? [name] : [])),
  };
}

/** The types that a tile shows, and those of the groups that decide who sees their rows. */
function refreshOf(screen: Screen, screens: ReadonlyMap<string, Screen>): string[] {
  const read = [screen.name, ...Object.keys(screen.reads ?? {})];
  const groups = read.flatMap((type) => screens.get(type)?.scopes?.group?.in.split('.')[0] ?? []);
  return [...new Set([...read, ...groups])];
}

/** The figures of a tile as the report that they are. */
function figuresOf(tile: WrittenTile, { file, descriptor, types, screens, filters, source }: Context) {
  const { access } = descriptor;
  const base: ReportDescriptor = { $schema: descriptor.$schema, kind: 'report', title: tile.title, access };
  if (!tile.from) {
    if (tile.kind !== 'widget' && !tile.columns) {
      source.report(
        ['columns'],
        'The columns are missing.',
        'Write "columns": { "properties": { "people": { "$ref": "types#integer" } } }.',
      );
      return null;
    }
    const columns = tile.columns ?? { properties: {} };
    const report = reportOf(file, { ...base, source: tile.source!, columns }, types, screens, source);
    return report && { ...report, parameters: filters };
  }
  const { type, filter, group = [], measures = [], bands } = tile.from;
  if (measures.length === 0 && !bands) {
    source.report(['from', 'measures'], `"${tile.name}" has no figure.`, 'Write "measures".');
    return null;
  }
  // Answers of tiles are kept for all who see the same records of the type itself.
  const path = group.findIndex((one) => (typeof one === 'string' ? one : one.field).includes('.'));
  if (path >= 0) {
    source.report(['from', 'group', path], 'A tile has groups of its own fields only.', 'Make a report of it.');
    return null;
  }
  const written = {
    ...base,
    from: { type, group, measures, ...(filter && { filter }), ...(bands && { bands }) },
  };
  return reportOf(file, written, types, screens, source);
}

function listOf(from: TileFrom, screen: Screen, source: Source): Tile['list'] {
  const { type, filter, columns = screen.card.length > 0 ? screen.card : screen.label, sort, size } = from;
  checkFilter(filter, ['from', 'filter'], screen, source);
  const known = (name: string, word: 'columns' | 'sort', index: number) => {
    if (!screen.fields.some((field) => field.name === name && !field.secret))
      source.report(
        ['from', word, index],
        `${screen.title} has no field "${name}".`,
        didYouMean(
          name,
          screen.fields.map((field) => field.name),
        ),
      );
  };
  columns.forEach((name, index) => known(name, 'columns', index));
  sort?.forEach((name, index) => known(name.replace(/^-/, ''), 'sort', index));
  return { type, columns, ...(filter && { filter }), ...(sort && { sort }), ...(size && { size }) };
}

/** The filter by which a tile knows its day is one with a month. */
function checkMonth(at: string, path: (string | number)[], filters: Field[], source: Source): void {
  if (filters.some(({ name, type }) => name === at && type === 'month')) return;
  source.report(
    path,
    `There is no filter "${at}" with a month.`,
    'Name a filter of the dashboard with "$ref": "types#month".',
  );
}

const isDated = ({ type }: Field) => type === 'date' || type === 'datetime';

function checkSpan(tile: WrittenTile, { span }: TileFrom, screen: Screen, { filters, source }: Context): void {
  if (tile.compare !== undefined && (!span || tile.kind !== 'figure'))
    source.report(
      ['compare'],
      'Only a figure of certain days is compared.',
      'Write "span" in "from", or leave "compare" out.',
    );
  if (!span) return;
  if (span.at !== undefined) checkMonth(span.at, ['from', 'span', 'at'], filters, source);
  const field = listField(screen, span.of);
  if (!field || !isDated(field))
    source.report(
      ['from', 'span', 'of'],
      `${screen.title} has no date "${span.of}".`,
      didYouMean(
        span.of,
        screen.fields.filter(isDated).map(({ name }) => name),
      ),
    );
}

/** What filters of the dashboard narrow: fields of their name, and those that "narrow" says. */
function narrowings(from: TileFrom, screen: Screen, filters: Field[], source: Source): Narrowing[] {
  const named = from.narrow ?? {};
  const has = (name: string) => filters.some((one) => one.name === name);
  const own = screen.fields.flatMap((field): Narrowing[] => {
    if (field.name in named || field.secret) return [];
    if (!isDated(field)) return has(field.name) ? [{ field: field.name, by: field.name }] : [];
    const [first, last] = [`${field.name}_from`, `${field.name}_to`];
    return has(first) || has(last)
      ? [{ field: field.name, by: [has(first) ? first : null, has(last) ? last : null] }]
      : [];
  });
  const written = Object.entries(named).map(([field, by]): Narrowing => ({ field, by }));
  for (const { field: name, by } of [...own, ...written]) {
    const at = name in named ? ['from', 'narrow', name] : ['from', 'type'];
    const field = screen.fields.find((one) => one.name === name);
    if (!field) {
      source.report(
        at,
        `${screen.title} has no field "${name}".`,
        didYouMean(
          name,
          screen.fields.map((one) => one.name),
        ),
      );
      continue;
    }
    for (const one of [by].flat().filter((part) => part !== null)) {
      const filter = filters.find((found) => found.name === one);
      if (!filter)
        source.report(
          at,
          `There is no filter "${one}".`,
          didYouMean(
            one,
            filters.map((found) => found.name),
          ),
        );
      else if (!fits(field, filter, Array.isArray(by)))
        source.report(at, `The filter "${one}" does not fit "${name}".`, 'Give both the same type.');
    }
  }
  return [...own, ...written];
}

function fits(field: Field, filter: Field, isBound: boolean): boolean {
  if (isDated(field)) return isBound && filter.type === 'date';
  return !isBound && field.type === filter.type && field.ref?.type === filter.ref?.type;
}
