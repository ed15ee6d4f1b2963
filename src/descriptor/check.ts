import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Draft } from './compile.ts';
import { ExpressionSyntaxError, compileExpression } from './expression/compile_expression.ts';
import { didYouMean } from './source.ts';
import type { Source } from './source.ts';
import type { Field, PageType, Screen } from './types.ts';

type Path = (string | number)[];
const PAGES: PageType[] = ['landing', 'add_screen', 'edit_screen', 'view_screen', 'approval_screen', 'transfer_screen'];
const RECORD_FIELDS = ['id', 'active', 'version', 'created_at', 'created_by', 'updated_at', 'updated_by'];
const TEXT_TYPES = new Set(['text', 'name', 'code', 'email', 'phone', 'long_text', 'integer', 'date', 'month', 'financial_year', 'gstin', 'pan', 'ifsc', 'pincode', 'url', 'enum', 'ref']);

/** Checks each draft against itself and all the others; what is wrong is noted in its source. */
export function checkScreens(drafts: Map<string, Draft>, fileNames: Set<string>): void {
  const routes = new Map<string, { name: string; page: string }>();
  for (const { screen, source } of drafts.values()) {
    const names = new Set(screen.fields.map((field) => field.name));
    checkNames(screen, names, source);
    checkFields(screen, drafts, fileNames, source);
    checkExpressions(screen, names, source);
    checkRoutes(screen, routes, source);
  }
}

function unknown(source: Source, path: Path, name: string, names: Iterable<string>, where: string): void {
  source.report(path, `There is no field "${name}" for ${where}.`, didYouMean(name, names));
}

function checkNames(screen: Screen, names: Set<string>, source: Source): void {
  const columns = new Set([...names, ...RECORD_FIELDS]);
  const lists: [string, string[], Set<string>][] = [
    ['label', screen.label, names],
    ['card', screen.card, columns],
    ['filters', screen.filters, columns],
    ['sort', screen.sort.map((entry) => entry.replace(/^-/, '')), columns],
    ['grid', screen.grid.map((column) => column.field), columns],
  ];
  for (const [word, list, known] of lists) list.forEach((name, index) => known.has(name) || unknown(source, [word, index], name, known, word));
  if (screen.card.length > 4) source.report(['card'], `A card has at most four lines; here are ${screen.card.length}.`, 'Keep name, status and two facts.');
  if (screen.label.length === 0) source.report(['label'], 'Nothing names a record of this type.', 'Write "label": ["number"] or add a field "name".');
  for (const name of screen.label) {
    const field = screen.fields.find((one) => one.name === name);
    if (field && !TEXT_TYPES.has(field.type)) source.report(['label'], `"${name}" cannot name a record: it is of type ${field.type}.`, 'Choose a text field.');
    if (field?.secret) source.report(['label'], `"${name}" is secret and cannot name a record.`, 'Choose another field.');
  }
  for (const word of ['unique', 'index'] as const)
    screen[word].forEach((key, at) => {
      if (key.length === 0) source.report([word, at], 'A key needs at least one field.', 'Write for instance ["code"].');
      key.forEach((name, index) => names.has(name) || unknown(source, [word, at, index], name, names, word));
    });
  screen.form.tabs.forEach((tab, t) =>
    tab.sections.forEach((section, s) =>
      section.fields.forEach((name, index) => names.has(name) || unknown(source, ['form', 'tabs', t, 'sections', s, 'fields', index], name, names, 'the form')),
    ),
  );
  if (screen.number) {
    if (!names.has(screen.number.field)) unknown(source, ['number', 'field'], screen.number.field, names, 'the number');
    if (!/\{0+\}/.test(screen.number.pattern ?? '')) source.report(['number', 'pattern'], 'The pattern of the number has no counter.', 'Write for instance "CON/{fy}/{0000}".');
    for (const [, word] of String(screen.number.pattern ?? '').matchAll(/\{([^}]*)\}/g))
      if (!/^(fy|yyyy|yy|mm|company|0+)$/.test(word!)) source.report(['number', 'pattern'], `"{${word}}" means nothing in a number.`, 'There are: {fy}, {yyyy}, {yy}, {mm}, {company}, {0000}.');
  }
  if (screen.valid) for (const name of [screen.valid.from, screen.valid.to, ...screen.valid.key]) if (!names.has(name)) unknown(source, ['valid'], name, names, 'valid');
  if (screen.tree) {
    const parent = screen.fields.find((field) => field.name === screen.tree!.parent);
    if (!parent) unknown(source, ['tree', 'parent'], screen.tree.parent, names, 'the tree');
    else if (parent.ref?.type !== screen.name || parent.type !== 'ref') source.report(['tree', 'parent'], `"${parent.name}" does not refer to ${screen.name} itself.`, `Choose a field with "x-ref": "${screen.name}".`);
  }
}

function checkFields(screen: Screen, drafts: Map<string, Draft>, fileNames: Set<string>, source: Source): void {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const each = (fields: Field[], path: Path, siblings: Field[]) => {
    for (const field of fields) {
      const at = [...path, field.name];
      if (field.ref) checkReference(field, at);
      if (field.fetch) checkFetch(field, at, siblings);
      if (field.default !== undefined && field.type !== 'rows') {
        let fits = true;
        try {
          fits = ajv.validate(field.schema, field.default);
        } catch (error) {
          source.report(at, `The JSON Schema of "${field.name}" does not compile: ${(error as Error).message}.`, 'See json-schema.org for the words of JSON Schema.');
        }
        if (!fits) source.report([...at, 'default'], `The default ${JSON.stringify(field.default)} is not a valid value of "${field.name}": ${ajv.errorsText(ajv.errors, { dataVar: 'it' })}.`, 'Change the default or the field.');
      }
      if (typeof field.schema.pattern === 'string' && !compiles(field.schema.pattern)) source.report([...at, 'pattern'], 'This pattern is not a regular expression.', 'Test it before you write it here.');
      if (field.rows) each(field.rows, [...at, 'items', 'properties'], field.rows);
    }
  };
  const checkReference = (field: Field, at: Path) => {
    const target = field.ref!.type;
    if (target === '') return;
    const found = drafts.get(target)?.screen;
    if (!found) {
      source.report([...at, 'x-ref'], fileNames.has(target) ? `"${target}" has mistakes of its own.` : `There is no record type "${target}".`, fileNames.has(target) ? 'Mend that file first.' : didYouMean(target, drafts.keys()));
      return;
    }
    if (found.scope === 'platform' && screen.scope !== 'platform') source.report([...at, 'x-ref'], `"${target}" lives on the platform; a tenant's record cannot refer to it.`, 'Keep its code as text.');
    for (const [theirs, ours] of Object.entries(field.ref!.filter ?? {})) {
      if (!found.fields.some((one) => one.name === theirs)) unknown(source, [...at, 'x-ref-filter'], theirs, found.fields.map((one) => one.name), `x-ref-filter (a field of ${target})`);
      if (!screen.fields.some((one) => one.name === ours) && !screen.fields.some((one) => one.rows?.some((inner) => inner.name === ours)))
        unknown(source, [...at, 'x-ref-filter', theirs], ours, screen.fields.map((one) => one.name), 'x-ref-filter (a field of this form)');
    }
  };
  const checkFetch = (field: Field, at: Path, siblings: Field[]) => {
    const { via, field: from } = field.fetch!;
    const reference = siblings.find((one) => one.name === via) ?? screen.fields.find((one) => one.name === via);
    if (!reference?.ref || reference.type !== 'ref') {
      source.report([...at, 'x-fetch'], `"${via}" is not a reference of this form.`, didYouMean(via, siblings.filter((one) => one.type === 'ref').map((one) => one.name)));
      return;
    }
    const target = drafts.get(reference.ref.type)?.screen;
    if (target && !target.fields.some((one) => one.name === from)) unknown(source, [...at, 'x-fetch'], from, target.fields.map((one) => one.name), `x-fetch (a field of ${target.name})`);
  };
  each(screen.fields, ['schema', 'properties'], screen.fields);
}

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

function checkExpressions(screen: Screen, names: Set<string>, source: Source): void {
  const known = new Set([...names, ...RECORD_FIELDS, 'entity_id']);
  const columns = new Map(screen.fields.filter((field) => field.rows).map((field) => [field.name, new Set(field.rows!.map((inner) => inner.name))]));
  /** Names used, or null when the text itself is wrong. */
  const check = (text: string, path: Path, scope: Set<string>, needsName: boolean): string[] | null => {
    try {
      const { names: used } = compileExpression(text);
      for (const name of used) {
        const [rows, column] = name.split('.');
        if (column !== undefined) {
          if (!columns.has(rows!)) source.report(path, `"${rows}" is not a field with child rows.`, didYouMean(rows!, columns.keys()));
          else if (!columns.get(rows!)!.has(column)) unknown(source, path, column, columns.get(rows!)!, `the rows of ${rows}`);
        } else if (!scope.has(name)) unknown(source, path, name, scope, 'the expression');
      }
      if (needsName && used.length === 0) source.report(path, 'This expression names no field, so it always gives the same.', 'Write what it depends on, such as qty * rate.');
      return used;
    } catch (error) {
      if (!(error instanceof ExpressionSyntaxError)) throw error;
      source.report(path, `"${text}" cannot be read: ${error.message}`, 'docs/descriptors.md lists what an expression may say.');
      return null;
    }
  };
  const fields = (list: Field[], path: Path, scope: Set<string>) => {
    const uses = new Map<string, string[]>();
    for (const field of list) {
      const at = [...path, field.name];
      if (field.formula) uses.set(field.name, check(field.formula, [...at, 'x-formula'], scope, true) ?? []);
      if (field.when) check(field.when, [...at, 'x-when'], scope, true);
      if (field.requiredWhen) check(field.requiredWhen, [...at, 'x-required-when'], scope, true);
      if (field.rows) fields(field.rows, [...at, 'items', 'properties'], new Set([...field.rows.map((inner) => inner.name), ...known]));
    }
    for (const name of uses.keys()) {
      const circle = circleFrom(name, uses);
      if (circle) {
        source.report([...path, name, 'x-formula'], `The formula goes round in a circle: ${circle.join(' → ')}.`, 'One of these must be entered by hand.');
        break;
      }
    }
  };
  fields(screen.fields, ['schema', 'properties'], known);
  screen.rules.forEach((rule, index) => {
    const inner = rule.rows === undefined ? undefined : columns.get(rule.rows);
    if (rule.rows !== undefined && !inner) source.report(['rules', index, 'rows'], `"${rule.rows}" is not a field with child rows.`, didYouMean(rule.rows, columns.keys()));
    check(String(rule.assert ?? ''), ['rules', index, 'assert'], new Set([...known, ...(inner ?? [])]), true);
    if (typeof rule.message !== 'string' || rule.message === '') source.report(['rules', index], 'The rule has no message.', 'Write what is wrong and what to do, in the user’s words.');
    if (rule.field !== undefined && !(inner ?? names).has(rule.field)) unknown(source, ['rules', index, 'field'], rule.field, inner ?? names, 'the rule');
  });
}

function circleFrom(start: string, uses: Map<string, string[]>): string[] | null {
  const walk = (name: string, trail: string[]): string[] | null => {
    for (const next of uses.get(name) ?? []) {
      if (next === start) return [...trail, next];
      if (!trail.includes(next)) {
        const found = walk(next, [...trail, next]);
        if (found) return found;
      }
    }
    return null;
  };
  return walk(start, [start]);
}

/** Two addresses are alike when no request could tell them apart: parameters count as the same. */
function checkRoutes(screen: Screen, routes: Map<string, { name: string; page: string }>, source: Source): void {
  const all: [string, string, Path][] = [
    ...Object.entries(screen.routes).flatMap(([page, route]): [string, string, Path][] => (route === null ? [] : [[page, route, ['routes', page]]])),
    ...Object.entries(screen.sameAs).map(([route, page]): [string, string, Path] => [page, route, ['sameAs', route]]),
  ];
  for (const [page, route, path] of all) {
    if (typeof route !== 'string' || !/^\/[\w:/.-]*$/.test(route)) {
      source.report(path, `"${String(route)}" is not an address.`, 'Addresses begin with / and hold letters, digits, _ - and :parameters.');
      continue;
    }
    if (path[0] === 'sameAs' && !PAGES.includes(page as PageType)) source.report(path, `"${page}" is not a page.`, `There are: ${PAGES.join(', ')}.`);
    const shape = route.replace(/:\w+/g, ':');
    const other = routes.get(shape);
    if (other) source.report(path, `Address ${route} is taken by ${other.name} (${other.page}).`, 'Give one of them another address under "routes", or keep it for one screen alone.');
    else routes.set(shape, { name: screen.name, page });
  }
}
