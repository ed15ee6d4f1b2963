import type { Field, JsonSchema, Screen } from '../types.ts';
import { defineWord } from './word.ts';

/** The parent of a type's records: the type `of`, through their reference `by` to it. */
export interface Part {
  of: string;
  by: string;
}

declare module '../types.ts' {
  interface WrittenWords {
    part?: Part;
  }
  interface ScreenWords {
    /** `field`: the rows field of the parent that shows them. */
    part?: Part & { field: string };
  }
}

/** Parts may have parts, and those no further ones: a form shows rows in rows, not deeper. */
const DEEPEST = 2;

/** The position of a part within its parent; the list of the parent defines it. */
export const PLACE = 'position';

export const part = defineWord<Part>({
  name: 'part',
  on: 'screen',
  shape: {
    description: 'The records are rows of another type, saved with its records and subject to their rights.',
    type: 'object',
    required: ['of', 'by'],
    additionalProperties: false,
    examples: [{ of: 'contract', by: 'contract_id' }],
    properties: {
      of: { description: 'The type whose rows they are; it has a field with "x-part".', type: 'string' },
      by: { description: 'Their required reference to it.', $ref: '#/$defs/fieldName' },
    },
  },
  after: ['schema'],
  fields: (written, { fields, descriptor, source }) => {
    if (!written) return;
    if (descriptor.schema.properties?.[PLACE])
      source.report(
        ['schema', 'properties', PLACE],
        `"${PLACE}" is made by "part": it is the place of the row in its list.`,
        'Take it out of the properties.',
      );
    else fields.push(placeField());
    const by = fields.find(({ name }) => name === written.by);
    if (by) by.readOnly = true;
  },
  compile: (written) => (written ? { part: { ...written, field: '' } } : {}),
  join: (screen, screens) => {
    if (!screen.part) return;
    const parent = screens.find(({ name }) => name === screen.part!.of);
    const field = parent?.fields.find((one) => one.part?.type === screen.name);
    if (!parent || !field) return;
    screen.part.field = field.name;
    joinRows(parent, field, screen);
    screen.access = rootOf(screen, screens).access;
  },
  check: (check) => {
    const { part: own, scope } = check.screen;
    if (!own) return;
    const parent = check.all.drafts.get(own.of)?.screen;
    if (!parent) {
      if (!check.all.fileNames.has(own.of)) check.report(['part', 'of'], `There is no record type "${own.of}".`);
      return;
    }
    const by = check.field(own.by);
    if (!by) check.unknown(['part', 'by'], own.by, check.names, '"by"');
    else if (by.ref?.type !== own.of || by.type !== 'ref' || !by.required)
      check.report(
        ['part', 'by'],
        `"${own.by}" does not tie each record to one ${own.of}.`,
        `Write { "x-ref": "${own.of}" }, and list it under "required".`,
      );
    if (own.field === '')
      check.report(
        ['part', 'of'],
        `"${own.of}" has no field with rows of this type.`,
        `Write there "lines": { "type": "array", "x-part": "${check.screen.name}" }.`,
      );
    if (check.descriptor.access)
      check.report(['access'], `A part has the rights of its "${own.of}".`, 'Leave "access" out.');
    if (parent.scope !== scope)
      check.report(
        ['part', 'of'],
        `"${own.of}" lives in another scope.`,
        `Write "scope": "${parent.scope}", as it stands there.`,
      );
    const path = [check.screen.name];
    for (let above: Screen | undefined = parent; above; above = check.all.drafts.get(above.part?.of ?? '')?.screen) {
      if (path.includes(above.name)) {
        check.report(['part', 'of'], `The parts go round in a circle: ${[...path, above.name].join(' → ')}.`);
        break;
      }
      path.push(above.name);
      if (path.length > DEEPEST + 1) {
        check.report(['part', 'of'], 'Parts of parts have no parts.', 'Let this type refer to its record by "x-ref".');
        break;
      }
    }
    for (const word of ['tree', 'approval', 'personal', 'public', 'library'] as const)
      if ((check.descriptor as unknown as Record<string, unknown>)[word] !== undefined)
        check.report([word], `A part has no "${word}": it goes with its ${own.of}.`, `Say it of "${own.of}".`);
    for (const field of check.screen.fields) {
      if (field.secret || field.rows?.some(({ secret }) => secret))
        check.report(
          ['schema', 'properties', field.name],
          'Parts hold no secrets: the history of their parent has their values.',
          'Keep it in the parent, or in a type of its own.',
        );
      if (field.fetch?.via === own.by)
        check.report(
          ['schema', 'properties', field.name, 'x-fetch'],
          `A part copies nothing of its ${own.of}: it is saved with it.`,
          'Compute it in the parent, or leave it out.',
        );
    }
  },
  overlay: {
    needs: (screen, name) => {
      if (screen.part) return 'its record is a row of another, which shows it';
      return screen.fields.some((field) => field.name === name && field.part)
        ? 'its rows have pages of their own'
        : null;
    },
    writes: (screen) => (screen.part ? 'belongs to a row of another record; say it of the rows there' : null),
  },
  chapter: 'Parts and owners',
  doc: [
    '**`part`** makes the records of a type rows of another: `"part": {"of": "contract", "by": "contract_id"}` in the type',
    'of the rows, `"lines": {"type": "array", "x-part": "contract_line"}` in the other. Parts can do what plain rows',
    'cannot: have rows of their own, steps, a number and a history, and be referred to by `x-ref`. Parts may have parts,',
    'but those can only have plain rows. Parts have no `access`: people who may read or change the parent may read or',
    'change its parts, and a list of parts shows the parts of the parents the reader may see. Parts are saved and deleted',
    'together with the parent, in one transaction: a form, `PUT`, a copy, a revision and `makes` treat them as rows. A',
    'change at the address of a part is a change of its parent and is subject to its version, locks, approval and history.',
    'Formulas of the parent use the columns of its parts; formulas of a part use only its own fields and rows. A workbook',
    'has one sheet per level: rows within rows refer to their record by its key, and to the row that contains them by its',
    'position.',
  ],
});

function placeField(): Field {
  return {
    name: PLACE,
    type: 'integer',
    title: 'Place',
    required: false,
    schema: { type: 'integer' },
    secret: false,
    readOnly: true,
  };
}

/** The root parent of a part: a type that is not a part. */
function rootOf(screen: Screen, screens: readonly Screen[]): Screen {
  let root = screen;
  for (let step = 0; root.part && step <= DEEPEST; step++)
    root = screens.find(({ name }) => name === root.part!.of) ?? root;
  return root;
}

/** Adds the columns and the rules of the part to the rows field of the parent. */
function joinRows(parent: Screen, field: Field, screen: Screen): void {
  const { by } = screen.part!;
  field.part = { type: screen.name, by, page: screen.routes.view ?? '', ...(screen.fills && { filled: true }) };
  field.rows = screen.fields.filter(({ name }) => name !== by && name !== PLACE);
  const { properties = {}, required = [], $id: _id, ...rest } = screen.schema;
  const { [by]: _parent, [PLACE]: _place, ...columns } = properties;
  const items: JsonSchema = {
    ...rest,
    properties: { ...columns, id: { type: ['integer', 'null'] } },
    required: required.filter((name) => name !== by),
  };
  for (const schema of [field.schema, parent.schema.properties?.[field.name]]) if (schema) schema.items = items;
  screen.routes = { ...screen.routes, add: null, edit: null };
  // The list of all parts is in the menu only if a descriptor places it there.
  if (screen.menu.under === undefined) screen.menu = { ...screen.menu, hidden: true };
  screen.grid = screen.grid.filter((column) => column.field !== PLACE);
  for (const { sections } of screen.form.tabs)
    for (const section of sections) section.fields = section.fields.filter((name) => name !== PLACE);
  const inRow = new Set(field.rows.map(({ name }) => name));
  field.sections ??= screen.form.tabs
    .flatMap(({ sections }) => sections)
    .map(({ title, help, fields }) => ({
      ...(title !== undefined && { title }),
      ...(help !== undefined && { help }),
      fields: fields.filter((name) => inRow.has(name)),
    }))
    .filter(({ fields }) => fields.length > 0);
  const shown = screen.grid.filter((column) => !column.hidden && inRow.has(column.field)).map((column) => column.field);
  if (shown.length > 0)
    field.columns ??= shown.filter((name) => !screen.fields.some((one) => one.name === name && one.rows));
  parent.rules = [
    ...parent.rules,
    ...screen.rules.filter(({ rows }) => rows === undefined).map((rule) => ({ ...rule, rows: field.name })),
  ];
}
