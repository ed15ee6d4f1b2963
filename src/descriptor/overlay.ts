import type { FieldAccess } from '../domain/field_access.ts';
import { screenHash } from './compile.ts';
import { compileExpression } from './expression/compile_expression.ts';
import { needsOf } from './expression/scope.ts';
import { compileFields } from './compile_fields.ts';
import { expand, objectSchema } from './fields.ts';
import { fieldType } from './fieldtypes/registry.ts';
import { OWN, OWN_TYPES, ownFieldName, productField, rowsOf } from './setting_fields.ts';
import type { FieldSetting } from './setting_fields.ts';
import { Source } from './source.ts';
import type { Field, FieldError, JsonSchema, Rule, Screen } from './types.ts';
import { noteUnseen, unseenOf, withoutValues } from './unseen.ts';
import type { Unseen } from './unseen.ts';
import { valueMessage } from './validate.ts';
import { isDetail } from './report_fields.ts';
import type { OwnPrint } from './prints.ts';
import type { OwnSeries } from './words/number.ts';
import { fieldWords } from './words/field/registry.ts';
import { inOrder } from './words/form.ts';
import { screenWords } from './words/registry.ts';
import type { Laying } from './words/word.ts';

const products = new WeakMap<Screen, Screen>();

/** The product's version of the screen. */
export function productScreen(screen: Screen): Screen {
  return products.get(screen) ?? screen;
}

/** A screen with the client's own number patterns. */
export function withSeries(screen: Screen, own: OwnSeries[]): Screen {
  const rule = screen.number ? 'number' : 'numberAt';
  if (!screen[rule] || screen[rule].fixed) return screen;
  const made = { ...screen, [rule]: { ...screen[rule], own } };
  made.hash = screenHash(made);
  products.set(made, productScreen(screen));
  noteUnseen(made, unseenOf(screen));
  return made;
}

/** A screen with the client's print designs, by print name. */
export function withPrints(screen: Screen, own: ReadonlyMap<string, OwnPrint[]>): Screen {
  if (!screen.prints?.some(({ name }) => own.has(name))) return screen;
  const made = {
    ...screen,
    prints: screen.prints.map((print) => {
      // A print that is like another uses that one's design, unless it has its own.
      const designs = own.get(print.name) ?? own.get(print.like ?? print.name);
      return designs ? { ...print, own: designs } : print;
    }),
  };
  made.hash = screenHash(made);
  products.set(made, productScreen(screen));
  noteUnseen(made, unseenOf(screen));
  return made;
}

/** A custom field of the client, or why it is not possible. */
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

/** A field with the setting's default value. */
function withDefault(field: Field, text: string | null | undefined): Field {
  if (text === null || text === undefined || text.trim() === '') return field;
  const parsed = fieldType(field.type).parse(text, field);
  return 'error' in parsed || parsed.value === null ? field : { ...field, default: parsed.value };
}

function namesIn(expression: string | undefined): string[] {
  return expression === undefined ? [] : [...needsOf([compileExpression(expression)]).keys()];
}

/** JSON Schema conditions besides the fields: if, then, dependentRequired … */
function conditionsOf(screen: Screen): JsonSchema {
  const { $id: _id, type: _type, properties: _properties, required: _required, ...conditions } = screen.schema;
  return conditions;
}

const NAMING_PEOPLE = ['users', 'employee', 'partner', 'common_user'];

/**
 * Why a field of the product cannot be hidden from everybody, or null. References to people, branches and partners
 * decide who sees a record.
 */
function neededFor(screen: Screen, name: string): string | null {
  const field = screen.fields.find((one) => one.name === name);
  for (const { overlay } of screenWords) {
    const reason = overlay?.needs?.(screen, name);
    if (reason) return reason;
  }
  if (field?.type === 'ref' && (name === 'branch_id' || NAMING_PEOPLE.includes(field.ref!.type)))
    return 'it decides who sees the record';
  return null;
}

/** The single words of a part of a descriptor, among them names of columns. */
const tokensOf = (part: unknown): string[] => JSON.stringify(part ?? null).split(/\W/);

/** Why a column of rows cannot be hidden, or null. */
function columnNeededFor(
  screen: Screen,
  { name: rows, rows: columns = [], ...word }: Field,
  column: Field,
): string | null {
  const { name } = column;
  const { schema: _schema, ...rest } = screen;
  if (new RegExp(`\\b${rows}\\.${name}\\b`).test(JSON.stringify(rest))) return 'other fields, or steps, go by it';
  if (
    word.uniqueRows?.includes(name) === true ||
    screen.ranges?.some(({ from, to, key, rows: of }) => of === rows && [from, to, ...key].includes(name)) === true
  )
    return 'no two rows may have the same';
  if (column.formula !== undefined || column.period !== undefined || column.rows)
    return 'it is calculated, or a period';
  if (columns.some((one) => namesIn(one.formula).includes(name) || one.currencyFrom === name || one.unitFrom === name))
    return 'it is part of a calculation';
  if (tokensOf([screen.prints, screen.makes]).includes(name)) return 'another document, or a print, has it';
  return column.type === 'ref' && NAMING_PEOPLE.includes(column.ref!.type) ? 'it says who does what' : null;
}

/** The errors of a setting, by its fields: the same for forms, imports and the HTTP interface. */
export function settingErrors(target: Screen, types: Record<string, JsonSchema>, setting: FieldSetting): FieldError[] {
  const errors: FieldError[] = [];
  const wrong = (field: keyof FieldSetting, message: string) => errors.push({ field, message });
  const inRows = rowsOf(setting);
  const table = inRows === null ? undefined : target.fields.find(({ name }) => name === inRows);
  if (inRows !== null) {
    if (ownFieldName(setting) !== null) wrong('kind', `Rows take no custom fields. Choose a standard field.`);
    if ((setting.mask ?? 'none') !== 'none') wrong('mask', 'Who sees the rows sees all of them. Choose "In full".');
    if (setting.in_report) wrong('in_report', 'Columns of rows are in no report. Clear this box.');
    if (errors.length > 0) return errors;
  } else if (ownFieldName(setting) !== null && isChangedInSteps(target)) {
    wrong(
      'kind',
      `${target.plural} take no custom fields: each step says what may be changed. Choose a standard field.`,
    );
    return errors;
  }
  const own = ownFieldName(setting) === null ? null : ownField(setting, types);
  if (typeof own === 'string') {
    wrong(setting.type === 'enum' ? 'choices' : 'type', own);
    return errors;
  }
  const fields = inRows === null ? target.fields : (table?.rows ?? []);
  const field = own ?? fields.find((one) => one.name === productField(setting));
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
  const reason = own ? null : table ? columnNeededFor(target, table, field) : neededFor(target, field.name);
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
    (table || withDefault(field, given).default === undefined)
  )
    wrong(
      table ? 'shown' : 'default_value',
      table
        ? `${field.title} must be filled in: show it.`
        : `${field.title} must be filled in, so it is hidden only with a value for new records. Enter one${field.ref ? ', or keep the field' : ''}.`,
    );
  if (setting.in_report && (setting.shown === false || !isDetail(field)))
    wrong('in_report', `${field.title} makes no column of a report. Clear this box.`);
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

/** Whether people may change only named fields of a record, whatever its state. */
const isChangedInSteps = ({ workflow }: Screen): boolean =>
  workflow !== undefined &&
  workflow.states.some(({ edit }) => typeof edit === 'object') &&
  !workflow.states.some(({ edit }) => edit === true);

/**
 * A field that a client requires is required only in the states in which people can enter it, so that it does not stop a
 * transition that only decides.
 */
function askedInStates({ workflow }: Screen, before: Field, field: Field): Field {
  if (!workflow || before.required || !field.required) return field;
  const open = workflow.states.filter(
    ({ edit }) => edit === true || (edit !== false && Object.values(edit).some((names) => names.includes(field.name))),
  );
  if (open.length === workflow.states.length) return field;
  if (open.length === 0) return { ...field, required: false };
  const when = `${workflow.field} in [${open.map(({ name }) => `'${name}'`).join(', ')}]`;
  return {
    ...field,
    required: false,
    requiredWhen: field.requiredWhen === undefined ? when : `(${field.requiredWhen}) or ${when}`,
  };
}

function usedInFormulas(screen: Screen, name: string): boolean {
  return screen.fields
    .flatMap((field) => [field, ...(field.rows ?? [])])
    .some((field) => namesIn(field.formula).includes(name));
}

/**
 * The screen of one client: the product's, with the client's settings applied. `sees` says whether the person may see a
 * field completely that the setting hides from others. Invalid or outdated settings are ignored: they never disable a
 * screen.
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
  const ofRecord = good.filter((setting) => rowsOf(setting) === null);
  const ofRows = Map.groupBy(good, rowsOf);
  const byName = new Map(
    ofRecord.flatMap((setting): [string, FieldSetting][] =>
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
    if (applied !== null) {
      const asked = askedInStates(product, field, applied);
      fields.push(asked.rows ? laidRows(asked, ofRows.get(field.name) ?? []) : asked);
    } else if (field.required && !field.readOnly) preset.push(withDefault(field, setting?.default_value));
  }
  const own: FieldSetting[] = [];
  for (const setting of ofRecord) {
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
  const goneOfRows = new Map(
    fields.map(({ name, rows }) => {
      const kept = new Set(rows?.map((column) => column.name));
      const before = product.fields.find((one) => one.name === name)?.rows ?? [];
      return [name, new Set(before.flatMap((column) => (kept.has(column.name) ? [] : [column.name])))] as const;
    }),
  );
  const speaksOfColumn = (rows: string | undefined, expression: string) =>
    rows !== undefined && namesIn(expression).some((name) => goneOfRows.get(rows)?.has(name) === true);
  const free = fields.map((field) => unbound(field, { gone, speaksOf }));
  const laying: Laying = {
    product,
    fields: free,
    gone,
    changed,
    settings: byName,
    own,
    kept: (names) => names.filter((name) => !gone.has(name.replace(/^-/, ''))),
    speaksOf,
    speaksOfColumn,
  };
  const screen: Screen = Object.assign(
    {
      ...product,
      schema: { ...conditionsOf(product), ...objectSchema(free, false), $id: product.schema.$id },
      fields: free,
    },
    ...screenWords.map(({ overlay }) => overlay?.lay?.(laying)),
    preset.length > 0 && { preset },
  );
  screen.hash = screenHash(screen);
  products.set(screen, productScreen(product));
  // A field hidden from everybody is removed; one hidden from some people still exists.
  const nowhere = new Set(
    product.fields.flatMap(({ name }) => (byName.get(name)?.shown === false && changed.has(name) ? [name] : [])),
  );
  noteUnseen(
    screen,
    unseenIn(
      product,
      product.rules.filter((rule) => !screen.rules.includes(rule) && !speaksOfColumn(rule.rows, rule.assert)),
      new Set([...changed].filter((name) => !nowhere.has(name))),
      nowhere,
    ),
  );
  return screen;
}

/** Of the rules that a screen loses, those that still apply, together with those the screen lacked before. */
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
    // A field that people do not see is not required of them.
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

/** A field right as a setting that hides the field from this person. */
const keptBack = (field: string, access: FieldAccess): FieldSetting => ({
  kind: 'standard',
  field,
  shown: true,
  mask: access === 'hidden' ? 'hidden' : 'last4',
});

/**
 * Why a role cannot restrict a field of the screen in this way, or null. `adds`: whether the role can also add records.
 */
export function fieldRightError(screen: Screen, name: string, access: FieldAccess, adds: boolean): string | null {
  const field = screen.fields.find((one) => one.name === name);
  if (!field || field.count) return `${screen.title} has no field "${name}".`;
  if (access === 'write') return null;
  if (access !== 'read')
    return settingErrors(screen, {}, keptBack(name, access))[0]?.message.replace(/ Show it as it is\.$/, '') ?? null;
  for (const { overlay } of screenWords) {
    const reason = overlay?.writes?.(screen, name);
    if (reason) return `${field.title} ${reason}.`;
  }
  if (field.readOnly || field.formula !== undefined || field.fetch)
    return `${field.title} is filled in by the system; nobody writes it.`;
  if (adds && field.required && field.default === undefined)
    return `${field.title} must be filled in, so who adds records writes it. Untick Add, or let it be written.`;
  return null;
}

/** The screen for a person whose roles hide fields. Invalid or outdated restrictions are ignored. */
export function restricted(screen: Screen, access: ReadonlyMap<string, FieldAccess>): Screen {
  const away = [...access].flatMap(([field, kept]) =>
    kept === 'hidden' || kept === 'masked' ? [keptBack(field, kept)] : [],
  );
  const covered = away.length === 0 ? screen : overlaid(screen, {}, away, () => false);
  const isFixed = (field: Field) =>
    access.get(field.name) === 'read' && fieldRightError(screen, field.name, 'read', false) === null;
  // Nobody changes a value whose lock condition they cannot see: they enter it once.
  const closed = covered === screen ? new Set<Field>() : conditionsLost(screen.fields, covered.fields);
  if (closed.size === 0 && !covered.fields.some(isFixed)) return covered;
  const enteredOnce = (field: Field): Field => (closed.has(field) ? { ...field, once: true } : field);
  const fields = covered.fields.map((field): Field => {
    const own = enteredOnce(
      field.rows?.some((one) => closed.has(one)) ? { ...field, rows: field.rows.map(enteredOnce) } : field,
    );
    return isFixed(field)
      ? { ...own, readOnly: true, keptFrom: true }
      : closed.has(field)
        ? { ...own, once: true }
        : own;
  });
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

/** Fields, and columns of rows, that lose their lock condition, because it uses a missing field. */
function conditionsLost(before: Field[], after: Field[]): Set<Field> {
  const lost = new Set<Field>();
  for (const field of after) {
    const was = before.find(({ name }) => name === field.name);
    if (was?.readOnlyWhen !== undefined && field.readOnlyWhen === undefined) lost.add(field);
    if (was?.rows && field.rows) for (const column of conditionsLost(was.rows, field.rows)) lost.add(column);
  }
  return lost;
}

/** A field with its setting; null = it does not exist for this person. */
function apply(field: Field, setting: FieldSetting, whole: boolean): Field | null {
  if (setting.shown === false || (setting.mask === 'hidden' && !whole)) return null;
  const named: Field = {
    ...field,
    title: setting.label || field.title,
    ...(typeof setting.editable_by_employee === 'boolean' && { byPerson: setting.editable_by_employee }),
  };
  if (setting.mask === 'last4' && !whole) {
    const { name, title, help, custom } = named;
    // Text that is shown and never sent back: its validation knows nothing about the value.
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
    { ...named, required: field.required || (setting.required === true && !field.readOnly && !field.visible) },
    setting.default_value,
  );
}

/** Child rows with the settings of their columns; a hidden column leaves no reference behind. */
function laidRows(field: Field, settings: readonly FieldSetting[]): Field {
  if (settings.length === 0) return field;
  const byName = new Map(settings.map((setting) => [productField(setting) ?? '', setting]));
  const columns = field.rows!.flatMap((column) => {
    const setting = byName.get(column.name);
    return (setting ? apply(column, setting, true) : column) ?? [];
  });
  const there = new Set(columns.map(({ name }) => name));
  const gone = new Set(field.rows!.flatMap(({ name }) => (there.has(name) ? [] : [name])));
  const speaksOf = (expression: string | undefined) => namesIn(expression).some((name) => gone.has(name));
  const rows = columns.map((column) => unbound(column, { gone, speaksOf }));
  const numbers = new Map(settings.map((one) => [productField(one) ?? '', one.sequence_no ?? null]));
  const laid = (names: readonly string[]) =>
    inOrder(
      names.filter((name) => there.has(name)),
      numbers,
    );
  const isShown = (name: string, before: boolean) => {
    const chosen = byName.get(name)?.in_list ?? null;
    return chosen === null ? before : chosen === 'shown';
  };
  const shown = field.columns && [
    ...field.columns.filter((name) => isShown(name, true)),
    ...rows.flatMap(({ name }) => (!field.columns!.includes(name) && isShown(name, false) ? [name] : [])),
  ];
  return {
    ...field,
    rows,
    schema: { ...field.schema, items: { ...field.schema.items, ...objectSchema(rows, true) } },
    ...(shown && shown.some((name) => there.has(name)) && { columns: laid(shown) }),
    ...(field.sections && {
      sections: field.sections
        .map((section) => ({ ...section, fields: laid(section.fields) }))
        .filter(({ fields }) => fields.length > 0),
    }),
  };
}

/** References of a field to missing fields are removed. */
function unbound(field: Field, laying: Pick<Laying, 'gone' | 'speaksOf'>): Field {
  const free: Field = { ...field };
  for (const word of fieldWords) word.unbind?.(free, laying);
  if (field.rows) free.rows = field.rows.map((inner) => unbound(inner, laying));
  return free;
}
