import { fieldTypes } from './fieldtypes/registry.ts';
import { rangeKey } from './ranges.ts';
import { settingCondition } from './setting_condition.ts';
import { didYouMean } from './source.ts';
import type { Source } from './source.ts';
import type { Field, JsonSchema, Screen, WrittenRange } from './types.ts';

const COLOURS = ['neutral', 'brand', 'success', 'warning', 'danger'] as const;

/** "date_of_joining" → "Date of joining"; a trailing _id is left out. */
export function humanise(name: string): string {
  const words = name
    .replace(/_ids?$/, '')
    .replace(/_/g, ' ')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Replaces `$ref: "types#x"` by the definition, what stands beside it winning, all the way down. */
export function expand(
  schema: JsonSchema,
  types: Record<string, JsonSchema>,
  source: Source,
  path: (string | number)[],
  key = '',
): JsonSchema {
  let own = schema;
  const reference = schema.$ref;
  if (typeof reference === 'string') {
    const name = /^types#(?:\/\$defs\/)?(\w+)$/.exec(reference)?.[1];
    const found = name === undefined ? undefined : types[name];
    const { $ref: _taken, ...rest } = schema;
    if (found === undefined) {
      source.report(
        [...path, '$ref'],
        `There is no field type "${reference}".`,
        didYouMean(
          reference,
          Object.keys(types).map((key) => `types#${key}`),
        ),
      );
      return { ...rest, $ref: reference };
    }
    own = { ...found, ...rest };
    // The type's title is for a field of the type's own name ("GSTIN"); others are titled by their name ("Mobile").
    if (rest.title === undefined && found.title !== undefined && key.replace(/_id$/, '') !== name) delete own.title;
  }
  const result: JsonSchema = { ...own };
  if (own.properties)
    result.properties = Object.fromEntries(
      Object.entries(own.properties).map(([key, inner]) => [
        key,
        expand(inner, types, source, [...path, 'properties', key], key),
      ]),
    );
  if (own.items && typeof own.items === 'object') result.items = expand(own.items, types, source, [...path, 'items']);
  return result;
}

/** The type of a field whose author named none: from its JSON Schema. */
function inferType(schema: JsonSchema): string | null {
  const named = schema['x-type'];
  if (typeof schema['x-ref'] === 'string') return schema.type === 'array' || named === 'refs' ? 'refs' : 'ref';
  if (Array.isArray(schema.enum)) return 'enum';
  if (typeof named === 'string') return named;
  if (schema.type === 'array') return schema.items?.properties ? 'rows' : 'tags';
  if (schema.type === 'string')
    return schema.format === 'date' ? 'date' : schema.format === 'date-time' ? 'datetime' : 'text';
  if (schema.type === 'boolean' || schema.type === 'integer') return schema.type;
  if (schema.type === 'number') return 'decimal';
  return schema.type === 'object' ? 'json' : null;
}

/** Compiles the properties of a record (or of a child row) to fields. */
export function compileFields(schema: JsonSchema, source: Source, path: (string | number)[], inRows = false): Field[] {
  const required = new Set(schema.required ?? []);
  const names = Object.keys(schema.properties ?? {});
  for (const name of required)
    if (!names.includes(name))
      source.report(
        [...path, 'required'],
        `Required field "${name}" is not among the properties.`,
        didYouMean(name, names),
      );
  checkFormerNames(schema.properties ?? {}, source, [...path, 'properties'], inRows);
  return names.flatMap((name) => {
    const at = [...path, 'properties', name];
    const own = schema.properties![name]!;
    if (!/^[a-z][a-z0-9_]*$/.test(name) || name.length > 60 || name.includes('__')) {
      source.report(
        at,
        `"${name}" cannot be a field's name.`,
        'Use small letters, digits and single underscores, beginning with a letter, at most 60.',
      );
      return [];
    }
    if ((inRows ? RESERVED_IN_ROWS : RESERVED_FIELDS).has(name)) {
      source.report(
        at,
        `"${name}" is kept for the product: every ${inRows ? 'row' : 'record'} has it.`,
        'Choose another name.',
      );
      return [];
    }
    let type = inferType(own);
    if (type === null || !fieldTypes.has(type)) {
      // An unknown $ref has been reported; what follows treats the field as text, so that one mistake is told once.
      if (typeof own.$ref !== 'string')
        source.report(
          at,
          type === null ? `Field "${name}" has no type.` : `There is no field type "${type}".`,
          type === null ? 'Write for instance { "$ref": "types#text" }.' : didYouMean(type, fieldTypes.keys()),
        );
      type = 'text';
    }
    if (type === 'rows' && inRows) {
      source.report(
        at,
        'Child rows cannot have child rows.',
        'Make the inner rows a record type of their own that refers to this one.',
      );
      return [];
    }
    return [compileField(name, type, own, required.has(name), source, at)];
  });
}

/** The former names that a field's descriptor gives. */
function formerNames({ was }: JsonSchema): string[] {
  return [was ?? []].flat() as string[];
}

/** A former name is one that no field has now, and that one field alone had. */
function checkFormerNames(
  properties: Record<string, JsonSchema>,
  source: Source,
  path: (string | number)[],
  inRows: boolean,
): void {
  const owners = new Map<string, string>();
  for (const [name, schema] of Object.entries(properties))
    for (const old of formerNames(schema)) {
      const at = [...path, name, 'was'];
      if (
        typeof old !== 'string' ||
        !/^[a-z][a-z0-9_]*$/.test(old) ||
        (inRows ? RESERVED_IN_ROWS : RESERVED_FIELDS).has(old)
      )
        source.report(at, `"${String(old)}" was never a field's name.`, 'Write the name that the field had before.');
      else if (old in properties)
        source.report(at, `"${old}" is still a field.`, 'Take the field of that name away, or leave "was" out.');
      else if (owners.has(old))
        source.report(at, `"${old}" was already "${owners.get(old)}".`, 'Name it in one field alone.');
      owners.set(old, name);
    }
}

/** Decimals that the types of exact numbers keep. */
const MOST_DECIMALS: Record<string, number> = { money: 4, decimal: 10, percent: 4, quantity: 3 };

/** How limits of dates and times are written. */
const LIMIT_FORMS: Record<string, [RegExp, string]> = {
  date: [/^\d{4}-\d\d-\d\d$/, '"2026-04-01"'],
  time: [/^\d\d:\d\d$/, '"09:00"'],
  datetime: [/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/, '"2026-04-01T09:00:00+05:30"'],
};

const RESERVED_FIELDS = new Set([
  'id',
  'version',
  'active',
  'entity_id',
  'created_at',
  'created_by',
  'updated_at',
  'updated_by',
  'custom',
  'constructor',
]);
const RESERVED_IN_ROWS = new Set(['id', 'parent_id', 'position', 'constructor']);

function compileField(
  name: string,
  type: string,
  schema: JsonSchema,
  required: boolean,
  source: Source,
  at: (string | number)[],
): Field {
  const word = <T>(key: string) => schema[key] as T | undefined;
  const field: Field = {
    name,
    type,
    title: schema.title ?? humanise(name),
    required,
    schema: validating(type, schema),
    secret: word('x-secret') === true || word('x-secret') === 'encrypted',
    readOnly: schema.readOnly === true || word('x-formula') !== undefined,
  };
  if (word('x-secret') === 'encrypted') {
    if (fieldTypes.get(type)?.sql(field) === 'text') field.encrypted = true;
    else
      source.report(
        [...at, 'x-secret'],
        `"${name}" cannot be encrypted: it is of type ${type}.`,
        'Encrypt texts alone; write true for other secrets.',
      );
  }
  const was = formerNames(schema);
  if (was.length > 0) field.was = was;
  if (schema.description) field.help = schema.description;
  if (schema.default !== undefined) field.default = schema.default;
  if (word('x-default') !== undefined) {
    if (type === 'ref' && ['users', 'employee', 'common_user'].includes(String(word('x-ref')))) field.defaultMe = true;
    else
      source.report(
        [...at, 'x-default'],
        `"${name}" cannot be whoever adds the record: it refers to no user and no employee.`,
        'Leave it out, or write a value as "default".',
      );
  }
  if (word('x-values') === 'due') {
    if (type === 'enum') field.dueTypes = true;
    else source.report([...at, 'x-values'], `"${name}" is not one of a list.`, 'Write "enum" beside it.');
  }
  const unit = word<string>('x-unit');
  if (unit) field.unit = unit;
  const precision = word<number>('x-precision');
  const most = MOST_DECIMALS[type];
  if (precision !== undefined && most === undefined)
    source.report(
      [...at, 'x-precision'],
      `"${name}" has no decimals.`,
      'Leave it out, or write { "$ref": "types#decimal" }.',
    );
  else if (precision !== undefined && precision > most!)
    source.report(
      [...at, 'x-precision'],
      `"${name}" has at most ${most} decimals.`,
      `Write ${most} or fewer${type === 'decimal' ? '' : ', or { "$ref": "types#decimal" }'}.`,
    );
  else if (precision !== undefined) {
    field.precision = precision;
    if (type === 'money' && precision > 2)
      field.schema = { ...field.schema, pattern: `^-?\\d{1,${18 - precision}}(\\.\\d{1,${precision}})?$` };
  }
  for (const [key, limit] of [
    ['formatMinimum', 'earliest'],
    ['formatMaximum', 'latest'],
  ] as const) {
    const value = word<string>(key);
    if (value === undefined) continue;
    const form = LIMIT_FORMS[type];
    if (form?.[0].test(value) && !('error' in fieldTypes.get(type)!.parse(value, field))) field[limit] = value;
    else
      source.report(
        [...at, key],
        form ? `"${value}" is not a value of "${name}".` : `"${name}" is neither a date nor a time.`,
        form ? `Write for instance ${form[1]}.` : 'For numbers write "minimum" and "maximum".',
      );
  }
  if (word('x-seconds') === true) {
    if (type === 'datetime') field.seconds = true;
    else
      source.report(
        [...at, 'x-seconds'],
        `"${name}" is no date with a time.`,
        'Leave it out, or write { "$ref": "types#datetime" }.',
      );
  }
  const formula = word<string>('x-formula');
  if (formula) field.formula = formula;
  const when = word<string>('x-when');
  if (when) field.when = when;
  const requiredWhen = word<string>('x-required-when');
  if (requiredWhen) field.requiredWhen = requiredWhen;
  if (word('x-override') === 'company') field.override = 'company';
  const risk = word<NonNullable<Field['risk']>>('x-risk');
  if (risk) field.risk = risk;
  if (type === 'enum') field.options = options(schema, source, at);
  if (type === 'ref' || type === 'refs') {
    const target = word<string>('x-ref');
    if (target === undefined)
      source.report(at, `Field "${name}" refers to nothing.`, 'Say what it refers to: "x-ref": "branch".');
    field.ref = { type: target ?? '', ...narrowing(word('x-ref-filter') ?? {}), ...across(word('x-across-companies')) };
  }
  // An unknown $ref has been reported: what hangs on the type is not told as well.
  const known = typeof schema.$ref !== 'string';
  const fetch = word<string>('x-fetch');
  if (fetch !== undefined) {
    const [via, from, ...more] = fetch.split('.');
    if (!via || !from || more.length > 0)
      source.report(
        [...at, 'x-fetch'],
        `"${fetch}" is not a reference and its field.`,
        'Write for instance "building_id.address".',
      );
    else field.fetch = { via, field: from };
  }
  if (type === 'rows') {
    field.rows = compileFields(schema.items ?? {}, source, [...at, 'items'], true);
    field.schema = { ...field.schema, items: rowSchema(field.rows, schema.items ?? {}) };
    const key = word<string[]>('x-unique');
    if (key) field.uniqueRows = key;
    const ranges = (['valid', 'bands'] as const).flatMap((one) => {
      const written = word<WrittenRange & { gapless?: boolean }>(`x-${one}`);
      return written ? [rangeKey(one, written, field.rows!)] : [];
    });
    if (ranges.length > 0) field.rowRanges = ranges;
  } else if (word('x-unique') !== undefined && known)
    source.report(
      [...at, 'x-unique'],
      `"${name}" has no child rows.`,
      'For the records themselves write "unique" beside "schema".',
    );
  for (const one of ['valid', 'bands'] as const)
    if (type !== 'rows' && word(`x-${one}`) !== undefined && known)
      source.report(
        [...at, `x-${one}`],
        `"${name}" has no child rows.`,
        `For the records themselves write "${one}" beside "schema".`,
      );
  if (field.ref === undefined && word('x-ref-filter') !== undefined && known)
    source.report(
      [...at, 'x-ref-filter'],
      `"${name}" refers to nothing, so there is no choice to narrow.`,
      'Leave it out, or say what the field refers to: "x-ref": "branch".',
    );
  return field;
}

/** x-across-companies: always, or by a setting of the client. */
function across(
  written: boolean | Record<string, string | number | boolean> | undefined,
): Pick<NonNullable<Field['ref']>, 'acrossCompanies' | 'acrossWhen'> {
  if (written === true) return { acrossCompanies: true };
  const when = typeof written === 'object' ? settingCondition(written) : null;
  return when ? { acrossWhen: when } : {};
}

/** x-ref-filter apart: what depends on the form, and what is always so. */
function narrowing(
  written: Record<string, string | { const: string | number | boolean }>,
): Pick<NonNullable<Field['ref']>, 'filter' | 'fixed'> {
  const filter: Record<string, string> = {};
  const fixed: Record<string, string | number | boolean> = {};
  for (const [theirs, ours] of Object.entries(written))
    if (typeof ours === 'string') filter[theirs] = ours;
    else fixed[theirs] = ours.const;
  return { ...(Object.keys(filter).length > 0 && { filter }), ...(Object.keys(fixed).length > 0 && { fixed }) };
}

function options(schema: JsonSchema, source: Source, at: (string | number)[]): NonNullable<Field['options']> {
  const values = (schema.enum ?? []).filter(
    (value): value is string | number => typeof value === 'string' || typeof value === 'number',
  );
  if (values.length === 0 || values.length !== schema.enum?.length)
    source.report(
      [...at, 'enum'],
      'A list of values needs at least one, each a text or a number.',
      'Write for instance "enum": ["open", "closed"].',
    );
  const labels = (schema['x-labels'] ?? {}) as Record<string, string>;
  const colours = (schema['x-colours'] ?? {}) as Record<string, (typeof COLOURS)[number]>;
  for (const [word, map] of [
    ['x-labels', labels],
    ['x-colours', colours],
  ] as const)
    for (const key of Object.keys(map))
      if (!values.some((value) => String(value) === key))
        source.report([...at, word, key], `"${key}" is not one of the values.`, didYouMean(key, values.map(String)));
  for (const [key, colour] of Object.entries(colours))
    if (!COLOURS.includes(colour))
      source.report(
        [...at, 'x-colours', key],
        `"${colour}" is not a colour of the product.`,
        `There are: ${COLOURS.join(', ')}.`,
      );
  return values.map((value) => {
    const colour = colours[String(value)];
    return { value, label: labels[String(value)] ?? humanise(String(value)), ...(colour && { colour }) };
  });
}

/** The part of a field's schema that checks values: our words and what only people read are left out. */
function validating(type: string, schema: JsonSchema): JsonSchema {
  const own: JsonSchema = {};
  for (const [key, value] of Object.entries(schema))
    if (!key.startsWith('x-') && !['$ref', 'properties', 'formatMinimum', 'formatMaximum', 'was'].includes(key))
      own[key] = value;
  if (schema.properties) own.properties = schema.properties;
  if (type === 'enum' && own.type === undefined)
    own.type = (schema.enum ?? []).every((value) => typeof value === 'number') ? 'number' : 'string';
  if (type === 'ref') own.type = 'integer';
  if (type === 'refs') {
    own.type = 'array';
    own.items ??= { type: 'integer', minimum: 1 };
  }
  return own;
}

function rowSchema(rows: Field[], items: JsonSchema): JsonSchema {
  const { properties: _own, ...rest } = items;
  return { ...rest, ...objectSchema(rows, true) };
}

/** The JSON Schema of a record or row, complete: what Ajv and the form work from. */
export function objectSchema(fields: Field[], row: boolean): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  for (const field of fields) {
    properties[field.name] = field.required
      ? { ...field.schema, title: field.title }
      : nullable({ ...field.schema, title: field.title });
  }
  if (row) properties.id = { type: ['integer', 'null'] };
  // A number by series and a formula are filled in by the server.
  const required = fields.filter((field) => field.required && !field.readOnly).map((field) => field.name);
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** An empty field is null: allowed unless the field is required. */
function nullable(schema: JsonSchema): JsonSchema {
  if (schema.enum)
    return {
      ...schema,
      ...(schema.type !== undefined && { type: [schema.type, 'null'].flat() }),
      enum: [...schema.enum, null],
    };
  return schema.type === undefined ? schema : { ...schema, type: [...new Set([schema.type, 'null'].flat())] };
}

/** The field of a type by which it refers to another, "rows_field.column" of child rows. */
export function referrer(screen: Screen | undefined, path: string): Field | undefined {
  const [first, inner] = path.split('.');
  const field = screen?.fields.find(({ name }) => name === first);
  return inner === undefined ? field : field?.rows?.find(({ name }) => name === inner);
}
