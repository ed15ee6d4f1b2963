import { describe, expect, it } from 'vitest';
import { compileScreens, screenHash } from '../../../src/descriptor/compile.ts';
import { humanise } from '../../../src/descriptor/humanise.ts';
import { pluralOf } from '../../../src/descriptor/words/plural.ts';
import { didYouMean, nearest } from '../../../src/descriptor/source.ts';
import { compile, file, sample, screenOf, types } from './fixtures/compile_sample.ts';

describe('defaults', () => {
  const screen = screenOf(
    {},
    {
      branch_id: { $ref: 'types#ref', 'x-ref': 'thing' },
      remark: { $ref: 'types#long_text' },
      state: { enum: ['open', 'in_work'] },
    },
  );

  it('of the screen', () => {
    expect(screen).toMatchObject({
      name: 'thing',
      folder: 'test',
      plural: 'Things',
      scope: 'tenant',
      sameAs: {},
      label: ['name', 'code'],
      unique: [],
      index: [],
      rules: [],
      sort: ['name'],
      views: [],
      actions: [],
      menu: { hidden: false },
      access: {
        screens: ['SCN_THING'],
        products: [],
        modules: ['MASTERS'],
        action: 'CREATE_MASTERS',
        everyone: false,
        common: false,
      },
      routes: { landing: '/thing', add: '/thing/add', edit: '/thing/edit/:id', view: '/thing/view/:id' },
      card: ['code', 'name', 'branch_id', 'state'],
      filters: ['branch_id', 'state'],
      form: { tabs: [{ title: 'Details', sections: [{ fields: ['code', 'name', 'branch_id', 'remark', 'state'] }] }] },
    });
    expect(screen.grid.filter((column) => !column.hidden).map((column) => column.field)).toEqual([
      'code',
      'name',
      'branch_id',
      'state',
    ]);
    expect(screen.grid.filter((column) => column.hidden).map((column) => column.field)).toEqual([
      'updated_at',
      'updated_by',
      'created_at',
      'created_by',
    ]);
  });

  it('of a document and of settings', () => {
    expect(screenOf({ kind: 'document' }).access.action).toBeNull();
    expect(screenOf({ kind: 'settings' })).toMatchObject({
      plural: 'Thing',
      routes: { landing: '/thing', add: null, edit: null, view: null },
      access: { action: null },
    });
  });

  it('of routes follow the landing page; null stays', () => {
    expect(screenOf({ routes: { landing: '/Uom', view: null } }).routes).toEqual({
      landing: '/Uom',
      add: '/Uom/add',
      edit: '/Uom/edit/:id',
      view: null,
    });
  });

  it('of routes: one address may add and edit, and older ones lead to a part of the list or to the import', () => {
    expect(screenOf({ routes: { landing: '/site', add: '/site/add_edit', edit: '/site/add_edit' } }).routes).toEqual({
      landing: '/site',
      add: '/site/add_edit',
      edit: '/site/add_edit',
      view: '/site/view/:id',
    });
    const sameAs = { '/thing_upload': 'import', '/thing/of/:code': 'landing' };
    expect(screenOf({ sameAs }).sameAs).toEqual(sameAs);
  });

  it('of fields', () => {
    expect(screen.fields.map(({ name, type, title, required }) => [name, type, title, required])).toEqual([
      ['code', 'code', 'Code', true],
      ['name', 'name', 'Name', true],
      ['branch_id', 'ref', 'Branch', false],
      ['remark', 'long_text', 'Remark', false],
      ['state', 'enum', 'State', false],
    ]);
    expect(screen.fields[4]!.options).toEqual([
      { value: 'open', label: 'Open' },
      { value: 'in_work', label: 'In work' },
    ]);
  });

  it('puts fields without a section into the last one', () => {
    const { form } = screenOf(
      {
        form: {
          sections: [
            { title: 'A', fields: ['name'] },
            { title: 'B', fields: [] },
          ],
        },
      },
      { x: { $ref: 'types#text' } },
    );
    expect(form.tabs[0]!.sections).toEqual([
      { title: 'A', fields: ['name'] },
      { title: 'B', fields: ['code', 'x'] },
    ]);
  });
});

describe('fields', () => {
  it('override the type with keywords beside $ref', () => {
    const { fields } = screenOf(
      {},
      {
        mobile: { $ref: 'types#phone' },
        phone: { $ref: 'types#phone' },
        short: { $ref: 'types#text', maxLength: 3, title: 'In short' },
      },
    );
    expect(fields.map((field) => field.title)).toEqual(['Code', 'Name', 'Mobile', 'Phone', 'In short']);
    expect(fields[4]!.schema).toMatchObject({ type: 'string', maxLength: 3 });
  });

  it('from plain JSON Schema get a type', () => {
    const { fields } = screenOf(
      {},
      {
        a: { type: 'string' },
        b: { type: 'boolean' },
        c: { type: 'integer' },
        d: { enum: [1, 2] },
        e: { type: 'array', items: { type: 'string' } },
        f: { type: 'string', format: 'date' },
        g: { type: 'array', items: { type: 'integer' }, 'x-ref': 'thing' },
        h: { type: 'integer', 'x-ref': 'thing' },
        i: { type: 'number' },
      },
    );
    expect(fields.slice(2).map((field) => field.type)).toEqual([
      'text',
      'boolean',
      'integer',
      'enum',
      'tags',
      'date',
      'refs',
      'ref',
      'decimal',
    ]);
  });

  it('carry the x-words', () => {
    const { fields, schema } = screenOf(
      {},
      {
        up_id: {
          $ref: 'types#ref',
          'x-ref': 'thing',
          'x-ref-filter': { code: 'name', state: { const: 'a' } },
          'x-across-companies': true,
        },
        copied: { $ref: 'types#text', 'x-fetch': 'up_id.name' },
        pin: { $ref: 'types#text', 'x-secret': true },
        kg: { $ref: 'types#quantity', 'x-unit': 'kg', 'x-precision': 1 },
        twice: { $ref: 'types#decimal', 'x-formula': 'kg * 2' },
        why: { $ref: 'types#text', 'x-when': "code == 'x'", 'x-required-when': "name == 'y'" },
        state: { enum: ['a'], 'x-labels': { a: 'Alpha' }, 'x-colours': { a: 'brand' } },
      },
    );
    const by = Object.fromEntries(fields.map((field) => [field.name, field]));
    expect(by.up_id!.ref).toEqual({
      type: 'thing',
      filter: { code: 'name' },
      fixed: { state: 'a' },
      acrossCompanies: true,
    });
    expect(by.copied!.fetch).toEqual({ via: 'up_id', field: 'name' });
    expect(by.pin!.secret).toBe(true);
    expect(by.kg).toMatchObject({ unit: 'kg', precision: 1 });
    expect(by.twice).toMatchObject({ formula: 'kg * 2', readOnly: true });
    expect(by.why).toMatchObject({ when: "code == 'x'", requiredWhen: "name == 'y'" });
    expect(by.state!.options).toEqual([{ value: 'a', label: 'Alpha', colour: 'brand' }]);
    expect(JSON.stringify(schema)).not.toContain('x-');
    expect(JSON.stringify(schema)).not.toContain('$ref');
  });

  it('of child rows are compiled with them', () => {
    const { fields, schema } = screenOf(
      {},
      {
        lines: {
          type: 'array',
          minItems: 1,
          'x-unique': ['item', 'other_id'],
          items: {
            type: 'object',
            required: ['item'],
            properties: { item: { $ref: 'types#text' }, other_id: { $ref: 'types#ref', 'x-ref': 'thing' } },
          },
        },
      },
    );
    expect(fields[2]).toMatchObject({
      type: 'rows',
      uniqueRows: ['item', 'other_id'],
      rows: [
        { name: 'item', required: true },
        { name: 'other_id', type: 'ref', title: 'Other' },
      ],
    });
    expect(schema.properties!.lines!.items!.required).toEqual(['item']);
  });

  it('filled by the server are not required from the person', () => {
    expect(
      screenOf({
        schema: {
          required: ['no', 'sum', 'name'],
          properties: {
            no: { $ref: 'types#text' },
            name: { $ref: 'types#name' },
            sum: { $ref: 'types#integer', 'x-formula': 'len(name)' },
          },
        },
        number: { field: 'no', pattern: 'N{00}' },
      }).schema.required,
    ).toEqual(['name']);
  });

  it('keep conditions of plain JSON Schema', () => {
    const otherwise = { required: ['name'] };
    expect(
      screenOf({
        schema: {
          properties: { code: { $ref: 'types#code' }, name: { $ref: 'types#name' } },
          if: { required: ['code'] },
          else: otherwise,
          dependentRequired: { code: ['name'] },
        },
      }).schema,
    ).toMatchObject({ if: { required: ['code'] }, else: otherwise, dependentRequired: { code: ['name'] } });
  });
});

describe('all screens', () => {
  it('know their referrers', () => {
    const { screens } = compile({
      maker: sample(),
      lift: sample(
        {},
        {
          maker_id: { $ref: 'types#ref', 'x-ref': 'maker' },
          parts: {
            type: 'array',
            items: { type: 'object', properties: { from_id: { $ref: 'types#ref', 'x-ref': 'maker' } } },
          },
        },
      ),
    });
    expect(screens.get('maker')!.referredBy).toEqual([
      { type: 'lift', field: 'maker_id' },
      { type: 'lift', field: 'parts.from_id' },
    ]);
  });

  it('have a hash that depends on all of them', () => {
    const one = screenOf();
    expect(one.hash).toMatch(/^[0-9a-f]{16}$/);
    expect(screenOf().hash).toBe(one.hash);
    expect(screenOf({ description: 'x' }).hash).not.toBe(one.hash);
    expect(screenHash({ ...one, title: 'x' })).not.toBe(one.hash);
  });

  it('survive as JSON, as browsers receive them', () => {
    const screen = screenOf();
    expect(JSON.parse(JSON.stringify(screen))).toEqual(screen);
  });
});

it('produces English plurals', () => {
  expect(['Branch', 'Company', 'Day', 'Tax', 'Class', 'Role'].map(pluralOf)).toEqual([
    'Branches',
    'Companies',
    'Days',
    'Taxes',
    'Classes',
    'Roles',
  ]);
  expect(['date_of_joining', 'branch_id', 'employee_ids'].map(humanise)).toEqual([
    'Date of joining',
    'Branch',
    'Employee',
  ]);
});

it('suggests the intended word', () => {
  expect(nearest('gird', ['kind', 'grid', 'card'])).toBe('grid');
  expect(nearest('zzzzzz', ['kind', 'grid'])).toBeUndefined();
  expect(didYouMean('zzzzzz', ['kind', 'grid'])).toBe('There are: kind, grid.');
});

it('checks 400 descriptors', () => {
  const files = Array.from({ length: 400 }, (_, index) => {
    const properties: Record<string, unknown> = {
      other_id: { $ref: 'types#ref', 'x-ref': `type_${(index * 7) % 400}` },
    };
    for (let field = 0; field < 25; field++)
      properties[`f${field}`] =
        field % 3 === 0
          ? { $ref: 'types#money', default: '5.00' }
          : field % 3 === 1
            ? { enum: ['a', 'b'], default: 'a' }
            : { $ref: 'types#text' };
    properties.total = { $ref: 'types#money', 'x-formula': 'f0 + f3' };
    return file(
      `type_${index}`,
      JSON.stringify(sample({ rules: [{ assert: 'f0 < f3', message: 'No.' }] }, properties), null, 2),
    );
  });
  const { screens, problems } = compileScreens(files, types);
  expect(problems).toEqual([]);
  expect(screens.size).toBe(400);
}, 120_000);
