import { describe, expect, it } from 'vitest';
import { forgetSession, rememberSession } from '../../../../../src/client/app/session.ts';
import { today } from '../../../../../src/descriptor/place.ts';
import type { Field } from '../../../../../src/descriptor/types.ts';
import { createFormStore } from '../../../../../src/client/runtime/form/form_store.ts';
import { formOfNew } from '../../../../../src/client/runtime/form/new_form.ts';
import { formOfState } from '../../../../../src/client/runtime/form/state_form.ts';
import {
  changedPayload,
  newRecord,
  presetFrom,
  typedPayload,
  wholePayload,
} from '../../../../../src/client/runtime/form/values.ts';
import { findErrors } from '../../../../../src/client/runtime/form/find_errors.ts';
import { newRow } from '../../../../../src/client/runtime/fields/rows/sheet_values.ts';
import { screenOf } from '../../../descriptor/fixtures/compile_sample.ts';

const base = screenOf(
  {},
  { runner: { $ref: 'types#text' }, price: { $ref: 'types#money' }, kept: { enum: ['yes', 'no'], default: 'yes' } },
);
const reference = (name: string, type: string): Field => ({
  name,
  type: 'ref',
  title: name,
  required: false,
  schema: { type: 'integer' },
  ref: { type },
  secret: false,
  readOnly: false,
  defaultMe: true,
});
const screen = {
  ...base,
  fields: [...base.fields, reference('owner_id', 'users'), reference('runner_id', 'employee')],
};

describe('a new record', () => {
  it('names its author, if a field wants it', () => {
    expect(newRecord(screen, {}, { userId: 7, employeeId: 42 })).toMatchObject({
      owner_id: 7,
      runner_id: 42,
      kept: 'yes',
    });
    expect(newRecord(screen, {}, { userId: 7, employeeId: null })).toMatchObject({ owner_id: 7, runner_id: null });
  });

  it('is passed to functions as it is in the form, including emptied fields', () => {
    const values = { code: 'A', name: '', price: null, kept: 'no' };
    expect(typedPayload(base, values)).toEqual({ code: 'A', name: null, price: null, kept: 'no', runner: null });
    expect(wholePayload(base, values)).not.toHaveProperty('name');
  });

  it('without a network lacks what the server fills, but nothing else', () => {
    const needed = { ...base, fields: base.fields.map((field) => ({ ...field, required: true })) };
    const store = createFormStore(needed, newRecord(needed, {}, { userId: 7, employeeId: null }));
    store.useCheck((record) =>
      ['name', 'runner'].flatMap((name) =>
        (record as Record<string, unknown>)[name] == null
          ? [{ instancePath: '', keyword: 'required', params: { missingProperty: name } }]
          : [],
      ),
    );
    expect(store.check()).toBe(false);
    store.filledLater(new Set(['runner']));
    store.check();
    expect([store.messages().has('runner'), store.messages().has('name')]).toEqual([false, true]);
    expect([store.field('runner').required, store.field('name').required]).toEqual([false, true]);
    store.filledLater(new Set());
    expect(store.messages().has('runner')).toBe(true);
  });

  it('takes initial values from the address', () => {
    const preset = presetFrom(
      screen,
      new URLSearchParams('name=Stamps&price=₹1,200.50&runner_id=9&kept=no&colour=red'),
    );
    expect(newRecord(screen, preset, { userId: 7, employeeId: 42 })).toMatchObject({
      name: 'Stamps',
      price: '1200.50',
      runner_id: 9,
      kept: 'no',
    });
    expect(preset).not.toHaveProperty('colour');
  });

  it('omits fields that the system fills; computed and preset ones stay', () => {
    const wide = screenOf(
      {
        form: {
          tabs: [
            {
              title: 'Order',
              sections: [
                { fields: ['code', 'price', 'name', 'note'] },
                { title: 'Outcome', fields: ['result', 'by'] },
                { title: 'Sum', fields: ['total'] },
              ],
            },
            { title: 'Later', sections: [{ fields: ['closed_on'] }] },
          ],
        },
      },
      {
        price: { $ref: 'types#money' },
        total: { $ref: 'types#money', 'x-formula': 'price * 2' },
        note: { $ref: 'types#text', readOnly: true },
        by: { $ref: 'types#text', readOnly: true },
        result: { $ref: 'types#text', readOnly: true },
        closed_on: { $ref: 'types#date', readOnly: true },
      },
    );
    expect(
      formOfNew(wide, {}).form.tabs.map(({ title, sections }) => [title, sections.map(({ fields }) => fields)]),
    ).toEqual([['Order', [['code', 'price', 'name'], ['total']]]]);
    expect(wide.form.tabs).toHaveLength(2);
    expect(formOfNew(wide, { note: 'From the quotation' }).form.tabs[0]!.sections.map(({ fields }) => fields)).toEqual([
      ['code', 'price', 'name', 'note'],
      ['total'],
    ]);
    expect(
      formOfNew(
        {
          ...wide,
          fields: wide.fields.map((field) => ({ ...field, readOnly: true })),
          form: { tabs: [wide.form.tabs[1]!] },
        },
        {},
      ).form.tabs,
    ).toHaveLength(1);
  });
});

describe('the values sent by a form', () => {
  const wide = screenOf(
    {},
    {
      kept: { enum: ['yes', 'no'], default: 'yes' },
      since: { $ref: 'types#date', 'x-when': "kept == 'yes'" },
      strict: { $ref: 'types#boolean' },
      lines: {
        type: 'array',
        items: {
          type: 'object',
          required: ['why'],
          properties: {
            kind: { enum: ['plain', 'odd'], default: 'plain' },
            why: { $ref: 'types#text', 'x-when': "kind == 'odd' and strict" },
            by: { $ref: 'types#integer' },
          },
        },
      },
    },
  );

  const columns = wide.fields.find(({ name }) => name === 'lines')!.rows!;
  Object.assign(
    columns.find(({ name }) => name === 'by')!,
    reference('by', 'users'),
  );

  it('omit hidden fields, of the record and of rows', () => {
    const values = {
      ...newRecord(wide),
      kept: 'no',
      since: '2026-01-01',
      lines: [
        { id: 4, kind: 'plain', why: 'hidden' },
        { kind: 'odd', why: 'seen', by: 7 },
      ],
    };
    const lines = [
      { id: 4, kind: 'plain', by: null },
      { kind: 'odd', by: 7 },
    ];
    expect(wholePayload(wide, values)).toEqual({ kept: 'no', lines });
    expect(changedPayload(wide, { ...values, strict: true }, newRecord(wide))).toEqual({
      kept: 'no',
      strict: true,
      lines: [lines[0], { ...lines[1], why: 'seen' }],
    });
  });

  it('report that a preset field was emptied', () => {
    expect(wholePayload(wide, { ...newRecord(wide), kept: null })).toEqual({ kept: null });
  });

  it('require no hidden column, but shown ones', () => {
    const required = () => [{ instancePath: '/lines/0', keyword: 'required', params: { missingProperty: 'why' } }];
    const errors = (values: Record<string, unknown>) => [...findErrors(wide, values, required, () => true).keys()];
    expect(errors({ lines: [{ kind: 'odd' }] })).toEqual([]);
    expect(errors({ strict: true, lines: [{ kind: 'odd' }] })).toEqual(['lines.0.why']);
  });

  it('fill a row with its defaults and its author', () => {
    rememberSession({ token: 'tok', user_id: 7, user_name: 'Asha Rao', entity_id: 1 });
    expect(newRow(columns)).toEqual({
      kind: 'plain',
      why: null,
      by: 7,
    });
    forgetSession();
  });
});

describe('the presets of a new record from its other fields', () => {
  const begins = screenOf(
    {},
    {
      made_on: { $ref: 'types#date', 'x-default': 'today()' },
      heading: { $ref: 'types#text', 'x-default': "join(' / ', code, name)" },
    },
  );

  it('are updated until somebody types another value, and report when it is emptied', () => {
    const store = createFormStore(begins, newRecord(begins));
    expect(store.values().made_on).toBe(today());
    store.set({ code: 'A' });
    expect(store.values().heading).toBe('A');
    store.set({ name: 'Rope' });
    expect(store.values().heading).toBe('A / Rope');
    store.set({ heading: 'Mine' });
    store.set({ name: 'Oil' });
    expect(store.values().heading).toBe('Mine');
    store.set({ heading: null });
    store.set({ name: 'Gas' });
    expect(wholePayload(begins, store.values())).toMatchObject({ name: 'Gas', heading: null });
  });
});

describe('a form in a state', () => {
  const answering = {
    ...screenOf(
      {},
      {
        relation: { $ref: 'types#text' },
        comment: { $ref: 'types#text' },
        ratings: {
          type: 'array',
          items: { type: 'object', properties: { question: { $ref: 'types#text' }, stars: { $ref: 'types#rating' } } },
        },
        extras: { type: 'array', items: { type: 'object', properties: { note: { $ref: 'types#text' } } } },
      },
    ),
    workflow: { field: 'status' } as never,
  };
  const record = { id: 1, status: 'asked', _open: { in: 'asked', fields: ['comment', 'ratings.stars'] } };
  const named = (given: Record<string, unknown>) =>
    Object.fromEntries(formOfState(answering, given).fields.map((field) => [field.name, field]));

  it('shows as fixed what the state leaves fixed, and keeps rows of which a column is open', () => {
    const { relation, comment, ratings, extras } = named(record);
    expect([relation, comment, ratings, extras].map((field) => field!.readOnly)).toEqual([true, false, false, true]);
    expect(ratings!.givenRows).toBe(true);
    expect(ratings!.rows!.map(({ name, readOnly }) => [name, readOnly])).toEqual([
      ['question', true],
      ['stars', false],
    ]);
  });

  it('is open where the server has said nothing, or of another state', () => {
    for (const other of [
      { id: 1, status: 'asked' },
      { ...record, status: 'given' },
    ])
      expect(formOfState(answering, other)).toBe(answering);
  });
});

describe('fields locked by a condition', () => {
  const held = screenOf(
    {},
    {
      closed: { type: 'boolean', default: false },
      rate: { $ref: 'types#money', 'x-readonly': 'closed' },
      serial: { $ref: 'types#text', 'x-once': true },
      lines: {
        type: 'array',
        items: { type: 'object', properties: { qty: { $ref: 'types#integer', 'x-readonly': 'closed' } } },
      },
      total: { $ref: 'types#integer', 'x-formula': 'sum(lines.qty)' },
    },
  );
  const stored = { ...newRecord(held), id: 3, rate: '5.00', serial: 'A1', lines: [{ id: 8, qty: 2 }] };

  it('are read-only, and restored when the condition becomes true', () => {
    const store = createFormStore(held, stored);
    expect([store.field('serial').held, store.field('rate').held]).toEqual([true, false]);
    store.set({ closed: true });
    // What a person opens may be changed at once: as long as nothing is saved it was open.
    expect(store.field('rate').held).toBe(false);
    store.reset({ ...stored, closed: true });
    store.set({ closed: false, rate: '6.00', lines: [{ id: 8, qty: 3 }] });
    expect(store.values()).toMatchObject({ rate: '6.00', total: 3 });
    store.set({ closed: true });
    expect(store.values()).toMatchObject({ rate: '5.00', lines: [{ id: 8, qty: 2 }], total: 2 });
    expect([...store.held()].sort()).toEqual(['lines.0.qty', 'rate', 'serial']);
  });

  it('of a new record have their default, and may be entered once', () => {
    const store = createFormStore(held, newRecord(held));
    store.set({ rate: '5.00', serial: 'B2' });
    store.set({ closed: true });
    expect(store.values()).toMatchObject({ rate: null, serial: 'B2' });
  });
});
