import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { Draft } from './compile.ts';
import { ExpressionSyntaxError, compileExpression } from './expression/compile_expression.ts';
import { typeProblem } from './expression/expression_types.ts';
import type { Named } from './expression/expression_types.ts';
import { referrer } from './fields.ts';
import { fieldType } from './fieldtypes/registry.ts';
import { operatorsFor, parseFilter } from './filter.ts';
import { KEY_OPERATORS, keyConditions } from './key_condition.ts';
import { settingCondition } from './setting_condition.ts';
import { OWN_TYPES, SETTING_FIELDS, tabCode } from './setting_fields.ts';
import { didYouMean } from './source.ts';
import { valueMessage } from './validate.ts';
import type { Source } from './source.ts';
import type { Field, FilterExpression, Flow, PageType, RangeWord, Screen } from './types.ts';

type Path = (string | number)[];
const PAGES: PageType[] = ['landing', 'add_screen', 'edit_screen', 'view_screen', 'approval_screen', 'transfer_screen'];
const RECORD_FIELDS = ['id', 'active', 'version', 'created_at', 'created_by', 'updated_at', 'updated_by'];
const TEXT_TYPES = new Set([
  'text',
  'name',
  'code',
  'email',
  'phone',
  'long_text',
  'integer',
  'date',
  'month',
  'financial_year',
  'gstin',
  'pan',
  'ifsc',
  'pincode',
  'url',
  'enum',
  'ref',
]);
const UNSORTABLE = new Set(['rows', 'refs', 'tags', 'json', 'geo', 'file', 'image', 'signature', 'rich_text']);
const FIXED_TYPES = new Set(['enum', 'text', 'name', 'code', 'boolean', 'integer', 'rating', 'tags']);
const UNKEYED = new Set(['rows', 'json', 'geo', 'file', 'image', 'signature', 'rich_text']);

/** Checks each draft against itself and all the others; what is wrong is noted in its source. */
export function checkScreens(drafts: Map<string, Draft>, fileNames: Set<string>): void {
  const routes = new Map<string, { name: string; page: string }>();
  const values = new ValueCheck();
  for (const draft of drafts.values()) {
    const { screen, source } = draft;
    const names = new Set(screen.fields.map((field) => field.name));
    checkLists(draft, names);
    checkKeys(draft);
    checkForm(draft, names);
    checkViews(draft, names);
    checkSeries(draft, names);
    checkRanges(draft);
    checkHierarchy(draft, drafts, fileNames);
    checkCounts(draft, drafts, fileNames);
    checkOverlay(draft, drafts, fileNames);
    checkOwners(draft, names);
    checkDue(draft, names);
    checkFlow(draft, names);
    checkMove(draft, names);
    checkLibrary(draft, drafts, fileNames);
    checkFields(screen, drafts, fileNames, values, source);
    checkExpressions(screen, names, source);
    checkSettings(draft, drafts, values);
    checkConditions(draft, names);
    checkRoutes(screen, routes, source);
  }
}

function unknown(source: Source, path: Path, name: string, names: Iterable<string>, where: string): void {
  source.report(path, `There is no field "${name}" for ${where}.`, didYouMean(name, names));
}

const withoutMinus = (entry: string) => entry.replace(/^-/, '');

/** What a list can show and be ordered by. */
const listNames = (screen: Screen, names: Set<string>) =>
  new Set([...names, ...RECORD_FIELDS, ...(screen.counts ?? []).map(({ name }) => name)]);

/** Words that list fields. Only what the author wrote is checked: defaults are right by themselves. */
function checkLists({ screen, descriptor, source }: Draft, names: Set<string>): void {
  const columns = listNames(screen, names);
  const lists: [string, string[] | undefined, Set<string>][] = [
    ['label', descriptor.label, names],
    ['grid', descriptor.grid?.map((column) => (typeof column === 'string' ? column : column.field)), columns],
    ['card', descriptor.card, columns],
    ['sort', descriptor.sort?.map(withoutMinus), columns],
    ['filters', descriptor.filters, new Set([...names, ...RECORD_FIELDS])],
  ];
  for (const [word, list, known] of lists)
    list?.forEach((name, index) => {
      const path = [word, index];
      if (!known.has(name)) unknown(source, path, name, known, `"${word}"`);
      else if (list.indexOf(name) < index)
        source.report(path, `"${name}" stands twice in "${word}".`, 'Leave one of them out.');
      else checkUse(screen, word, name, path, source);
    });
  if (screen.card.length > 4)
    source.report(
      ['card'],
      `A card has at most four lines; here are ${screen.card.length}.`,
      'Keep name, status and two facts.',
    );
  if (screen.label.length === 0)
    source.report(
      ['label'],
      'Nothing names a record of this type.',
      'Write "label": ["number"] or add a field "name".',
    );
}

/** A field that is there may still be of no use in its place. */
function checkUse(screen: Screen, word: string, name: string, path: Path, source: Source): void {
  const field = screen.fields.find((one) => one.name === name);
  if (!field) return;
  if (field.secret) source.report(path, `"${name}" is secret and cannot stand in "${word}".`, 'Choose another field.');
  else if (word === 'label' && !TEXT_TYPES.has(field.type))
    source.report(path, `"${name}" cannot name a record: it is of type ${field.type}.`, 'Choose a text field.');
  else if (word === 'sort' && UNSORTABLE.has(field.type))
    source.report(
      path,
      `A list cannot be sorted by "${name}": it is of type ${field.type}.`,
      'Choose a field with one short value.',
    );
  else if (word === 'filters' && operatorsFor(field).length === 0)
    source.report(
      path,
      `A list cannot be filtered by "${name}": it is of type ${field.type}.`,
      'Choose a field with one short value.',
    );
}

/** Fields that if/then/else and the like speak of. */
function checkConditions({ descriptor, source }: Draft, names: Set<string>): void {
  const walk = (schema: unknown, path: Path) => {
    if (schema === null || typeof schema !== 'object') return;
    for (const [word, value] of Object.entries(schema)) {
      const at = [...path, word];
      if (['if', 'then', 'else', 'not'].includes(word)) walk(value, at);
      else if (Array.isArray(value) && ['allOf', 'anyOf', 'oneOf'].includes(word))
        value.forEach((inner, index) => walk(inner, [...at, index]));
      else if (Array.isArray(value) && word === 'required' && path.length > 1)
        value.forEach(
          (name, index) =>
            names.has(String(name)) || unknown(source, [...at, index], String(name), names, 'the condition'),
        );
      else if (
        value !== null &&
        typeof value === 'object' &&
        !Array.isArray(value) &&
        ((word === 'properties' && path.length > 1) || word === 'dependentRequired' || word === 'dependentSchemas')
      )
        for (const [name, inner] of Object.entries(value as object)) {
          if (!names.has(name)) unknown(source, [...at, name], name, names, 'the condition');
          if (word === 'dependentSchemas') walk(inner, [...at, name]);
          else if (Array.isArray(inner))
            inner.forEach(
              (other, index) =>
                names.has(String(other)) ||
                unknown(source, [...at, name, index], String(other), names, 'the condition'),
            );
        }
    }
  };
  walk(descriptor.schema, ['schema']);
}

function checkKeys({ screen, descriptor, source }: Draft): void {
  const byName = new Map(screen.fields.map((field) => [field.name, field]));
  for (const word of ['unique', 'uniqueEmpty', 'index'] as const)
    descriptor[word]?.forEach((written, at) => {
      const within = Array.isArray(written) ? [word, at] : [word, at, 'key'];
      if (!Array.isArray(written)) checkKeyCondition(screen, source, written.when, [word, at, 'when']);
      const key = Array.isArray(written) ? written : written.key;
      key.forEach((name, index) => {
        const field = byName.get(name);
        if (!field) unknown(source, [...within, index], name, byName.keys(), `"${word}"`);
        else if (field.encrypted)
          source.report(
            [...within, index],
            `"${name}" cannot be part of a key: it is encrypted, each time differently.`,
            'Choose another field.',
          );
        else if (UNKEYED.has(field.type))
          source.report(
            [...within, index],
            `"${name}" cannot be part of a key: it is of type ${field.type}.`,
            'Choose a field with one short value.',
          );
      });
    });
}

/** The condition of a key: the database decides it from the row alone, by values that never change. */
function checkKeyCondition(screen: Screen, source: Source, when: FilterExpression, at: Path): void {
  const parsed = parseFilter(when, screen);
  const own = new Map(screen.fields.map((field) => [field.name, field]));
  if ('error' in parsed) source.report(at, parsed.error, 'Write for instance ["is_default", "eq", true].');
  else
    for (const [name, operator] of keyConditions(when))
      if (!KEY_OPERATORS.includes(operator) || !own.has(name) || UNKEYED.has(own.get(name)!.type))
        source.report(
          at,
          `The condition of a key cannot ask whether "${name}" is "${operator}".`,
          `Compare a field of the record, by one of ${KEY_OPERATORS.join(', ')}.`,
        );
}

/** The words "valid" and "bands", of records and of rows. */
function checkRanges({ screen, descriptor, source }: Draft): void {
  for (const word of ['valid', 'bands'] as const) {
    const written = descriptor[word];
    [written ?? []].flat().forEach((one, index) => {
      const path: Path = Array.isArray(written) ? [word, index] : [word];
      const rows = one.rows === undefined ? undefined : screen.fields.find(({ name }) => name === one.rows);
      if (one.rows !== undefined && !rows?.rows)
        unknown(
          source,
          [...path, 'rows'],
          one.rows,
          screen.fields.filter((field) => field.rows).map(({ name }) => name),
          `"${word}" (a rows field)`,
        );
      else {
        checkRange(source, word, one, rows?.rows ?? screen.fields, path);
        if (one.when && rows)
          source.report([...path, 'when'], 'Rows take no condition.', 'Leave it out, or make the rows a type.');
        else if (one.when) checkKeyCondition(screen, source, one.when, [...path, 'when']);
      }
    });
    screen.fields.forEach((field) =>
      field.rowRanges
        ?.filter((range) => range.word === word)
        .forEach((range) =>
          checkRange(source, word, range, field.rows!, ['schema', 'properties', field.name, `x-${word}`]),
        ),
    );
  }
}

const BANDED = new Set(['integer', 'money', 'decimal', 'quantity', 'percent', 'duration', 'rating']);

function checkRange(
  source: Source,
  word: RangeWord,
  range: { from: string; to: string; key?: string[]; step?: number | string },
  fields: Field[],
  path: Path,
): void {
  const names = fields.map(({ name }) => name);
  for (const side of ['from', 'to'] as const) {
    const field = fields.find(({ name }) => name === range[side]);
    if (!field) unknown(source, [...path, side], range[side], names, `"${word}"`);
    else if (word === 'valid' && field.type !== 'date')
      source.report(
        [...path, side],
        `"${field.name}" is of type ${field.type}; ranges are of dates.`,
        'Choose a field { "$ref": "types#date" }, or write "bands" for numbers.',
      );
    else if (word === 'bands' && (!BANDED.has(field.type) || field.encrypted))
      source.report(
        [...path, side],
        `"${field.name}" is of type ${field.type}; bands are of numbers.`,
        'Choose a field that holds a number, or write "valid" for dates.',
      );
  }
  if (range.from === range.to)
    source.report([...path, 'to'], 'A range begins and ends with two fields.', 'Name the field of its end.');
  range.key?.forEach((name, index) => {
    const field = fields.find((one) => one.name === name);
    if (!field) unknown(source, [...path, 'key', index], name, names, `"${word}"`);
    else if (UNKEYED.has(field.type) || field.encrypted || name === range.from || name === range.to)
      source.report(
        [...path, 'key', index],
        `"${name}" cannot be part of the key of a range.`,
        'Choose another field with one short value.',
      );
  });
}

function checkForm({ screen, descriptor, source }: Draft, names: Set<string>): void {
  const placed = new Set<string>();
  const tabs = descriptor.form?.tabs?.map((tab, index) => ({
    sections: tab.sections,
    path: ['form', 'tabs', index, 'sections'] as Path,
  }));
  for (const { sections, path } of tabs ?? [
    { sections: descriptor.form?.sections ?? [], path: ['form', 'sections'] as Path },
  ])
    sections.forEach((section, s) =>
      section.fields.forEach((name, index) => {
        const at = [...path, s, 'fields', index];
        if (!names.has(name)) unknown(source, at, name, names, 'the form');
        else if (placed.has(name)) source.report(at, `"${name}" stands twice in the form.`, 'Leave one of them out.');
        placed.add(name);
      }),
    );
  const titles = screen.form.tabs.map((tab) => tab.title);
  titles.forEach((title, index) => {
    if (titles.indexOf(title) < index)
      source.report(
        ['form', 'tabs', index, 'title'],
        `Two tabs are called "${title}".`,
        'Give each tab its own title.',
      );
  });
}

function checkViews({ screen, source }: Draft, names: Set<string>): void {
  const columns = listNames(screen, names);
  const seen = new Set<string>();
  screen.views.forEach((view, index) => {
    if (seen.has(view.name))
      source.report(['views', index, 'name'], `Two views are called "${view.name}".`, 'Give each view its own name.');
    seen.add(view.name);
    view.columns?.forEach(
      (name, at) => columns.has(name) || unknown(source, ['views', index, 'columns', at], name, columns, 'the view'),
    );
    view.sort
      ?.map(withoutMinus)
      .forEach(
        (name, at) => columns.has(name) || unknown(source, ['views', index, 'sort', at], name, columns, 'the view'),
      );
    const parsed = parseFilter(view.filter, screen);
    if ('error' in parsed)
      source.report(
        ['views', index, 'filter'],
        parsed.error,
        'Write for instance ["status", "eq", "open"]; docs/descriptors.md lists the operators.',
      );
  });
}

/** Automatic numbers, ranges of validity, hierarchies. */
function checkSeries({ screen, source }: Draft, names: Set<string>): void {
  const number = screen.number ?? screen.numberWhen;
  if (number) {
    const field = screen.fields.find((one) => one.name === number.field);
    if (!field) unknown(source, ['number', 'field'], number.field, names, 'the number');
    else if (!['text', 'code', 'name'].includes(field.type))
      source.report(
        ['number', 'field'],
        `"${field.name}" cannot hold a number by pattern: it is of type ${field.type}.`,
        'Choose a text field.',
      );
    if (!/\{0+\}/.test(number.pattern))
      source.report(
        ['number', 'pattern'],
        'The pattern of the number has no counter.',
        'Write for instance "CON/{fy}/{0000}".',
      );
    for (const [, word] of number.pattern.matchAll(/\{([^}]*)\}/g))
      if (!/^(fy|yyyy|yy|mm|company|0+)$/.test(word!))
        source.report(
          ['number', 'pattern'],
          `"{${word}}" means nothing in a number.`,
          'There are: {fy}, {yyyy}, {yy}, {mm}, {company}, {0000}.',
        );
  }
  if (screen.tree) {
    const parent = screen.fields.find((field) => field.name === screen.tree!.parent);
    if (!parent) unknown(source, ['tree', 'parent'], screen.tree.parent, names, 'the tree');
    else if (parent.ref?.type !== screen.name || parent.type !== 'ref')
      source.report(
        ['tree', 'parent'],
        `"${parent.name}" does not refer to ${screen.name} itself.`,
        `Choose a field with "x-ref": "${screen.name}".`,
      );
  }
}

/** Each type below must stand below the one before it. */
function checkHierarchy({ screen, source }: Draft, drafts: Map<string, Draft>, fileNames: Set<string>): void {
  let above = screen;
  for (const { type, parent } of screen.hierarchy?.levels ?? []) {
    const path = ['hierarchy', 'levels', type];
    const level = drafts.get(type)?.screen;
    if (!level) {
      source.report(
        path,
        fileNames.has(type) ? `"${type}" has mistakes of its own.` : `There is no record type "${type}".`,
        fileNames.has(type) ? 'Mend that file first.' : didYouMean(type, drafts.keys()),
      );
      return;
    }
    const field = level.fields.find(({ name }) => name === parent);
    if (!field)
      unknown(
        source,
        path,
        parent,
        level.fields.map(({ name }) => name),
        `the hierarchy (a field of ${type})`,
      );
    else if (field.type !== 'ref' || field.ref?.type !== above.name)
      source.report(
        path,
        `"${parent}" of ${type} does not refer to ${above.name}.`,
        `Choose a field with "x-ref": "${above.name}".`,
      );
    if (level === screen || level.kind === 'settings' || (level.scope === 'platform') !== (screen.scope === 'platform'))
      source.report(path, `"${type}" cannot stand below ${above.name}.`, 'Choose another type that refers to it.');
    above = level;
  }
}

/** Columns that count: of a type that refers to this one, by fields that every client has. */
function checkCounts({ screen, source }: Draft, drafts: Map<string, Draft>, fileNames: Set<string>): void {
  const taken = new Set([...screen.fields.map(({ name }) => name), ...RECORD_FIELDS]);
  for (const { name, count } of screen.counts ?? []) {
    const at: Path = ['counts', name];
    const { of, by, filter } = count!;
    if (taken.has(name)) source.report(at, `"${name}" is a field already.`, 'Give the count another name.');
    const other = drafts.get(of)?.screen;
    if (!other) {
      source.report(
        [...at, 'of'],
        fileNames.has(of) ? `"${of}" has mistakes of its own.` : `There is no record type "${of}".`,
        fileNames.has(of) ? 'Mend that file first.' : didYouMean(of, drafts.keys()),
      );
      continue;
    }
    const field = referrer(other, by);
    if (!field)
      source.report(
        [...at, 'by'],
        `There is no field "${by}" of ${of}.`,
        didYouMean(
          by,
          other.fields.flatMap((one) => [one.name, ...(one.rows ?? []).map((inner) => `${one.name}.${inner.name}`)]),
        ),
      );
    else if (field.ref?.type !== screen.name)
      source.report(
        [...at, 'by'],
        `"${by}" of ${of} does not refer to ${screen.name}.`,
        `Choose a field with "x-ref": "${screen.name}".`,
      );
    if ((other.scope === 'platform') !== (screen.scope === 'platform'))
      source.report([...at, 'of'], `"${of}" is not kept where ${screen.name} is.`, 'Count records of the same client.');
    if (other.personal)
      source.report(
        [...at, 'of'],
        `Records of "${of}" are seen by their owners alone, so they cannot be counted.`,
        'Choose another type.',
      );
    const parsed = parseFilter(filter, other);
    if ('error' in parsed)
      source.report(
        [...at, 'filter'],
        parsed.error,
        'Write for instance ["status", "ne", "closed"]; docs/descriptors.md lists the operators.',
      );
    else if (parsed.filter !== null && [...drafts.values()].some((draft) => draft.screen.overlay?.type === of))
      source.report(
        [...at, 'filter'],
        `Clients may take fields of "${of}" away.`,
        'Count all of them: leave the filter out.',
      );
  }
}

/** Steps of a record, and the page that shows them as columns: by one of the record's lists of values. */
function checkFlow({ screen, source }: Draft, names: Set<string>): void {
  const listed = (word: 'flow' | 'kanban', name: string): Field | null => {
    const field = screen.fields.find((one) => one.name === name);
    if (!field) unknown(source, [word, 'field'], name, names, `"${word}"`);
    else if (field.type !== 'enum')
      source.report(
        [word, 'field'],
        `"${name}" is of type ${field.type}; "${word}" goes by one of a list.`,
        'Choose a field with "enum".',
      );
    return field?.type === 'enum' ? field : null;
  };
  const { flow, kanban } = screen;
  if (flow) {
    const values = new Set(listed('flow', flow.field)?.options?.map(({ value }) => String(value)));
    const value = (text: string, path: Path) =>
      values.size === 0 ||
      values.has(text) ||
      source.report(path, `"${text}" is not a value of "${flow.field}".`, didYouMean(text, values));
    flow.start?.forEach((text, at) => value(text, ['flow', 'start', at]));
    for (const [from, to] of Object.entries(flow.moves)) {
      value(from, ['flow', 'moves', from]);
      to.forEach((text, at) => value(text, ['flow', 'moves', from, at]));
    }
    if (flow.approve) checkApproval(screen, flow, names, source);
  }
  if (kanban) {
    listed('kanban', kanban.field);
    kanban.card.forEach(
      (name, at) => names.has(name) || unknown(source, ['kanban', 'card', at], name, names, 'the card'),
    );
    const sum = screen.fields.find((field) => field.name === kanban.sum);
    if (kanban.sum !== undefined && !sum) unknown(source, ['kanban', 'sum'], kanban.sum, names, 'the sum');
    else if (sum && (!ADDED.has(sum.type) || sum.secret))
      source.report(
        ['kanban', 'sum'],
        `"${sum.name}" cannot be added up: it is of type ${sum.type}.`,
        'Choose an amount or a number.',
      );
  }
}

/** Moves that decide: they are moves, nobody begins behind them, and it is known who asked. */
function checkApproval(screen: Screen, { start, moves, approve }: Flow, names: Set<string>, source: Source): void {
  const at: Path = ['flow', 'approve'];
  if (!start) source.report(at, 'A new record could begin as approved.', 'Say in "start" how new records begin.');
  for (const [from, to] of Object.entries(approve!.moves))
    to.forEach((text, index) => {
      const path = [...at, 'moves', from, index];
      if (!moves[from]?.includes(text))
        source.report(path, `"moves" does not lead from "${from}" to "${text}".`, 'Write the step in "moves" as well.');
      // Back to where it can be asked for again is no approval.
      else if (start?.includes(text) && !leadsTo(moves, text, from))
        source.report(path, `"${text}" is to be decided, but new records may begin as it.`, 'Leave it out of "start".');
    });
  approve!.asked?.forEach((name, index) => {
    const field = screen.fields.find((one) => one.name === name);
    if (name === 'created_by' || name === 'updated_by') return;
    if (!field) unknown(source, [...at, 'asked', index], name, [...names, 'created_by', 'updated_by'], '"asked"');
    else if (field.type !== 'ref' || !PEOPLE.has(field.ref!.type))
      source.report(
        [...at, 'asked', index],
        `"${name}" does not say who asked: it refers to no user and no employee.`,
        'Choose a field with "x-ref": "employee" or "users", created_by or updated_by.',
      );
  });
  const { amount } = approve!;
  const field = screen.fields.find((one) => one.name === amount);
  if (amount !== undefined && !field) unknown(source, [...at, 'amount'], amount, names, '"amount"');
  else if (field && (!ADDED.has(field.type) || field.secret))
    source.report(
      [...at, 'amount'],
      `"${field.name}" is no amount: it is of type ${field.type}.`,
      'Choose an amount or a number.',
    );
}

/** Whether a record can come from one value to another, in any number of moves. */
function leadsTo(moves: Record<string, string[]>, from: string, to: string): boolean {
  const seen = new Set([from]);
  for (const value of seen) for (const next of moves[value] ?? []) seen.add(next);
  return from !== to && seen.has(to);
}

/** An action that takes a step: to a value that something leads to, asking for nothing but fields. */
function checkMove({ screen, source }: Draft, names: Set<string>): void {
  const { flow } = screen;
  const reached = new Set(Object.values(flow?.moves ?? {}).flat());
  screen.actions.forEach(({ move, ask, list }, index) => {
    if (move === undefined) return;
    const at: Path = ['actions', index];
    if (!flow)
      source.report(
        [...at, 'move'],
        'There are no steps to take.',
        'Write "flow", or "call" for what somebody has programmed.',
      );
    else if (!reached.has(move))
      source.report([...at, 'move'], `No step of "flow" leads to "${move}".`, didYouMean(move, reached));
    if (list === true) source.report([...at, 'list'], 'A step is taken by one record.', 'Leave "list" out.');
    for (const name of Object.keys(ask ?? {}))
      if (!names.has(name)) unknown(source, [...at, 'ask', name], name, names, 'the answer');
  });
}

const ADDED = new Set(['money', 'decimal', 'quantity', 'integer', 'duration']);

/** A list of the platform that clients take records from: fields of the same kind, references to lists that come from one as well. */
function checkLibrary({ screen, source }: Draft, drafts: Map<string, Draft>, fileNames: Set<string>): void {
  const { library } = screen;
  if (!library) return;
  const from = drafts.get(library.from)?.screen;
  if (!from) {
    source.report(
      ['library', 'from'],
      fileNames.has(library.from)
        ? `"${library.from}" has mistakes of its own.`
        : `There is no record type "${library.from}".`,
      fileNames.has(library.from) ? 'Mend that file first.' : didYouMean(library.from, drafts.keys()),
    );
    return;
  }
  if (from.scope !== 'platform' || screen.scope === 'platform')
    source.report(
      ['library', 'from'],
      `"${screen.name}" cannot take records from "${from.name}".`,
      'A list of clients takes from a list with "scope": "platform".',
    );
  if (!from.fields.some(({ name }) => name === 'code'))
    source.report(
      ['library', 'from'],
      `"${from.name}" has no field "code" by which its records are known again.`,
      'Choose a list with codes.',
    );
  const own = new Set(screen.fields.map(({ name }) => name));
  const origin = screen.fields.find(({ name }) => name === library.origin);
  if (!origin) unknown(source, ['library', 'origin'], library.origin, own, '"origin"');
  else if (!['text', 'code'].includes(origin.type))
    source.report(
      ['library', 'origin'],
      `"${origin.name}" cannot keep a code: it is of type ${origin.type}.`,
      'Choose a text field.',
    );
  for (const [name, theirs] of Object.entries(library.map)) {
    const path = ['library', 'map', name];
    const field = screen.fields.find((one) => one.name === name);
    const given = from.fields.find((one) => one.name === theirs);
    if (!field) unknown(source, path, name, own, 'the library');
    else if (!given)
      unknown(
        source,
        path,
        theirs,
        from.fields.map((one) => one.name),
        `the library (a field of ${from.name})`,
      );
    else if (
      field.ref
        ? drafts.get(field.ref.type)?.screen.library?.from !== given.ref?.type
        : (field.rows === undefined) !== (given.rows === undefined) ||
          (given.ref !== undefined && (given.type !== 'ref' || !['text', 'code'].includes(field.type)))
    )
      source.report(
        path,
        `"${theirs}" of ${from.name} does not fit "${name}".`,
        field.ref
          ? `"${field.ref.type}" needs a "library" that comes from "${given.ref?.type ?? '…'}".`
          : 'Choose a field of the same kind.',
      );
  }
}

const PEOPLE = new Set(['users', 'employee', 'common_user']);

/** Words that say whose a record is. */
function checkOwners({ screen, source }: Draft, names: Set<string>): void {
  const check = (name: string, path: Path, word: string) => {
    const field = screen.fields.find((one) => one.name === name);
    if (name === 'created_by') return;
    if (!field) unknown(source, path, name, names, word);
    else if (!field.ref || !PEOPLE.has(field.ref.type))
      source.report(
        path,
        `"${name}" says nothing of whose a record is: it refers to no user and no employee.`,
        'Choose a field with "x-ref": "employee" or "users", or created_by.',
      );
  };
  screen.mine?.forEach((name, index) => check(name, ['mine', index], '"mine"'));
  if (!screen.personal) return;
  check(screen.personal.owner, ['personal', 'owner'], '"personal"');
  const { shared } = screen.personal;
  shared?.with.forEach((name, index) => check(name, ['personal', 'shared', 'with', index], '"personal"'));
  const conditions: [Path, string, string][] = [
    ...Object.entries(screen.personal.when ?? {}).map(([name, value]): [Path, string, string] => [
      ['personal', 'when', name],
      name,
      value,
    ]),
    ...Object.entries(shared?.when ?? {}).map(([name, value]): [Path, string, string] => [
      ['personal', 'shared', 'when', name],
      name,
      value,
    ]),
  ];
  for (const [path, name, value] of conditions) {
    const field = screen.fields.find((one) => one.name === name);
    if (!field) unknown(source, path, name, names, '"personal"');
    else if (field.type !== 'enum' || !field.options?.some((option) => option.value === value))
      source.report(
        path,
        `"${value}" is not a value of "${name}".`,
        'Choose a field that is one of a list, and one of its values.',
      );
  }
}

/** What falls due: a date, and people. */
function checkDue({ screen, source }: Draft, names: Set<string>): void {
  screen.due?.forEach(({ event, module, date, open, openRows, people }, index) => {
    const at = (...path: Path): Path => ['due', index, ...path];
    const [head = '', column] = date.split('.');
    const rows = screen.fields.find(({ name }) => name === head)?.rows;
    /** A field, or a column of the rows that fall due. */
    const fieldAt = (name: string): Field | undefined => {
      const [first = '', second] = name.split('.');
      return second === undefined
        ? screen.fields.find((field) => field.name === first)
        : column !== undefined && first === head
          ? rows?.find((field) => field.name === second)
          : undefined;
    };
    if (screen.due!.some((other, before) => before < index && other.event === event && other.module === module))
      source.report(at('event'), `Two dates are called "${event}".`, 'Choose another event for one of them.');
    const day = fieldAt(date);
    if (!day) unknown(source, at('date'), date, names, '"due"');
    else if (day.type !== 'date')
      source.report(
        at('date'),
        `"${date}" is of type ${day.type}; only a date falls due.`,
        'Choose a field { "$ref": "types#date" }, or a column of child rows such as "documents.expires_on".',
      );
    for (const [part, name] of Object.entries(people)) {
      const field = fieldAt(name);
      const person = field
        ? field.type === 'ref' && PEOPLE.has(field.ref?.type ?? '')
        : name === 'created_by' || (name === 'id' && screen.name === 'employee');
      if (!person)
        source.report(
          at('people', part),
          `"${name}" names nobody: it refers to no user and no employee.`,
          'Choose a field with "x-ref": "employee" or "users", or created_by.',
        );
    }
    const filters = [
      ['open', open, screen],
      ['openRows', openRows, { ...screen, fields: rows ?? [] }],
    ] as const;
    for (const [word, filter, of] of filters) {
      const parsed = parseFilter(filter, of);
      if ('error' in parsed) source.report(at(word), parsed.error, 'Write for instance ["status", "in", ["planned"]].');
    }
    if (openRows && column === undefined)
      source.report(at('openRows'), 'Here the record itself falls due.', 'Write its filter as "open".');
  });
}

/** A type that lays a client's wishes over another: its fields are those the engine reads, and name what is there. */
function checkOverlay({ screen, source }: Draft, drafts: Map<string, Draft>, fileNames: Set<string>): void {
  if (screen.overlay === undefined) return;
  const { type } = screen.overlay;
  const target = drafts.get(type)?.screen;
  if (!target) {
    source.report(
      ['overlay'],
      fileNames.has(type) ? `"${type}" has mistakes of its own.` : `There is no record type "${type}".`,
      fileNames.has(type) ? 'Mend that file first.' : didYouMean(type, drafts.keys()),
    );
    return;
  }
  if (screen.scope !== 'tenant' || target.scope === 'platform' || target.overlay !== undefined)
    source.report(
      ['overlay'],
      `"${screen.name}" cannot set the fields of "${target.name}".`,
      'Write it with "scope": "tenant", for a type of clients that is no overlay itself.',
    );
  for (const name of ['field', 'shown'] as const)
    if (!screen.fields.some((field) => field.name === name))
      source.report(
        ['schema'],
        `An overlay needs the field "${name}".`,
        `Write "${name}": { ${name === 'field' ? '"enum": ["…"]' : '"$ref": "types#boolean", "default": true'} }.`,
      );
  const allowed: Partial<Record<string, ReadonlySet<string>>> = {
    field: new Set(target.fields.map(({ name }) => name)),
    section: new Set(target.form.tabs.map(({ title }) => tabCode(title))),
    type: new Set(OWN_TYPES),
    mask: new Set(['none', 'last4', 'hidden']),
    in_list: new Set(['shown', 'ready']),
  };
  for (const field of screen.fields) {
    const kind = (SETTING_FIELDS as Record<string, string>)[field.name];
    const path = ['schema', 'properties', field.name];
    if (kind !== undefined && field.type !== kind)
      source.report(
        path,
        `"${field.name}" of an overlay is of type ${kind}.`,
        `Write it as ${kind}, or call it something else.`,
      );
    else
      for (const { value } of field.options ?? [])
        if (allowed[field.name]?.has(String(value)) === false)
          source.report(
            [...path, 'enum'],
            `"${value}" is nothing of ${target.name} for "${field.name}".`,
            didYouMean(String(value), allowed[field.name]!),
          );
  }
}

/** Words of settings, and of what depends on them. */
function checkSettings({ screen, descriptor, source }: Draft, drafts: Map<string, Draft>, values: ValueCheck): void {
  const shared = screen.kind === 'settings' && screen.scope === 'tenant';
  const condition = (written: unknown, path: Path) => {
    if (typeof written !== 'object' || written === null) return;
    const found = settingCondition(written as Record<string, string>);
    const target = found && drafts.get(found.type)?.screen;
    const field = target?.fields.find(({ name }) => name === found?.field);
    if (target?.kind !== 'settings' || target.scope !== 'tenant' || !field || field.override)
      source.report(
        path,
        `${JSON.stringify(written)} is no setting of a client.`,
        'Write a settings screen shared by all companies, one of its fields that companies do not set themselves, and its value: { "configuration.employee_number": "automatic" }.',
      );
    else {
      const message = values.error(field, found!.is);
      if (message !== null)
        source.report(
          path,
          `${JSON.stringify(found!.is)} is not a valid value of "${field.name}" of ${target.name}: ${message}`,
          'Write a value that the setting can have.',
        );
    }
  };
  condition(descriptor.number?.when, ['number', 'when']);
  for (const field of screen.fields) {
    const path = ['schema', 'properties', field.name];
    for (const inner of [field, ...(field.rows ?? [])]) {
      const written =
        inner === field
          ? descriptor.schema.properties?.[field.name]
          : descriptor.schema.properties?.[field.name]?.items?.properties?.[inner.name];
      condition(written?.['x-across-companies'], [
        ...path,
        ...(inner === field ? [] : ['items', 'properties', inner.name]),
        'x-across-companies',
      ]);
    }
    if (field.override && field.risk)
      source.report(
        [...path, 'x-override'],
        `"${field.name}" cannot be left to companies: its safe value is for all.`,
        'Leave out "x-override" or "x-risk".',
      );
    else if (field.override && (!shared || field.rows || field.secret || field.ref))
      source.report(
        [...path, 'x-override'],
        `Companies cannot set "${field.name}" themselves.`,
        'It is for simple values of settings that all companies share: "kind": "settings", "scope": "tenant".',
      );
    if (!field.risk) continue;
    if (screen.kind !== 'settings')
      source.report(
        [...path, 'x-risk'],
        `"${field.name}" is no setting.`,
        'Leave it out; "rules" say what a record may not have.',
      );
    const message = values.error(field, field.risk.safe);
    if (message !== null)
      source.report(
        [...path, 'x-risk', 'safe'],
        `The safe value ${JSON.stringify(field.risk.safe)} is not a valid value of "${field.name}": ${message}`,
        'Write a value that the setting can have.',
      );
  }
}

/** One validator for values written in descriptors: hundreds of fields have the same schema, which is compiled once. */
class ValueCheck {
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false });
  readonly #compiled = new Map<string, ValidateFunction>();

  /** What is wrong with a value of the field, or null. */
  error(field: Field, value: unknown): string | null {
    const key = JSON.stringify(field.schema);
    try {
      const validate = this.#compiled.get(key) ?? this.#ajv.compile(JSON.parse(key) as object);
      this.#compiled.set(key, validate);
      return validate(value)
        ? valueMessage(field, value)
        : `${this.#ajv.errorsText(validate.errors, { dataVar: 'it' })}.`;
    } catch (error) {
      return `the JSON Schema of the field does not compile (${(error as Error).message}).`;
    }
  }
}

function checkFields(
  screen: Screen,
  drafts: Map<string, Draft>,
  fileNames: Set<string>,
  values: ValueCheck,
  source: Source,
): void {
  const each = (fields: Field[], path: Path, siblings: Field[]) => {
    for (const field of fields) {
      const at = [...path, field.name];
      if (field.ref) checkReference(field, at);
      if (field.fetch) checkFetch(field, at, siblings);
      if (field.default !== undefined && field.type !== 'rows') {
        const message = values.error(field, field.default);
        if (message !== null)
          source.report(
            [...at, 'default'],
            `The default ${JSON.stringify(field.default)} is not a valid value of "${field.name}": ${message}`,
            'Change the default or the field.',
          );
      }
      if (typeof field.schema.pattern === 'string' && !compiles(field.schema.pattern))
        source.report(
          [...at, 'pattern'],
          'This pattern is not a regular expression.',
          'Test it before you write it here.',
        );
      field.uniqueRows?.forEach((name, index) => {
        const column = field.rows?.find((one) => one.name === name);
        const path = [...at, 'x-unique', index];
        if (!column)
          unknown(source, path, name, field.rows?.map((one) => one.name) ?? [], '"x-unique" (a column of the rows)');
        else if (UNKEYED.has(column.type))
          source.report(
            path,
            `"${name}" cannot be part of a key: it is of type ${column.type}.`,
            'Choose a column with one short value.',
          );
      });
      if (field.rows) each(field.rows, [...at, 'items', 'properties'], field.rows);
    }
  };
  const checkReference = (field: Field, at: Path) => {
    const target = field.ref!.type;
    if (target === '') return;
    const found = drafts.get(target)?.screen;
    if (!found) {
      source.report(
        [...at, 'x-ref'],
        fileNames.has(target) ? `"${target}" has mistakes of its own.` : `There is no record type "${target}".`,
        fileNames.has(target) ? 'Mend that file first.' : didYouMean(target, drafts.keys()),
      );
      return;
    }
    if (found.scope === 'platform' && screen.scope !== 'platform')
      source.report(
        [...at, 'x-ref'],
        `"${target}" lives on the platform; a tenant's record cannot refer to it.`,
        'Keep its code as text.',
      );
    if (found.scope !== 'platform' && screen.scope === 'platform')
      source.report(
        [...at, 'x-ref'],
        `"${target}" lives with each client; a record of the platform cannot refer to it.`,
        'Keep its code as text.',
      );
    for (const [theirs, ours] of Object.entries(field.ref!.filter ?? {})) {
      if (!found.fields.some((one) => one.name === theirs))
        unknown(
          source,
          [...at, 'x-ref-filter'],
          theirs,
          found.fields.map((one) => one.name),
          `x-ref-filter (a field of ${target})`,
        );
      if (
        !screen.fields.some((one) => one.name === ours) &&
        !screen.fields.some((one) => one.rows?.some((inner) => inner.name === ours))
      )
        unknown(
          source,
          [...at, 'x-ref-filter', theirs],
          ours,
          screen.fields.map((one) => one.name),
          'x-ref-filter (a field of this form)',
        );
    }
    for (const [theirs, value] of Object.entries(field.ref!.fixed ?? {})) {
      const path = [...at, 'x-ref-filter', theirs];
      const other = found.fields.find((one) => one.name === theirs);
      if (!other)
        unknown(
          source,
          path,
          theirs,
          found.fields.map((one) => one.name),
          `x-ref-filter (a field of ${target})`,
        );
      else if (!FIXED_TYPES.has(other.type))
        source.report(
          path,
          `"${theirs}" of ${target} cannot be compared with a fixed value: it is of type ${other.type}.`,
          'Choose a list of values, a text, a number, yes or no, or tags.',
        );
      else {
        const message = values.error(other, other.type === 'tags' ? [value] : value);
        if (message !== null)
          source.report(
            [...path, 'const'],
            `${JSON.stringify(value)} is not a valid value of "${theirs}" of ${target}: ${message}`,
            'Write a value that a record can have there.',
          );
      }
    }
  };
  const checkFetch = (field: Field, at: Path, siblings: Field[]) => {
    const { via, field: from } = field.fetch!;
    const reference = siblings.find((one) => one.name === via);
    if (!reference && siblings !== screen.fields && screen.fields.some((one) => one.name === via && one.ref)) {
      source.report(
        [...at, 'x-fetch'],
        `"${via}" is a reference of the record, not of the row.`,
        `Fetch "${from}" into a field of the record, and name that field in an "x-formula" of the row.`,
      );
      return;
    }
    if (!reference?.ref || reference.type !== 'ref') {
      source.report(
        [...at, 'x-fetch'],
        `"${via}" is not a reference of this form.`,
        didYouMean(
          via,
          siblings.filter((one) => one.type === 'ref').map((one) => one.name),
        ),
      );
      return;
    }
    const target = drafts.get(reference.ref.type)?.screen;
    if (!target) return;
    const found = target.fields.find((one) => one.name === from);
    if (!found)
      unknown(
        source,
        [...at, 'x-fetch'],
        from,
        target.fields.map((one) => one.name),
        `x-fetch (a field of ${target.name})`,
      );
    else if (found.secret || found.rows)
      source.report(
        [...at, 'x-fetch'],
        `"${from}" of ${target.name} cannot be copied: it ${found.secret ? 'is secret' : 'holds child rows'}.`,
        'Choose another field.',
      );
    else if (!canHold(field, found))
      source.report(
        [...at, 'x-fetch'],
        `"${field.name}" is of type ${field.type} and cannot hold "${from}" of ${target.name}, which is of type ${found.type}.`,
        found.ref
          ? `Write { "$ref": "types#${found.type}", "x-ref": "${found.ref.type}" } with the same "x-fetch".`
          : `Write { "$ref": "types#${found.type}" } with the same "x-fetch".`,
      );
  };
  each(screen.fields, ['schema', 'properties'], screen.fields);
}

const WRITTEN = new Set(['text', 'name', 'code', 'long_text']);
const NUMBERS = new Set(['money', 'decimal', 'quantity', 'percent']);

/** Whether what a field of another type holds is a value of this one. */
function canHold(field: Field, from: Field): boolean {
  if (field.ref || from.ref) return field.type === from.type && field.ref?.type === from.ref?.type;
  if (field.type === from.type) return true;
  if (NUMBERS.has(field.type)) return NUMBERS.has(from.type) || WHOLE.has(from.type);
  if (WHOLE.has(field.type)) return WHOLE.has(from.type);
  const text = fieldType(from.type).sql(from) === 'text';
  return (WRITTEN.has(field.type) || (field.type === 'enum' && WRITTEN.has(from.type))) && text;
}
const WHOLE = new Set(['integer', 'duration', 'rating']);

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** Fields by name, those of the first list before the others. */
const namedIn =
  (...lists: Field[][]): Named =>
  (name) => {
    for (const list of lists) {
      const field = list.find((one) => one.name === name);
      if (field) return field;
    }
    return undefined;
  };

function checkExpressions(screen: Screen, names: Set<string>, source: Source): void {
  const known = new Set([...names, ...RECORD_FIELDS, 'entity_id']);
  const columns = new Map(
    screen.fields
      .filter((field) => field.rows)
      .map((field) => [field.name, new Set(field.rows!.map((inner) => inner.name))]),
  );
  const own = namedIn(screen.fields);
  // A field whose type is not known would seem to be text.
  const areFieldsRight = source.problems.length === 0;
  /** Names used, or null when the text itself is wrong. */
  const check = (
    text: string,
    path: Path,
    scope: Set<string>,
    purpose: Field | 'condition',
    named: Named = own,
  ): string[] | null => {
    const before = source.problems.length;
    try {
      const { names: used } = compileExpression(text);
      for (const name of used) {
        const [rows, column] = name.split('.');
        if (column !== undefined) {
          if (!columns.has(rows!))
            source.report(path, `"${rows}" is not a field with child rows.`, didYouMean(rows!, columns.keys()));
          else if (!columns.get(rows!)!.has(column))
            unknown(source, path, column, columns.get(rows!)!, `the rows of ${rows}`);
        } else if (!scope.has(name)) unknown(source, path, name, scope, 'the expression');
      }
      if (used.length === 0)
        source.report(
          path,
          'This expression names no field, so it always gives the same.',
          'Write what it depends on, such as qty * rate.',
        );
      const problem = areFieldsRight && source.problems.length === before ? typeProblem(text, named, purpose) : null;
      if (problem) source.report(path, problem.message, problem.hint);
      return used;
    } catch (error) {
      if (!(error instanceof ExpressionSyntaxError)) throw error;
      source.report(
        path,
        `"${text}" cannot be read: ${error.message}`,
        'docs/descriptors.md lists what an expression may say.',
      );
      return null;
    }
  };
  const uses = new Map<string, string[]>();
  const places = new Map<string, Path>();
  /** Columns are known as rows.column to the record, and by their name alone to each other. */
  const fields = (list: Field[], path: Path, scope: Set<string>, rows?: string) => {
    const named = namedIn(list, screen.fields);
    const full = (name: string) =>
      rows !== undefined && list.some((field) => field.name === name) ? `${rows}.${name}` : name;
    for (const field of list) {
      const at = [...path, field.name];
      if (field.formula) {
        uses.set(full(field.name), (check(field.formula, [...at, 'x-formula'], scope, field, named) ?? []).map(full));
        places.set(full(field.name), [...at, 'x-formula']);
      }
      if (field.when) check(field.when, [...at, 'x-when'], scope, 'condition', named);
      if (field.requiredWhen) check(field.requiredWhen, [...at, 'x-required-when'], scope, 'condition', named);
      if (field.risk) check(field.risk.when, [...at, 'x-risk', 'when'], scope, 'condition', named);
      if (field.rows)
        fields(
          field.rows,
          [...at, 'items', 'properties'],
          new Set([...field.rows.map((inner) => inner.name), ...known]),
          field.name,
        );
    }
  };
  fields(screen.fields, ['schema', 'properties'], known);
  const inCircle = new Set<string>();
  for (const name of uses.keys()) {
    const circle = inCircle.has(name) ? null : circleFrom(name, uses);
    if (!circle) continue;
    circle.forEach((one) => inCircle.add(one));
    const start = circle.find((one) => !one.includes('.')) ?? name;
    const at = circle.indexOf(start);
    const turned = at <= 0 ? circle : [...circle.slice(at, -1), ...circle.slice(0, at), start];
    source.report(
      places.get(start)!,
      `The formula goes round in a circle: ${turned.join(' → ')}.`,
      'One of these must be entered by hand.',
    );
  }
  screen.rules.forEach((rule, index) => {
    const inner = rule.rows === undefined ? undefined : columns.get(rule.rows);
    if (rule.rows !== undefined && !inner)
      source.report(
        ['rules', index, 'rows'],
        `"${rule.rows}" is not a field with child rows.`,
        didYouMean(rule.rows, columns.keys()),
      );
    const rows = screen.fields.find(({ name }) => name === rule.rows)?.rows ?? [];
    check(
      String(rule.assert ?? ''),
      ['rules', index, 'assert'],
      new Set([...known, ...(inner ?? [])]),
      'condition',
      namedIn(rows, screen.fields),
    );
    if (rule.field !== undefined && !(inner ?? names).has(rule.field))
      unknown(source, ['rules', index, 'field'], rule.field, inner ?? names, 'the rule');
    const words = new Set([...names, ...(inner ?? [])]);
    for (const [, word = ''] of String(rule.message ?? '').matchAll(/\{(\w+)\}/g))
      if (!words.has(word)) unknown(source, ['rules', index, 'message'], word, words, 'the message');
  });
  const titles = screen.actions.map(({ title }) => title);
  screen.actions.forEach(({ title, when }, index) => {
    if (titles.indexOf(title) < index)
      source.report(
        ['actions', index, 'title'],
        `Two actions are called "${title}".`,
        'Give each action its own words.',
      );
    if (when !== undefined) check(when, ['actions', index, 'when'], known, 'condition');
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
    ...Object.entries(screen.routes).flatMap(([page, route]): [string, string, Path][] =>
      route === null ? [] : [[page, route, ['routes', page]]],
    ),
    ...Object.entries(screen.sameAs).map(([route, page]): [string, string, Path] => [page, route, ['sameAs', route]]),
    ...(screen.hierarchy
      ? [['hierarchy', screen.hierarchy.route, ['hierarchy', 'route']] as [string, string, Path]]
      : []),
  ];
  for (const [page, route, path] of all) {
    if (typeof route !== 'string' || !/^\/[\w:/.-]*$/.test(route)) {
      source.report(
        path,
        `"${String(route)}" is not an address.`,
        'Addresses begin with / and hold letters, digits, _ - and :parameters.',
      );
      continue;
    }
    if (path[0] === 'sameAs' && page !== 'import' && !PAGES.includes(page as PageType))
      source.report(path, `"${page}" is not a page.`, `There are: ${[...PAGES, 'import'].join(', ')}.`);
    for (const [, parameter] of path[0] === 'sameAs' && page === 'landing' && screen.kind !== 'settings'
      ? route.matchAll(/:(\w+)/g)
      : [])
      if (!screen.fields.some(({ name }) => name === parameter))
        source.report(
          path,
          `":${parameter}" is not a field.`,
          'Parameters of an address that leads to the list are fields: the list opens filtered by them.',
        );
    const shape = route.replace(/:\w+/g, ':');
    const other = routes.get(shape);
    // One address for both: with ?id= it edits, without it adds.
    const shared = other?.name === screen.name && other.page === 'add' && page === 'edit';
    if (other && !shared)
      source.report(
        path,
        `Address ${route} is taken by ${other.name} (${other.page}).`,
        'Give one of them another address under "routes", or keep it for one screen alone.',
      );
    else routes.set(shape, { name: screen.name, page });
  }
}
