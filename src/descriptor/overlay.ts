import type { FieldAccess } from '../domain/field_access.ts';
import { screenHash } from './compile.ts';
import { compileExpression } from './expression/compile_expression.ts';
import { needsOf } from './expression/scope.ts';
import { compileFields, expand, objectSchema } from './fields.ts';
import { fieldType } from './fieldtypes/registry.ts';
import { conditionFields } from './key_condition.ts';
import { OWN, OWN_TYPES, ownFieldName, productField, tabCode } from './setting_fields.ts';
import type { FieldSetting } from './setting_fields.ts';
import { Source } from './source.ts';
import type { Field, FieldError, FormSection, GridColumn, JsonSchema, Rule, Screen } from './types.ts';
import { noteUnseen, unseenOf, withoutValues } from './unseen.ts';
import type { Unseen } from './unseen.ts';
import { valueMessage } from './validate.ts';

const products = new WeakMap<Screen, Screen>();

/** The screen as the product has it, whoever's this one is. */
export function productScreen(screen: Screen): Screen {
  return products.get(screen) ?? screen;
}

/** A client's own field, or why there cannot be one. */
function ownField(setting: FieldSetting, types: Record<string, JsonSchema>): Field | string {
  const name = ownFieldName(setting)!;
  if (!setting.type || !OWN_TYPES.includes(setting.type) || !types[setting.type]) return 'Choose what the field holds.';
  const choices = setting.choices ?? [];
  if (setting.type === 'enum' && choices.length === 0) return 'Enter the values that may be chosen.';
  if (new Set(choices.map((choice) => choice.toLowerCase())).size < choices.length) return 'A value is there twice.';
  const source = new Source('', '{}');
  const schema: JsonSchema = {
    $ref: `types#${setting.type}`,
    title: setting.label || name.slice(OWN.length),
    ...(setting.type === 'enum' && {
      enum: choices,
      'x-labels': Object.fromEntries(choices.map((choice) => [choice, choice])),
    }),
  };
  const [field] = compileFields(
    expand(
      { properties: { [name]: schema }, ...(setting.required === true && { required: [name] }) },
      types,
      source,
      [],
    ),
    source,
    [],
  );
  if (!field || source.problems[0]) return source.problems[0]?.message ?? 'This cannot be a field.';
  return { ...field, custom: true };
}

/** A field with what a setting says of its value for new records. */
function withDefault(field: Field, text: string | null | undefined): Field {
  if (text === null || text === undefined || text.trim() === '') return field;
  const parsed = fieldType(field.type).parse(text, field);
  return 'error' in parsed || parsed.value === null ? field : { ...field, default: parsed.value };
}

function namesIn(expression: string | undefined): string[] {
  return expression === undefined ? [] : [...needsOf([compileExpression(expression)]).keys()];
}

/** JSON Schema beside the fields: if, then, dependentRequired … */
function conditionsOf(screen: Screen): JsonSchema {
  const { $id: _id, type: _type, properties: _properties, required: _required, ...conditions } = screen.schema;
  return conditions;
}

/** Why a field of the product must stay for everybody, or null. Who sees a record is decided by references to people, branches and partners. */
function neededFor(screen: Screen, name: string): string | null {
  const field = screen.fields.find((one) => one.name === name);
  if (screen.label.includes(name)) return 'it names the record';
  if (screen.number?.field === name) return 'it is the automatic number';
  if (
    screen.personal &&
    (screen.personal.owner === name ||
      name in (screen.personal.when ?? {}) ||
      screen.personal.shared?.with.includes(name) ||
      name in (screen.personal.shared?.when ?? {}))
  )
    return 'it decides who sees the record';
  if (screen.flow?.field === name || screen.kanban?.field === name) return 'it says how far the record is';
  if (screen.library && (screen.library.origin === name || name in screen.library.map))
    return 'it comes from the platform’s library';
  if (screen.tree?.parent === name) return 'it says what stands below what';
  if (screen.ranges?.some(({ from, to, key, rows }) => [rows, ...(rows ? [] : [from, to, ...key])].includes(name)))
    return 'it says when the record holds';
  if (
    field?.type === 'ref' &&
    (name === 'branch_id' || ['users', 'employee', 'partner', 'common_user'].includes(field.ref!.type))
  )
    return 'it decides who sees the record';
  if (JSON.stringify(conditionsOf(screen)).includes(`"${name}"`)) return 'other fields depend on it';
  return null;
}

/** What is wrong with a setting, under its own fields: the same for forms, imports and the interface. */
export function settingErrors(target: Screen, types: Record<string, JsonSchema>, setting: FieldSetting): FieldError[] {
  const errors: FieldError[] = [];
  const wrong = (field: keyof FieldSetting, message: string) => errors.push({ field, message });
  const own = ownFieldName(setting) === null ? null : ownField(setting, types);
  if (typeof own === 'string') {
    wrong(setting.type === 'enum' ? 'choices' : 'type', own);
    return errors;
  }
  const field = own ?? target.fields.find((one) => one.name === productField(setting));
  if (!field) return errors;
  if (own && !setting.label) wrong('label', 'Enter what the field is called.');
  const given = setting.default_value?.trim() ?? '';
  if (given !== '') {
    if (field.ref || field.rows || field.readOnly)
      wrong('default_value', `${field.title} takes no value to begin with.`);
    else {
      const parsed = fieldType(field.type).parse(given, field);
      const message =
        'error' in parsed ? parsed.error : parsed.value === null ? null : valueMessage(field, parsed.value);
      if (message !== null) wrong('default_value', message);
    }
  }
  const away = setting.shown === false || (setting.mask ?? 'none') !== 'none';
  const reason = own ? null : neededFor(target, field.name);
  if (away && reason !== null)
    wrong(setting.shown === false ? 'shown' : 'mask', `${field.title} cannot be hidden: ${reason}.`);
  if (field.required && !own && setting.required === false && setting.shown !== false)
    wrong('required', `${field.title} must be filled in for the product to work: tick this.`);
  if (setting.required && field.readOnly)
    wrong('required', `${field.title} is filled in by the system; nobody can be asked for it.`);
  if (setting.required && field.type === 'boolean')
    wrong('required', `${field.title} is yes or no; it is never empty.`);
  if (
    setting.shown === false &&
    reason === null &&
    field.required &&
    !own &&
    withDefault(field, given).default === undefined
  )
    wrong(
      'default_value',
      `${field.title} must be filled in, so it is hidden only with a value for new records. Enter one${field.ref ? ', or keep the field' : ''}.`,
    );
  if ((setting.mask ?? 'none') !== 'none' && setting.shown !== false) {
    if (field.required || setting.required)
      wrong('mask', `${field.title} must be filled in, also by those who would not see it. Show it as it is.`);
    else if (field.formula !== undefined || usedInFormulas(target, field.name))
      wrong('mask', `${field.title} is part of a calculation and cannot be kept from some people. Show it as it is.`);
    else if (
      setting.mask === 'last4' &&
      (field.rows || fieldType(field.type).sql(field) !== 'text' || field.type === 'enum' || field.secret)
    )
      wrong('mask', `${field.title} has no last four characters to show. Choose "Nothing".`);
  }
  if (setting.editable_by_employee && field.readOnly)
    wrong('editable_by_employee', `${field.title} is filled in by the system.`);
  return errors;
}

function usedInFormulas(screen: Screen, name: string): boolean {
  return screen.fields
    .flatMap((field) => [field, ...(field.rows ?? [])])
    .some((field) => namesIn(field.formula).includes(name));
}

/**
 * The screen of one client: the product's, with the client's settings laid over it. `sees` says whether the
 * person may see a field whole that the setting keeps from others. Settings that do not fit (any more) are as if
 * they were not there: they never take a screen away.
 */
export function overlaid(
  product: Screen,
  types: Record<string, JsonSchema>,
  settings: FieldSetting[],
  sees: (setting: FieldSetting) => boolean,
): Screen {
  const good = settings.filter(
    (setting) =>
      settingErrors(product, types, setting).length === 0 ||
      (setting.shown !== false && (setting.mask ?? 'none') === 'none'),
  );
  const byName = new Map(
    good.flatMap((setting): [string, FieldSetting][] =>
      productField(setting) === null ? [] : [[productField(setting)!, setting]],
    ),
  );
  const changed = new Set<string>();
  const preset: Field[] = [];
  const fields: Field[] = [];
  for (const field of product.fields) {
    const setting = byName.get(field.name);
    const applied = setting ? apply(field, setting, sees(setting)) : field;
    if (applied === null || applied.masked) changed.add(field.name);
    if (applied !== null) fields.push(applied);
    else if (field.required && !field.readOnly) preset.push(withDefault(field, setting?.default_value));
  }
  const own: FieldSetting[] = [];
  for (const setting of good) {
    if (ownFieldName(setting) === null || setting.shown === false) continue;
    const field = ownField(setting, types);
    const applied =
      typeof field === 'string' || fields.some(({ name }) => name === field.name)
        ? null
        : apply(field, { ...setting, shown: true }, sees(setting));
    if (applied === null) continue;
    fields.push(applied);
    own.push(setting);
  }
  const there = new Set(fields.map(({ name }) => name));
  const gone = new Set(product.fields.filter(({ name }) => !there.has(name)).map(({ name }) => name));
  const speaksOf = (expression: string | undefined) => namesIn(expression).some((name) => changed.has(name));
  const titles = new Map(product.fields.map(({ name, title }) => [name, title]));
  const columns = product.grid
    .filter(({ field }) => !gone.has(field))
    .map((column) => {
      const setting = byName.get(column.field);
      const title = fields.find(({ name }) => name === column.field)?.title;
      return {
        ...column,
        ...(title !== undefined && column.title === titles.get(column.field) && { title }),
        ...(setting?.in_list && { hidden: setting.in_list !== 'shown' }),
      };
    });
  for (const setting of own) {
    const field = fields.find(({ name }) => name === ownFieldName(setting)!)!;
    if (field.type !== 'long_text')
      columns.push({ field: field.name, title: field.title, hidden: setting.in_list !== 'shown', pinned: false });
  }
  const free = fields.map((field) => unbound(field, gone, speaksOf));
  const kept = (names: string[]) => names.filter((name) => !gone.has(name.replace(/^-/, '')));
  const keptRules = new Set(
    product.rules.filter(
      (rule) =>
        !speaksOf(rule.assert) &&
        !(rule.field !== undefined && rule.rows === undefined && changed.has(rule.field)) &&
        !(rule.rows !== undefined && changed.has(rule.rows)),
    ),
  );
  const screen: Screen = {
    ...product,
    schema: { ...conditionsOf(product), ...objectSchema(free, false), $id: product.schema.$id },
    fields: free,
    unique: product.unique.filter((key) => !key.some((name) => changed.has(name))),
    ...(product.uniqueWhen && {
      uniqueWhen: product.uniqueWhen.filter(
        ({ key, when }) =>
          !key.some((name) => changed.has(name)) && !conditionFields(when).some((name) => changed.has(name)),
      ),
    }),
    ...(product.kanban && { kanban: boardOf(product.kanban, kept, changed) }),
    ...(product.mine && { mine: product.mine.filter((name) => !changed.has(name)) }),
    rules: [...keptRules],
    form: { tabs: arrange(product.form.tabs, free, byName, own) },
    grid: broughtForward(columns, product),
    card: kept(product.card),
    sort: kept(product.sort),
    filters: kept(product.filters),
    views: product.views
      .filter((view) => ![...changed].some((name) => JSON.stringify([view.filter, view.sort]).includes(`"${name}"`)))
      .map((view) => ({ ...view, ...(view.columns && { columns: kept(view.columns) }) })),
    actions: product.actions.filter((action) => !speaksOf(action.when)),
    ...(preset.length > 0 && { preset }),
  };
  screen.hash = screenHash(screen);
  products.set(screen, productScreen(product));
  // A client takes a field away from everybody; what is hidden from some is there all the same.
  const nowhere = new Set(
    product.fields.flatMap(({ name }) => (byName.get(name)?.shown === false && changed.has(name) ? [name] : [])),
  );
  noteUnseen(
    screen,
    unseenIn(
      product,
      product.rules.filter((rule) => !keptRules.has(rule)),
      new Set([...changed].filter((name) => !nowhere.has(name))),
      nowhere,
    ),
  );
  return screen;
}

/** Of the rules that a screen loses, those that still hold, beside what the screen lacked before. */
function unseenIn(product: Screen, lost: Rule[], hidden: ReadonlySet<string>, nowhere: ReadonlySet<string>): Unseen {
  const before = unseenOf(product);
  const required = product.fields.flatMap((field): Rule[] => {
    const ask = (of: Field, rows?: string): Rule[] =>
      of.requiredWhen !== undefined && namesIn(of.requiredWhen).some((name) => hidden.has(name))
        ? [
            {
              assert: `if(${of.requiredWhen}, not (is_empty(${of.name})), true)`,
              message: `${of.title} is required.`,
              field: of.name,
              ...(rows !== undefined && { rows }),
            },
          ]
        : [];
    // Nobody is asked for a field that they do not see.
    return hidden.has(field.name)
      ? []
      : [...ask(field), ...(field.rows ?? []).flatMap((column) => ask(column, field.name))];
  });
  const about = (rule: Rule) => [...namesIn(rule.assert), ...(rule.rows === undefined ? [] : [rule.rows])];
  const holding = [...(before?.rules ?? []), ...lost, ...required].filter(
    (rule) => !about(rule).some((name) => nowhere.has(name)),
  );
  const named = new Set(holding.flatMap(about));
  const fields = [...(before?.fields ?? []), ...product.fields.filter(({ name }) => hidden.has(name))];
  return {
    rules: holding.map((rule) => withoutValues(rule, hidden)),
    fields: fields.filter(
      ({ name, masked }, at) => named.has(name) && !masked && fields.findIndex((one) => one.name === name) === at,
    ),
  };
}

/** A right on a field as a setting that hides it from this person. */
const keptBack = (field: string, access: FieldAccess): FieldSetting => ({
  kind: 'standard',
  field,
  shown: true,
  mask: access === 'hidden' ? 'hidden' : 'last4',
});

/** Why a role cannot keep a field of the screen like this, or null. `adds`: whether the role adds records too. */
export function fieldRightError(screen: Screen, name: string, access: FieldAccess, adds: boolean): string | null {
  const field = screen.fields.find((one) => one.name === name);
  if (!field || field.count) return `${screen.title} has no field "${name}".`;
  if (access === 'write') return null;
  if (access !== 'read')
    return settingErrors(screen, {}, keptBack(name, access))[0]?.message.replace(/ Show it as it is\.$/, '') ?? null;
  if (field.readOnly || field.formula !== undefined || field.fetch)
    return `${field.title} is filled in by the system; nobody writes it.`;
  if (screen.flow?.field === name || screen.kanban?.field === name)
    return `${field.title} goes on by its steps: untick the pages that take them.`;
  if (adds && field.required && field.default === undefined)
    return `${field.title} must be filled in, so who adds records writes it. Untick Add, or let it be written.`;
  return null;
}

/** The screen for somebody whose roles keep fields from them. What does not fit (any more) is as if it were not said. */
export function restricted(screen: Screen, access: ReadonlyMap<string, FieldAccess>): Screen {
  const away = [...access].flatMap(([field, kept]) =>
    kept === 'hidden' || kept === 'masked' ? [keptBack(field, kept)] : [],
  );
  const covered = away.length === 0 ? screen : overlaid(screen, {}, away, () => false);
  const isFixed = (field: Field) =>
    access.get(field.name) === 'read' && fieldRightError(screen, field.name, 'read', false) === null;
  if (!covered.fields.some(isFixed)) return covered;
  const fields = covered.fields.map((field): Field =>
    isFixed(field) ? { ...field, readOnly: true, keptFrom: true } : field,
  );
  const fixed: Screen = {
    ...covered,
    fields,
    schema: { ...conditionsOf(covered), ...objectSchema(fields, false), $id: covered.schema.$id },
  };
  fixed.hash = screenHash(fixed);
  products.set(fixed, productScreen(screen));
  noteUnseen(fixed, unseenOf(covered));
  return fixed;
}

/** A board without what the client has taken away: its sum, fields of its cards. */
function boardOf(
  { field, sum, card }: NonNullable<Screen['kanban']>,
  kept: (names: string[]) => string[],
  changed: ReadonlySet<string>,
): NonNullable<Screen['kanban']> {
  return { field, card: kept(card), ...(sum !== undefined && !changed.has(sum) && { sum }) };
}

/** Lists show so many columns at first: those that a client wants stand behind the two that name the record. */
function broughtForward(columns: GridColumn[], product: Screen): GridColumn[] {
  const before = new Set(product.grid.filter(({ hidden }) => !hidden).map(({ field }) => field));
  const wanted = columns.filter(({ field, hidden }) => !hidden && !before.has(field));
  if (wanted.length === 0) return columns;
  const others = columns.filter((column) => !wanted.includes(column));
  const second = others.filter(({ hidden }) => !hidden)[1];
  const at = second ? others.indexOf(second) + 1 : others.length;
  return [...others.slice(0, at), ...wanted, ...others.slice(at)];
}

/** A field under its setting; null = not there for this person. */
function apply(field: Field, setting: FieldSetting, whole: boolean): Field | null {
  if (setting.shown === false || (setting.mask === 'hidden' && !whole)) return null;
  const named: Field = {
    ...field,
    title: setting.label || field.title,
    ...(typeof setting.editable_by_employee === 'boolean' && { byPerson: setting.editable_by_employee }),
  };
  if (setting.mask === 'last4' && !whole) {
    const { name, title, help, custom } = named;
    // Text that is shown and never sent back: nothing of the value itself is known to what checks it.
    return {
      name,
      title,
      ...(help && { help }),
      ...(custom && { custom }),
      type: 'text',
      required: false,
      schema: { type: 'string' },
      secret: false,
      readOnly: true,
      masked: 'last4',
    };
  }
  return withDefault(
    { ...named, required: field.required || (setting.required === true && !field.readOnly) },
    setting.default_value,
  );
}

/** What a field says about fields that are not there any more is left out of it. */
function unbound(
  field: Field,
  gone: ReadonlySet<string>,
  speaksOf: (expression: string | undefined) => boolean,
): Field {
  const free: Field = { ...field };
  if (field.ref?.filter)
    free.ref = {
      ...field.ref,
      filter: Object.fromEntries(Object.entries(field.ref.filter).filter(([, ours]) => !gone.has(ours))),
    };
  if (field.fetch && gone.has(field.fetch.via)) delete free.fetch;
  if (speaksOf(field.when)) delete free.when;
  if (speaksOf(field.requiredWhen)) delete free.requiredWhen;
  if (field.rows) free.rows = field.rows.map((inner) => unbound(inner, gone, speaksOf));
  return free;
}

/** The form: fields that move to another tab go to its first section; within a section the numbers of the settings decide. */
function arrange(
  tabs: Screen['form']['tabs'],
  fields: Field[],
  settings: ReadonlyMap<string, FieldSetting>,
  own: FieldSetting[],
): Screen['form']['tabs'] {
  const there = new Set(fields.map(({ name }) => name));
  const moved = new Map<string, string[]>();
  const away = new Set<string>();
  const codes = new Set(tabs.map((tab) => tabCode(tab.title)));
  const move = (name: string, code: string) => {
    moved.set(code, [...(moved.get(code) ?? []), name]);
    away.add(name);
  };
  for (const tab of tabs)
    for (const section of tab.sections)
      for (const name of section.fields) {
        const code = settings.get(name)?.section;
        if (code && code !== tabCode(tab.title) && codes.has(code) && there.has(name)) move(name, code);
      }
  for (const setting of own) {
    const name = ownFieldName(setting)!;
    if (there.has(name))
      move(name, setting.section && codes.has(setting.section) ? setting.section : tabCode(tabs[0]!.title));
  }
  const numbers = new Map([
    ...[...settings].map(([name, { sequence_no }]) => [name, sequence_no ?? null] as const),
    ...own.map((setting) => [ownFieldName(setting)!, setting.sequence_no ?? null] as const),
  ]);
  return tabs.flatMap((tab) => {
    const sections = tab.sections.map((section, index): FormSection => {
      const come = index === 0 ? (moved.get(tabCode(tab.title)) ?? []) : [];
      return {
        ...section,
        fields: ordered([...section.fields.filter((name) => there.has(name) && !away.has(name)), ...come], numbers),
      };
    });
    const filled = sections.filter((section) => section.fields.length > 0);
    return filled.length > 0 ? [{ ...tab, sections: filled }] : [];
  });
}

/** Fields by their numbers; one without stays behind the field before it. */
function ordered(names: string[], numbers: ReadonlyMap<string, number | null>): string[] {
  let before = -1;
  const placed = names.map((name) => ({ name, at: (before = numbers.get(name) ?? before) }));
  return placed.sort((a, b) => a.at - b.at).map(({ name }) => name);
}
