import { beforeAll, describe, expect, it } from 'vitest';
import { compileScreens } from '../../../src/descriptor/compile.ts';
import { overlaid, productScreen, settingErrors } from '../../../src/descriptor/overlay.ts';
import type { FieldSetting } from '../../../src/descriptor/setting_fields.ts';
import type { JsonSchema, Screen } from '../../../src/descriptor/types.ts';
import { findErrors, findSettingErrors, prepare } from '../../../src/server/engine/records/validate_record.ts';
import { file, types } from './fixtures/compile_sample.ts';

const definitions = types.$defs as Record<string, JsonSchema>;
let lift: Screen;

beforeAll(() => {
  const { screens, problems } = compileScreens(
    [
      file(
        'lift',
        JSON.stringify({
          $schema: '../meta/screen.schema.json',
          title: 'Lift',
          access: { screen: 'SCN_LIFT' },
          schema: {
            required: ['name', 'kind', 'floors'],
            properties: {
              name: { $ref: 'types#name' },
              kind: { enum: ['goods', 'people'], default: 'people' },
              floors: { $ref: 'types#integer', minimum: 1 },
              maker: { $ref: 'types#text' },
              serial: { $ref: 'types#text' },
              price: { $ref: 'types#money' },
              tax: { $ref: 'types#money', 'x-formula': 'price * 0.18' },
              pit: { $ref: 'types#integer', 'x-when': "kind == 'goods'" },
              above_id: { $ref: 'types#ref', 'x-ref': 'lift' },
            },
          },
          rules: [
            { assert: "kind == 'goods' or floors < 50", message: 'Too high.', field: 'floors' },
            { assert: 'floors < 200', message: 'Nobody builds that high.', field: 'floors' },
          ],
          tree: { parent: 'above_id' },
          form: {
            tabs: [
              {
                title: 'Main facts',
                sections: [
                  { fields: ['name', 'kind', 'floors'] },
                  { title: 'More', fields: ['maker', 'serial', 'pit'] },
                ],
              },
              { title: 'Money', sections: [{ fields: ['price', 'tax', 'above_id'] }] },
            ],
          },
          grid: ['name', 'kind', 'floors'],
          filters: ['kind'],
          views: [{ name: 'Goods', filter: ['kind', 'eq', 'goods'] }],
        }),
        'test',
      ),
    ],
    types,
  );
  expect(problems).toEqual([]);
  lift = screens.get('lift')!;
});

const lay = (...settings: FieldSetting[]) => overlaid(lift, definitions, settings, () => false);
const names = (screen: Screen) => screen.fields.map(({ name }) => name);
const messages = (setting: FieldSetting) =>
  settingErrors(lift, definitions, setting).map(({ field, message }) => `${field}: ${message}`);

describe('a client’s settings over a screen', () => {
  it('a hidden field disappears, with every reference to it', () => {
    const screen = lay({ field: 'kind', shown: false });
    expect(names(screen)).not.toContain('kind');
    expect(screen.form.tabs[0]!.sections[0]!.fields).toEqual(['name', 'floors']);
    expect([screen.grid.map(({ field }) => field).includes('kind'), screen.filters, screen.views]).toEqual([
      false,
      [],
      [],
    ]);
    expect(screen.rules.map(({ message }) => message)).toEqual(['Nobody builds that high.']);
    expect(screen.fields.find(({ name }) => name === 'pit')!.when).toBeUndefined();
    expect(Object.keys(screen.schema.properties!)).not.toContain('kind');
    expect(screen.hash).not.toBe(lift.hash);
    expect(productScreen(screen)).toBe(lift);
  });

  it('a hidden required field gets its value silently in new records', () => {
    const screen = lay({ field: 'kind', shown: false, default_value: 'Goods' });
    const { record, errors } = prepare(screen, { name: 'One', floors: 3 }, null);
    expect([errors, record.kind]).toEqual([[], 'goods']);
    expect(prepare(screen, { name: 'One', floors: 3, kind: 'people' }, null).errors).toEqual([
      { field: 'kind', message: 'There is no field "kind".' },
    ]);
  });

  it('labels, order, tabs and requirements are the client’s', () => {
    const screen = lay(
      { field: 'maker', label: 'Make', required: true, section: 'money', sequence_no: 5 },
      { field: 'tax', sequence_no: 1 },
      { field: 'price', sequence_no: 10, in_list: 'shown' },
    );
    expect(screen.form.tabs[1]!.sections[0]!.fields).toEqual(['tax', 'above_id', 'maker', 'price']);
    expect(screen.form.tabs[0]!.sections[1]!.fields).toEqual(['serial', 'pit']);
    expect(screen.grid.find(({ field }) => field === 'maker')!.title).toBe('Make');
    expect(screen.grid.find(({ field }) => field === 'price')!.hidden).toBe(false);
    expect(findErrors(screen, prepare(screen, { name: 'One', floors: 3 }, null).record)).toEqual([
      { field: 'maker', message: 'Make is required.' },
    ]);
  });

  it('own fields have a type, checks and a place', () => {
    const screen = lay(
      {
        kind: 'own',
        own_field: 'colour',
        label: 'Car colour',
        type: 'enum',
        choices: ['Red', 'Blue'],
        section: 'money',
        in_list: 'shown',
      },
      { kind: 'own', field: 'kind', own_field: 'deposit', label: 'Deposit', type: 'money', required: true },
    );
    expect(names(screen).slice(-2)).toEqual(['own_colour', 'own_deposit']);
    expect(screen.form.tabs.map(({ sections }) => sections[0]!.fields.at(-1))).toEqual(['own_deposit', 'own_colour']);
    // What a client wants in the list stands behind what names the record, for lists show few columns at first.
    expect(screen.grid.slice(0, 4).map(({ field, title, hidden }) => [field, title, hidden])).toEqual([
      ['name', 'Name', false],
      ['kind', 'Kind', false],
      ['own_colour', 'Car colour', false],
      ['floors', 'Floors', false],
    ]);
    expect(screen.grid.find(({ field }) => field === 'own_deposit')!.hidden).toBe(true);
    const wrong = prepare(screen, { name: 'One', floors: 3, own_colour: 'Green', own_deposit: '1,00' }, null);
    expect(
      findErrors(screen, wrong.record)
        .map(({ field }) => field)
        .sort(),
    ).toEqual(['own_colour', 'own_deposit']);
    const right = prepare(screen, { name: 'One', floors: 3, own_colour: 'Red', own_deposit: '500.50' }, null);
    expect([right.errors, findErrors(screen, right.record)]).toEqual([[], []]);
  });

  it('a masked field shows only its end, or nothing, except to the named roles', () => {
    const setting: FieldSetting = { field: 'serial', mask: 'last4' };
    expect(lay(setting).fields.find(({ name }) => name === 'serial')).toMatchObject({
      masked: 'last4',
      readOnly: true,
      required: false,
    });
    expect(names(lay({ field: 'serial', mask: 'hidden' }))).not.toContain('serial');
    expect(
      overlaid(lift, definitions, [setting], () => true).fields.find(({ name }) => name === 'serial')!.masked,
    ).toBeUndefined();
  });

  it('impossible settings are refused with the reason and the remedy', () => {
    expect(messages({ field: 'name', shown: false })).toEqual(['shown: Name cannot be hidden: it names the record.']);
    expect(messages({ field: 'above_id', shown: false })[0]).toContain('what stands below what');
    expect(messages({ field: 'floors', shown: false })).toEqual([
      'default_value: Floors must be filled in, so it is hidden only with a value for new records. Enter one.',
    ]);
    expect(messages({ field: 'floors', shown: false, default_value: '4' })).toEqual([]);
    expect(messages({ field: 'floors', shown: false, default_value: 'four' })[0]).toMatch(/^default_value: /);
    expect(messages({ field: 'floors', required: false })[0]).toMatch(
      /^required: Floors must be filled in for the product to work/,
    );
    expect(messages({ field: 'tax', required: true })[0]).toMatch(/^required: Tax is filled in by the system/);
    expect(messages({ field: 'price', mask: 'hidden' })[0]).toContain('part of a calculation');
    expect(messages({ field: 'floors', mask: 'hidden' })[0]).toContain('must be filled in');
    expect(messages({ field: 'pit', mask: 'last4' })[0]).toContain('no last four characters');
    expect(messages({ kind: 'own', own_field: 'colour', label: 'Colour', type: 'enum', choices: [] })).toEqual([
      'choices: Enter the values that may be chosen.',
    ]);
    expect(messages({ kind: 'own', own_field: 'boss', label: 'Boss', type: 'ref' })).toEqual([
      'type: Choose what the field holds.',
    ]);
  });

  it('outdated settings never remove a screen', () => {
    expect(
      names(
        lay(
          { field: 'gone', shown: false },
          { field: 'name', shown: false },
          { kind: 'own', own_field: 'x', type: 'ref', label: 'X' },
        ),
      ),
    ).toEqual(names(lift));
  });
});

describe('columns of rows', () => {
  let order: Screen;
  beforeAll(() => {
    const { screens, problems } = compileScreens(
      [
        file(
          'order',
          JSON.stringify({
            $schema: '../meta/screen.schema.json',
            title: 'Order',
            access: { screen: 'SCN_ORDER' },
            schema: {
              required: ['name'],
              properties: {
                name: { $ref: 'types#name' },
                total: { $ref: 'types#money', 'x-formula': 'sum(lines.amount)' },
                lines: {
                  type: 'array',
                  title: 'Lines',
                  'x-unique': ['item'],
                  'x-columns': ['item', 'amount', 'colour'],
                  'x-sections': [{ fields: ['item', 'amount'] }, { title: 'More', fields: ['colour', 'note'] }],
                  items: {
                    type: 'object',
                    required: ['item', 'amount'],
                    properties: {
                      item: { $ref: 'types#text' },
                      amount: { $ref: 'types#money' },
                      colour: { $ref: 'types#text' },
                      place: { $ref: 'types#text' },
                      note: { $ref: 'types#text', 'x-when': "colour == 'other'" },
                    },
                  },
                },
              },
            },
            rules: [
              { assert: "colour != 'red' or amount > 0", message: 'Red has a price.', field: 'amount', rows: 'lines' },
              { assert: 'amount >= 0', message: 'No negative amounts.', field: 'amount', rows: 'lines' },
            ],
          }),
          'test',
        ),
      ],
      types,
    );
    expect(problems).toEqual([]);
    order = screens.get('order')!;
  });
  const of = (setting: FieldSetting): FieldSetting => ({ of: 'order.lines', ...setting });
  const laid = (...settings: FieldSetting[]) => overlaid(order, definitions, settings.map(of), () => false);
  const table = (screen: Screen) => screen.fields.find(({ name }) => name === 'lines')!;
  const said = (setting: FieldSetting) =>
    settingErrors(order, definitions, of(setting)).map(({ field, message }) => `${field}: ${message}`);

  it('a hidden column disappears, with every reference to it', () => {
    const screen = laid({ field: 'colour', shown: false });
    const { rows, columns, sections } = table(screen);
    expect(rows!.map(({ name }) => name)).toEqual(['item', 'amount', 'place', 'note']);
    expect([columns, sections!.map(({ fields }) => fields)]).toEqual([
      ['item', 'amount'],
      [['item', 'amount'], ['note']],
    ]);
    expect(rows!.at(-1)!.when).toBeUndefined();
    expect(screen.rules.map(({ message }) => message)).toEqual(['No negative amounts.']);
    const { errors } = prepare(screen, { name: 'One', lines: [{ item: 'A', amount: '1', colour: 'red' }] }, null);
    expect(errors.map(({ field }) => field)).toEqual(['lines.0.colour']);
    expect(screen.hash).not.toBe(order.hash);
  });

  it('a column is renamed, asked for, and moved', () => {
    const screen = laid(
      { field: 'item', sequence_no: 5 },
      { field: 'place', label: 'Shelf', required: true, in_list: 'shown', sequence_no: 1 },
    );
    expect(table(screen).columns![0]).toBe('place');
    const { record } = prepare(screen, { name: 'One', lines: [{ item: 'A', amount: '1' }] }, null);
    expect(findErrors(screen, record)).toEqual([{ field: 'lines.0.place', message: 'Shelf is required.' }]);
  });

  it('a setting of the record leaves the column of that name alone', () => {
    const screen = overlaid(order, definitions, [{ of: 'order', field: 'place', shown: false }], () => false);
    expect(table(screen)).toEqual(table(order));
  });

  it('keys, totals and required columns stay', () => {
    expect(said({ field: 'item', shown: false })[0]).toBe(
      'shown: Item cannot be hidden: no two rows may have the same.',
    );
    expect(said({ field: 'amount', shown: false })[0]).toMatch(/^shown: Amount cannot be hidden: other fields/);
    expect(said({ field: 'place', mask: 'hidden' })[0]).toMatch(/^mask: /);
    expect(said({ kind: 'own', own_field: 'x', label: 'X', type: 'text' })[0]).toMatch(/^kind: /);
    expect(said({ field: 'note', shown: false })).toEqual([]);
  });
});

describe('the word overlay', () => {
  const setting = (properties: object, overlay: string | string[] = 'lift') =>
    file(
      'lift_setting',
      JSON.stringify({
        $schema: '../meta/screen.schema.json',
        title: 'Setting',
        access: { screen: 'SCN_LIFT_SETTING' },
        schema: { properties },
        overlay,
      }),
      'test',
    );
  const target = (more: object = {}) =>
    file(
      'lift',
      JSON.stringify({
        $schema: '../meta/screen.schema.json',
        title: 'Lift',
        access: { screen: 'SCN_LIFT' },
        schema: { required: ['name'], properties: { name: { $ref: 'types#name' }, ...more } },
      }),
      'test',
    );
  const problems = (properties: object, overlay?: string | string[]) =>
    compileScreens([target(), setting(properties, overlay)], types).problems.map(({ message }) => message);

  it('names an existing type and existing fields', () => {
    expect(problems({ field: { enum: ['name'] }, shown: { type: 'boolean' } })).toEqual([]);
    expect(problems({ field: { enum: ['name'] }, shown: { type: 'boolean' } }, 'lifft')).toContain(
      'There is no record type "lifft".',
    );
    expect(problems({ field: { enum: ['nmae'] }, shown: { type: 'boolean' } })).toContain(
      '"nmae" is nothing of lift for "field".',
    );
    expect(problems({ field: { enum: ['name'] }, shown: { $ref: 'types#text' } })).toContain(
      '"shown" of an overlay is of type boolean.',
    );
    expect(problems({ field: { enum: ['name'] } })).toContain('An overlay needs the field "shown".');
  });

  it('of several types names the one of each record', () => {
    const fields = { field: { enum: ['name'] }, shown: { type: 'boolean' } };
    expect(problems(fields, ['lift', 'lift.doors'])).toContain('"doors" is no table of rows of "lift".');
    expect(problems(fields, ['lift', 'lift'])).not.toEqual([]);
    const doors = {
      type: 'array',
      items: { type: 'object', properties: { width: { $ref: 'types#integer' } } },
    };
    const of = { enum: ['lift', 'lift.doors'], 'x-labels': { 'lift.doors': 'Door' } };
    const several = setting({ of, ...fields, field: { enum: ['name', 'width'] } }, ['lift', 'lift.doors']);
    const { screens, problems: found } = compileScreens([target({ doors }), several], types);
    expect(found).toEqual([]);
    const said = (record: object) =>
      findSettingErrors(screens.get('lift_setting')!, screens, { shown: true, ...record });
    expect(said({ of: 'lift.doors', field: 'width' })).toEqual([]);
    expect(said({ of: 'lift.doors', field: 'name' })).toEqual([
      { field: 'field', message: 'Door has no such field. Choose another.' },
    ]);
  });
});
