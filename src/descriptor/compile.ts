import { Ajv2020 } from 'ajv/dist/2020.js';
import { checkScreens } from './check.ts';
import { compileFields, expand, humanise, objectSchema, referrer } from './fields.ts';
import { DESCRIPTOR_WORDS, hasRightShape } from './meta_check.ts';
import { rangeKey } from './ranges.ts';
import { RECORD_TITLES } from './record_fields.ts';
import { compileReport, isReport } from './report.ts';
import { settingCondition } from './setting_condition.ts';
import { OWN_TYPES } from './setting_fields.ts';
import { Source, didYouMean } from './source.ts';
import type { Report, ReportDescriptor } from '../domain/report.ts';
import type {
  ConditionalKey,
  Descriptor,
  Field,
  Flow,
  FormLayout,
  GridColumn,
  JsonSchema,
  Problem,
  RecordAction,
  Screen,
} from './types.ts';

/** A descriptor file as read: its folder is the module, its name the record type. */
export interface SourceFile {
  path: string;
  folder: string;
  name: string;
  text: string;
}

/** Names that address something else in the interface or the database. */
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
  'import_run',
  'import_columns',
  'export_run',
  'notification',
  'notification_preference',
  'notification_preferences',
  'notification_events',
  'outbox',
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
  'quick_links',
  'my_team',
  'my_profile',
  'reporting_lines',
  'quick_add',
  'working_days',
  'manual',
  'report',
]);

const KINDS = ['master', 'document', 'settings'] as const;

/** A screen on its way: compiled by itself, not yet checked against the others. */
export interface Draft {
  screen: Screen;
  /** As its author wrote it. */
  descriptor: Descriptor;
  source: Source;
}

/**
 * Compiles descriptor files to screens and reports. A file with problems yields none; the others still do,
 * except those that refer to it: they are told so. `reportSources`: the functions that reports may name.
 */
export function compileScreens(
  files: SourceFile[],
  types: JsonSchema,
  reportSources?: ReadonlySet<string>,
): { screens: Map<string, Screen>; reports: Map<string, Report>; problems: Problem[] } {
  const definitions = (types.$defs ?? {}) as Record<string, JsonSchema>;
  const drafts = new Map<string, Draft>();
  const sources: Source[] = [];
  const reportFiles: { file: SourceFile; descriptor: ReportDescriptor; source: Source }[] = [];
  for (const file of files) {
    const source = new Source(file.path, file.text);
    sources.push(source);
    if (source.problems.length > 0) continue;
    const descriptor = JSON.parse(file.text) as Descriptor;
    if (isReport(descriptor)) {
      reportFiles.push({ file, descriptor: descriptor as unknown as ReportDescriptor, source });
      continue;
    }
    const screen = compileOne(file, descriptor, definitions, source);
    const twin = drafts.get(file.name);
    if (twin)
      source.report([], `"${file.name}" is described twice: also in ${twin.source.file}.`, 'Rename one of the files.');
    else if (screen) drafts.set(file.name, { screen, descriptor, source });
  }
  addDueTypes([...drafts.values()].map(({ screen }) => screen));
  checkScreens(drafts, new Set(files.map((file) => file.name)));
  const screens = new Map<string, Screen>();
  for (const [name, { screen, source }] of drafts) if (source.problems.length === 0) screens.set(name, screen);
  for (const screen of screens.values()) {
    screen.referredBy = referrers(screen.name, screens);
    reachAcross(screen, screens);
    for (const { count } of screen.counts ?? [])
      count!.several = referrer(screens.get(count!.of), count!.by)?.type === 'refs';
    screen.hash = screenHash(screen);
  }
  return {
    screens,
    reports: compileReports(reportFiles, definitions, screens, reportSources),
    problems: sources.flatMap((source) => source.problems),
  };
}

function compileReports(
  files: { file: SourceFile; descriptor: ReportDescriptor; source: Source }[],
  types: Record<string, JsonSchema>,
  screens: Map<string, Screen>,
  known?: ReadonlySet<string>,
): Map<string, Report> {
  const reports = new Map<string, Report>();
  const routes = new Map([...screens.values()].flatMap(({ name, routes: { landing } }) => [[landing, name] as const]));
  for (const { file, descriptor, source } of files) {
    const report = compileReport(file, descriptor, types, screens, source);
    if (!report) continue;
    if (known && report.source !== null && !known.has(report.source))
      source.report(['source'], `There is no function "${report.source}".`, didYouMean(report.source, known));
    const twin = routes.get(report.route);
    if (twin !== undefined)
      source.report(
        ['route'],
        `The address ${report.route} is taken by "${twin}".`,
        'Write another address under "route".',
      );
    if (screens.has(report.name) || reports.has(report.name))
      source.report([], `"${report.name}" is described twice.`, 'Rename the file.');
    routes.set(report.route, report.name);
    if (source.problems.length === 0) reports.set(report.name, report);
  }
  return reports;
}

/** Lists of what falls due know every type that says so. */
function addDueTypes(screens: Screen[]): void {
  const due = screens.flatMap((screen) =>
    (screen.due ?? []).map(({ module = screen.name }) => ({ value: module, label: screen.title })),
  );
  for (const screen of screens) {
    const lists = screen.fields.filter(({ dueTypes }) => dueTypes);
    for (const field of lists) {
      const known = new Set(field.options?.map(({ value }) => value));
      for (const { value, label } of due) {
        if (known.has(value)) continue;
        known.add(value);
        field.options!.push({ value, label });
      }
      field.schema = { ...field.schema, enum: [...known] };
    }
    if (lists.length > 0) Object.assign(screen.schema, objectSchema(screen.fields, false));
  }
}

/** A record that all companies share may name a record of any of them: there is no company of its own to stay in. */
function reachAcross(screen: Screen, screens: Map<string, Screen>): void {
  if (screen.scope === 'entity') return;
  for (const field of screen.fields.flatMap((one) => [one, ...(one.rows ?? [])]))
    if (field.ref && screens.get(field.ref.type)?.scope === 'entity') field.ref.acrossCompanies = true;
}

function referrers(name: string, screens: Map<string, Screen>): Screen['referredBy'] {
  const found: Screen['referredBy'] = [];
  for (const other of screens.values())
    for (const field of other.fields) {
      if (field.ref?.type === name) found.push({ type: other.name, field: field.name });
      for (const inner of field.rows ?? [])
        if (inner.ref?.type === name) found.push({ type: other.name, field: `${field.name}.${inner.name}` });
    }
  return found;
}

/** 16 hexadecimal characters that change when anything of the screen does. */
export function screenHash(screen: Screen): string {
  const text = JSON.stringify({ ...screen, hash: '' });
  // FNV-1a over two lanes: this runs in the browser too, and names a version; it guards nothing.
  let [a, b] = [0x811c9dc5, 0x01000193];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ (code + index), 0x85ebca6b);
  }
  return [a, b].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('');
}

/** English plural by rule: branch → branches, company → companies, day → days. */
export function pluralOf(title: string): string {
  if (/[^aeiou]y$/i.test(title)) return `${title.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh)$/i.test(title) ? `${title}es` : `${title}s`;
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
      'Name the file with small letters, digits and single underscores; addresses with capitals go under "routes".',
    );
  if (RESERVED_NAMES.has(file.name))
    source.report([], `The name "${file.name}" is taken by the product itself.`, 'Rename the file.');
  if (descriptor.kind !== undefined && !KINDS.includes(descriptor.kind))
    source.report(['kind'], `Kind "${String(descriptor.kind)}" does not exist.`, `There are: ${KINDS.join(', ')}.`);
  if (typeof descriptor.title !== 'string' || descriptor.title.trim() === '')
    source.report(
      ['title'],
      'The title is missing.',
      'Write the singular name people use, such as "title": "Lift make".',
    );
  const codes = [descriptor.access?.screen ?? []].flat();
  if (codes.length === 0)
    source.report(
      ['access'],
      'The screen code is missing.',
      `Write "access": { "screen": "SCN_${file.name.toUpperCase()}" }.`,
    );
  for (const code of codes)
    if (typeof code !== 'string' || !/^(COMMON_)?SCN_[A-Z0-9_]+$/.test(code))
      source.report(
        ['access', 'screen'],
        `"${String(code)}" is not a screen code.`,
        'Screen codes begin with SCN_ (COMMON_SCN_ on the admin host), in capitals.',
      );
  if (descriptor.scope !== undefined && !['platform', 'tenant', 'entity'].includes(descriptor.scope))
    source.report(
      ['scope'],
      `Scope "${String(descriptor.scope)}" does not exist.`,
      'There are: platform, tenant (shared by all companies), entity (rows of one company).',
    );
  const properties: unknown = descriptor.schema?.properties;
  if (
    properties === null ||
    typeof properties !== 'object' ||
    Array.isArray(properties) ||
    Object.keys(properties).length === 0
  ) {
    source.report(
      ['schema'],
      'The record has no fields.',
      'Write "schema": { "required": ["code", "name"], "properties": { "code": { "$ref": "types#code" }, "name": { "$ref": "types#name" } } }.',
    );
    return null;
  }
  if (!hasRightShape(descriptor, source)) return null;
  const expanded = expand(descriptor.schema, types, source, ['schema']);
  const fields = compileFields(expanded, source, ['schema']);
  if (descriptor.scope !== 'entity') markClientMoney(fields);
  const kind = descriptor.kind ?? 'master';
  const title = String(descriptor.title ?? file.name);
  const label = descriptor.label ?? defaultLabel(fields);
  const { when, ...series } = descriptor.number ?? {};
  const condition = when && settingCondition(when);
  const number = when ? undefined : descriptor.number;
  if (when && !condition)
    source.report(
      ['number', 'when'],
      'A condition names a setting and its value.',
      'Write for instance { "configuration.employee_number": "automatic" }.',
    );
  const numbered = fields.find((field) => field.name === number?.field);
  if (numbered) Object.assign(numbered, { readOnly: true });
  const counts = Object.entries(descriptor.counts ?? {}).map(([name, { title: said, ...count }]): Field => ({
    name,
    type: 'integer',
    title: said ?? humanise(name),
    required: false,
    schema: {},
    secret: false,
    readOnly: true,
    count: { ...count, several: false },
  }));
  const grid = gridColumns(descriptor, [...fields, ...counts]);
  const { properties: _properties, required: _required, ...conditions } = expanded;
  const conditional = [...conditionalKeys(descriptor.unique, false), ...conditionalKeys(descriptor.uniqueEmpty, true)];
  const ranges = (['valid', 'bands'] as const).flatMap((word) =>
    [descriptor[word] ?? []].flat().map((written) => {
      const columns = written.rows === undefined ? fields : fields.find(({ name }) => name === written.rows)?.rows;
      return rangeKey(word, written, columns ?? []);
    }),
  );
  const screen: Screen = {
    name: file.name,
    folder: file.folder,
    kind,
    title,
    plural: descriptor.plural ?? (kind === 'settings' ? title : pluralOf(title)),
    ...(descriptor.description && { description: descriptor.description }),
    ...(descriptor.icon && { icon: descriptor.icon }),
    access: {
      screens: codes,
      products: [descriptor.access?.product ?? []].flat(),
      modules: [descriptor.access?.module ?? 'MASTERS'].flat(),
      action:
        descriptor.access?.action === undefined
          ? kind === 'master'
            ? 'CREATE_MASTERS'
            : null
          : descriptor.access.action,
      everyone: descriptor.access?.everyone === true,
      common: descriptor.access?.common === true,
    },
    scope: descriptor.scope ?? 'tenant',
    routes: routesOf(file.name, descriptor),
    sameAs: (descriptor.sameAs ?? {}) as Screen['sameAs'],
    schema: { $id: `mainstay:${file.name}`, ...conditions, ...objectSchema(fields, false) },
    fields,
    label,
    unique: [...plainKeys(descriptor.unique), ...plainKeys(descriptor.uniqueEmpty)],
    ...(descriptor.uniqueEmpty && { emptyEqual: plainKeys(descriptor.uniqueEmpty) }),
    ...(conditional.length > 0 && { uniqueWhen: conditional }),
    index: descriptor.index ?? [],
    ...(ranges.length > 0 && { ranges }),
    rules: descriptor.rules ?? [],
    ...(number && { number }),
    ...(condition && { numberWhen: { ...(series as { field: string; pattern: string }), when: condition } }),
    ...(descriptor.tree && { tree: { parent: descriptor.tree.parent, closure: descriptor.tree.closure === true } }),
    ...(descriptor.hierarchy && {
      hierarchy: {
        ...descriptor.hierarchy,
        levels: Object.entries(descriptor.hierarchy.levels).map(([type, parent]) => ({ type, parent })),
      },
    }),
    ...(descriptor.flow && {
      flow: {
        ...descriptor.flow,
        ...(descriptor.flow.approve && {
          approve: { asked: ['created_by', 'updated_by'], ...descriptor.flow.approve },
        }),
      },
    }),
    ...(descriptor.kanban && {
      kanban: {
        ...descriptor.kanban,
        card:
          descriptor.kanban.card ??
          (descriptor.card ?? []).filter((name) => name !== descriptor.kanban!.field && !label.includes(name)),
      },
    }),
    ...(descriptor.library && { library: descriptor.library }),
    ...(descriptor.mine && { mine: descriptor.mine }),
    ...(descriptor.personal && { personal: descriptor.personal }),
    ...(descriptor.due && { due: descriptor.due }),
    ...(descriptor.overlay !== undefined && {
      overlay: {
        type: descriptor.overlay,
        types: Object.fromEntries(OWN_TYPES.flatMap((name) => (types[name] ? [[name, types[name]]] : []))),
      },
    }),
    ...(counts.length > 0 && { counts }),
    form: { tabs: formTabs(descriptor.form, fields) },
    grid,
    card:
      descriptor.card ??
      grid
        .filter((column) => !column.hidden)
        .slice(0, 4)
        .map((column) => column.field),
    sort: descriptor.sort ?? label.slice(0, 1),
    filters:
      descriptor.filters ??
      fields
        .filter(
          (field) =>
            ['enum', 'ref', 'boolean'].includes(field.type) && grid.some((column) => column.field === field.name),
        )
        .slice(0, 4)
        .map((field) => field.name),
    views: descriptor.views ?? [],
    actions: (descriptor.actions ?? []).map((action) => withMove(action, descriptor.flow)),
    menu: { ...descriptor.menu, hidden: descriptor.menu?.hidden === true },
    referredBy: [],
    hash: '',
  };
  checkConditions(screen, conditions, source);
  return screen;
}

/** The main text first: name before code, so that pickers read well. */
function defaultLabel(fields: Field[]): string[] {
  const names = ['name', 'title', 'number', 'code'].filter((name) =>
    fields.some((field) => field.name === name && field.type !== 'enum'),
  );
  if (names.length > 0)
    return names.includes('name') ? names.filter((name) => name === 'name' || name === 'code') : names.slice(0, 2);
  const first = fields.find((field) => ['text', 'code', 'name', 'email'].includes(field.type)) ?? fields[0];
  return first ? [first.name] : [];
}

function routesOf(name: string, { routes = {}, kind }: Descriptor): Screen['routes'] {
  const landing = routes.landing ?? `/${name}`;
  if (kind === 'settings') return { landing, add: null, edit: null, view: null };
  return {
    landing,
    add: routes.add === undefined ? `${landing}/add` : routes.add,
    edit: routes.edit === undefined ? `${landing}/edit/:id` : routes.edit,
    view: routes.view === undefined ? `${landing}/view/:id` : routes.view,
  };
}

/** A step of the flow as the call it is: offered where it may follow, to those who may take it. */
function withMove(action: RecordAction, flow: Flow | undefined): RecordAction {
  const { move } = action;
  if (move === undefined || !flow) return action;
  const before = Object.keys(flow.moves).filter((value) => flow.moves[value]!.includes(move));
  const approving = before.every((value) => flow.approve?.moves[value]?.includes(move));
  return {
    page: approving ? 'approval_screen' : 'edit_screen',
    when: `${flow.field} in [${before.map((value) => `'${value}'`).join(', ')}]`,
    ...action,
    call: `move/${move}`,
  };
}

const NOT_IN_A_GRID = new Set(['rows', 'rich_text', 'long_text', 'json', 'image', 'file', 'signature', 'geo']);

function gridColumns(descriptor: Descriptor, fields: Field[]): GridColumn[] {
  const byName = new Map(fields.map((field) => [field.name, field]));
  const simple = fields.filter((field) => !field.secret && !NOT_IN_A_GRID.has(field.type));
  const specs = (descriptor.grid ?? simple.slice(0, 8).map((field) => field.name)).map((spec) =>
    typeof spec === 'string' ? { field: spec } : spec,
  );
  const columns = specs.map((spec) => ({
    field: spec.field,
    title: spec.title ?? byName.get(spec.field)?.title ?? RECORD_TITLES[spec.field] ?? humanise(spec.field),
    ...(spec.width !== undefined && { width: spec.width }),
    hidden: spec.hidden === true,
    pinned: spec.pinned === true,
  }));
  // Whatever else has a short value stands ready in the column chooser.
  const shown = new Set(columns.map((column) => column.field));
  for (const field of simple)
    if (!shown.has(field.name)) columns.push({ field: field.name, title: field.title, hidden: true, pinned: false });
  for (const [name, title] of Object.entries(RECORD_TITLES))
    if (!shown.has(name)) columns.push({ field: name, title, hidden: true, pinned: false });
  return columns;
}

function formTabs(form: FormLayout | undefined, fields: Field[]): Screen['form']['tabs'] {
  const tabs = structuredClone(form?.tabs ?? [{ title: 'Details', sections: form?.sections ?? [] }]);
  const placed = new Set(tabs.flatMap((tab) => tab.sections.flatMap((section) => section.fields)));
  const rest = fields.filter((field) => !placed.has(field.name)).map((field) => field.name);
  if (rest.length === 0) return tabs;
  const last = tabs.at(-1)!;
  const section = last.sections.at(-1);
  if (section) section.fields.push(...rest);
  else last.sections.push({ fields: rest });
  return tabs;
}

/** if/then/else and the like are plain JSON Schema: they must at least compile. */
function checkConditions(screen: Screen, conditions: JsonSchema, source: Source): void {
  if (Object.keys(conditions).length === 0) return;
  try {
    new Ajv2020({ strict: false, allErrors: true, validateFormats: false }).compile(screen.schema);
  } catch (error) {
    source.report(
      ['schema'],
      `The JSON Schema does not compile: ${(error as Error).message}.`,
      'See json-schema.org for the words of JSON Schema 2020-12.',
    );
  }
}

const plainKeys = (keys: Descriptor['unique'] = []): string[][] =>
  keys.filter((key): key is string[] => Array.isArray(key));

const conditionalKeys = (keys: Descriptor['unique'] = [], emptyEqual: boolean): ConditionalKey[] =>
  keys.flatMap((key) => (Array.isArray(key) ? [] : [{ ...key, emptyEqual }]));

/** Amounts of records that belong to no company are in the client's currency. */
function markClientMoney(fields: Field[]): void {
  for (const field of fields) {
    if (field.type === 'money') field.ofClient = true;
    if (field.rows) markClientMoney(field.rows);
  }
}
