import { checkScreens } from './check.ts';
import { compileFields } from './compile_fields.ts';
import { expand, objectSchema } from './fields.ts';
import { ownRows } from './own_rows.ts';
import type { FunctionNames } from './function_names.ts';
import { DESCRIPTOR_WORDS, fileHasRightShape } from './meta_check.ts';
import { compileDashboard, isDashboard } from './dashboard.ts';
import { compileReport, isReport } from './report.ts';
import type { JobPlan } from './jobs.ts';
import { JOBS_FILE, compileJobs } from './jobs.ts';
import { Source, didYouMean } from './source.ts';
import type { Dashboard, DashboardDescriptor } from '../domain/dashboard.ts';
import type { Report, ReportDescriptor } from '../domain/report.ts';
import type { Descriptor, JsonSchema, Problem, Screen } from './types.ts';
import { compileOrder, screenWords } from './words/registry.ts';
import { fieldWords } from './words/field/registry.ts';
import type { Compiling, ScreenWord } from './words/word.ts';

/** A descriptor file as read: its folder is the module, its file name the record type. */
export interface SourceFile {
  path: string;
  folder: string;
  name: string;
  text: string;
  /** The statement of a view, from the file `<name>.sql` beside it. */
  sql?: string;
}

/** Names with another meaning in the HTTP interface or the database. */
export const RESERVED_NAMES = new Set([
  'import',
  'export',
  'menu',
  'screens',
  'session',
  'sessions',
  'live',
  'files',
  'file',
  'search',
  'search_entry',
  'options',
  'views',
  'openapi',
  'users_device',
  'rights',
  'history',
  'comment',
  'attachment',
  'saved_view',
  'number_counter',
  'transition_log',
  'effect_log',
  'record_link',
  'import_run',
  'import_columns',
  'export_run',
  'notification',
  'notification_preference',
  'notification_preferences',
  'notification_events',
  'outbox',
  'write_key',
  'offline',
  'public_token',
  'domain_event',
  'event_delivery',
  'jobs',
  'job',
  'module_rights',
  'screen_rights',
  'role_action',
  'field_right',
  'rights_version',
  'role_version',
  'credential',
  'password_token',
  'known_device',
  'login_attempt',
  'login_counter',
  'audit_log',
  'login_log',
  'password_portal',
  'schema_state',
  'system_version',
  'notifications',
  'my_zone',
  'home',
  'quick_links',
  'my_team',
  'my_profile',
  'reporting_lines',
  'quick_add',
  'working_days',
  'manual',
  'report',
  'dashboard',
  'dashboards',
]);

/** A screen being compiled: on its own, not yet checked against the others. */
/** Field words that other screens complete. */
const linkedWords = fieldWords.filter(({ link }) => link);

export interface Draft {
  screen: Screen;
  /** As its author wrote it. */
  descriptor: Descriptor;
  source: Source;
}

/** The content of the descriptor files. */
export interface Compiled {
  screens: Map<string, Screen>;
  reports: Map<string, Report>;
  dashboards: Map<string, Dashboard>;
  /** The scheduled jobs. */
  jobs: JobPlan[];
  problems: Problem[];
}

/**
 * Compiles descriptor files to screens, reports, dashboards and jobs. A file with errors yields none; the others are
 * still compiled, except those that refer to it: they are reported. `functions`: the functions that descriptors may
 * name.
 */
export function compileScreens(files: SourceFile[], types: JsonSchema, functions: FunctionNames = {}): Compiled {
  const definitions = (types.$defs ?? {}) as Record<string, JsonSchema>;
  const drafts = new Map<string, Draft>();
  const sources: Source[] = [];
  const jobFiles: { file: SourceFile; source: Source }[] = [];
  const reportFiles: FigureFile<ReportDescriptor>[] = [];
  const dashboardFiles: FigureFile<DashboardDescriptor>[] = [];
  for (const file of files) {
    const source = new Source(file.path, file.text);
    sources.push(source);
    if (source.problems.length > 0) continue;
    if (file.name === JOBS_FILE) {
      jobFiles.push({ file, source });
      continue;
    }
    const descriptor = JSON.parse(file.text) as Descriptor;
    if (isReport(descriptor)) {
      reportFiles.push({ file, descriptor: descriptor as unknown as ReportDescriptor, source });
      continue;
    }
    if (isDashboard(descriptor)) {
      dashboardFiles.push({ file, descriptor: descriptor as unknown as DashboardDescriptor, source });
      continue;
    }
    const screen = compileOne(file, descriptor, definitions, source);
    const twin = drafts.get(file.name);
    if (twin)
      source.report([], `"${file.name}" is described twice: also in ${twin.source.file}.`, 'Rename one of the files.');
    else if (screen) drafts.set(file.name, { screen, descriptor, source });
  }
  const compiled = [...drafts.values()].map(({ screen }) => screen);
  for (const screen of compiled) for (const word of screenWords) word.join?.(screen, compiled);
  listDashboards(compiled, dashboardFiles);
  checkScreens(drafts, new Set(files.map((file) => file.name)), functions);
  const screens = new Map<string, Screen>();
  for (const [name, { screen, source }] of drafts) if (source.problems.length === 0) screens.set(name, screen);
  const referredBy = referrers(screens);
  for (const screen of screens.values()) {
    screen.referredBy = referredBy.get(screen.name) ?? [];
    for (const word of screenWords) word.link?.(screen, screens);
    for (const fields of [
      screen.fields,
      ...screen.fields.flatMap((field) => (field.rows && !field.part ? [field.rows] : [])),
    ])
      for (const field of fields) for (const word of linkedWords) word.link!(field, fields, screen, screens);
    screen.hash = screenHash(screen);
  }
  const taken = {
    names: new Set(screens.keys()),
    routes: new Map([...screens.values()].map(({ name, routes: { landing } }) => [landing, name])),
  };
  const reports = compileReports(reportFiles, definitions, screens, taken, functions.reports);
  const dashboards = compileDashboards(dashboardFiles, definitions, screens, taken, functions.sources);
  checkPanels(drafts, reports, dashboards);
  return {
    screens,
    reports,
    dashboards,
    jobs: compileJobs(jobFiles, screens, functions),
    problems: sources.flatMap((source) => source.problems),
  };
}

/** Lists of dashboards ("x-values") include those with figures, except the dashboards of the platform. */
function listDashboards(screens: Screen[], files: FigureFile<DashboardDescriptor>[]): void {
  for (const screen of screens) {
    const lists = screen.fields.filter(({ dashboardNames }) => dashboardNames);
    if (lists.length === 0) continue;
    const found = files
      // A file with errors is still listed: values that name it stay until it is mended.
      .filter(({ descriptor: { access, tiles } }) => !access?.common && tiles?.some(({ kind }) => kind === 'figure'))
      .map(({ file, descriptor }) => ({ value: file.name, label: descriptor.title }));
    for (const field of lists) {
      const known = new Set(field.options?.map(({ value }) => value));
      field.options = [...(field.options ?? []), ...found.filter(({ value }) => !known.has(value))];
      field.schema = { ...field.schema, enum: field.options.map(({ value }) => value) };
    }
    Object.assign(screen.schema, objectSchema(screen.fields, false));
  }
}

/** Figures on the page of a record come from a report or a tile that there is, by parameters or filters that it has. */
function checkPanels(
  drafts: ReadonlyMap<string, { screen: Screen; source: Source }>,
  reports: Map<string, Report>,
  dashboards: Map<string, Dashboard>,
) {
  for (const { screen, source } of drafts.values()) {
    const { panel } = screen;
    if (panel?.dashboard !== undefined && dashboards.size > 0) {
      const dashboard = dashboards.get(panel.dashboard);
      if (!dashboard?.tiles.some(({ name }) => name === panel.tile))
        source.report(['panel', 'tile'], `There is no tile "${panel.tile}" of "${panel.dashboard}".`);
      for (const name of Object.keys(panel.with))
        if (dashboard && !dashboard.filters.some((one) => one.name === name))
          source.report(['panel', 'with', name], `${panel.dashboard} has no filter "${name}".`);
    }
    if (panel?.report === undefined || reports.size === 0) continue;
    const report = reports.get(panel.report);
    if (!report)
      source.report(
        ['panel', 'report'],
        `There is no report "${panel.report}".`,
        didYouMean(panel.report, [...reports.keys()]),
      );
    for (const name of report ? Object.keys(panel.with) : [])
      if (!report!.parameters.some((one) => one.name === name))
        source.report(
          ['panel', 'with', name],
          `${panel.report} has no parameter "${name}".`,
          didYouMean(
            name,
            report!.parameters.map((one) => one.name),
          ),
        );
  }
}

interface FigureFile<T> {
  file: SourceFile;
  descriptor: T;
  source: Source;
}

/** The used names and addresses. */
interface Taken {
  names: Set<string>;
  routes: Map<string, string>;
}

/** Reports a name and an address that are already used; otherwise reserves them. */
function take({ name, route }: { name: string; route: string }, source: Source, { names, routes }: Taken): void {
  const twin = routes.get(route);
  if (twin !== undefined)
    source.report(['route'], `The address ${route} is taken by "${twin}".`, 'Write another address under "route".');
  if (names.has(name)) source.report([], `"${name}" is described twice.`, 'Rename the file.');
  routes.set(route, name);
  names.add(name);
}

function compileReports(
  files: FigureFile<ReportDescriptor>[],
  types: Record<string, JsonSchema>,
  screens: Map<string, Screen>,
  taken: Taken,
  known?: ReadonlySet<string>,
): Map<string, Report> {
  const reports = new Map<string, Report>();
  for (const { file, descriptor, source } of files) {
    const report = compileReport(file, descriptor, types, screens, source);
    if (!report) continue;
    if (known && report.source !== null && !known.has(report.source))
      source.report(['source'], `There is no function "${report.source}".`, didYouMean(report.source, known));
    take(report, source, taken);
    if (source.problems.length === 0) reports.set(report.name, report);
  }
  return reports;
}

function compileDashboards(
  files: FigureFile<DashboardDescriptor>[],
  types: Record<string, JsonSchema>,
  screens: Map<string, Screen>,
  taken: Taken,
  known?: ReadonlySet<string>,
): Map<string, Dashboard> {
  const dashboards = new Map<string, Dashboard>();
  for (const { file, descriptor, source } of files) {
    const dashboard = compileDashboard(file, descriptor, types, screens, source);
    if (!dashboard) continue;
    const check = (path: (string | number)[], name: string | undefined) => {
      if (known && name !== undefined && !known.has(name))
        source.report(path, `There is no function "${name}".`, didYouMean(name, known));
    };
    check(['begins', 'source'], dashboard.begins?.source);
    dashboard.tiles.forEach((tile, index) => check(['tiles', index, 'source'], tile.source));
    take(dashboard, source, taken);
    if (source.problems.length === 0) dashboards.set(dashboard.name, dashboard);
  }
  return dashboards;
}

/** Which fields refer to a type, by its name. */
function referrers(screens: Map<string, Screen>): Map<string, Screen['referredBy']> {
  const found = new Map<string, Screen['referredBy']>();
  const add = (to: string | undefined, by: Screen['referredBy'][number]) => {
    if (to === undefined) return;
    const known = found.get(to);
    if (known) known.push(by);
    else found.set(to, [by]);
  };
  for (const { name, fields } of screens.values())
    for (const field of fields) {
      add(field.ref?.type, { type: name, field: field.name });
      for (const inner of ownRows(field) ?? [])
        add(inner.ref?.type, { type: name, field: `${field.name}.${inner.name}` });
    }
  return found;
}

/** 16 hexadecimal characters that change when anything in the screen changes. */
export function screenHash(screen: Screen): string {
  const text = JSON.stringify({ ...screen, hash: '' });
  // FNV-1a over two lanes: it also runs in the browser and identifies a version; it is not a security measure.
  let [a, b] = [0x811c9dc5, 0x01000193];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ (code + index), 0x85ebca6b);
  }
  return [a, b].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('');
}

function compileOne(
  file: SourceFile,
  descriptor: Descriptor,
  types: Record<string, JsonSchema>,
  source: Source,
): Screen | null {
  if (descriptor === null || typeof descriptor !== 'object' || Array.isArray(descriptor)) {
    source.report(
      [],
      'A descriptor is an object.',
      'Begin with { "$schema": "../meta/screen.schema.json", "title": … }.',
    );
    return null;
  }
  for (const word of Object.keys(descriptor))
    if (!DESCRIPTOR_WORDS.has(word))
      source.report([word], `Unknown word "${word}".`, didYouMean(word, DESCRIPTOR_WORDS));
  if (!/^[a-z][a-z0-9_]*$/.test(file.name) || file.name.length > 40 || file.name.includes('__'))
    source.report(
      [],
      `"${file.name}" cannot be a record type's name.`,
      'Name the file with lower-case letters, digits and single underscores; addresses with capitals go under "routes".',
    );
  if (RESERVED_NAMES.has(file.name))
    source.report([], `The name "${file.name}" is taken by the product itself.`, 'Rename the file.');
  const written = (word: ScreenWord): unknown => (descriptor as unknown as Record<string, unknown>)[word.name];
  const canCompile =
    screenWords.filter((word) => word.inspect?.(written(word), source, file, descriptor) === false).length === 0;
  if (!canCompile || !fileHasRightShape(descriptor, source)) return null;
  const expanded = expand(descriptor.schema, types, source, ['schema']);
  const fields = compileFields(expanded, source, ['schema']);
  const screen = { name: file.name, folder: file.folder } as Screen;
  const compiling: Compiling = { file, descriptor, source, types, expanded, fields, screen };
  for (const word of compileOrder) word.fields?.(written(word), compiling);
  const parts = new Map(
    compileOrder.map((word) => {
      const part = compilePart(word, written(word), compiling);
      Object.assign(screen, part);
      return [word, part];
    }),
  );
  // In the order of the registry, regardless of the order of compilation, because it affects the hash.
  return Object.assign(
    { name: file.name, folder: file.folder } as Screen,
    ...screenWords.map((word) => parts.get(word)),
    { referredBy: [], hash: '' },
  ) as Screen;
}

/** The compiled part of one word; a word without `compile` is copied to the screen as written. */
function compilePart(word: ScreenWord, written: unknown, compiling: Compiling): Partial<Screen> {
  if (word.compile) return word.compile(written, compiling);
  return written === undefined ? {} : { [word.name]: written };
}
