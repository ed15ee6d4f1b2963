import { describe, expect, it } from 'vitest';
import type { Field } from '../../../../../src/descriptor/types.ts';
import { formOfNew } from '../../../../../src/client/runtime/form/new_form.ts';
import { newRecord, presetFrom } from '../../../../../src/client/runtime/form/values.ts';
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
  it('names whoever adds it, where a field wants it', () => {
    expect(newRecord(screen, {}, { userId: 7, employeeId: 42 })).toMatchObject({
      owner_id: 7,
      runner_id: 42,
      kept: 'yes',
    });
    expect(newRecord(screen, {}, { userId: 7, employeeId: null })).toMatchObject({ owner_id: 7, runner_id: null });
  });

  it('begins with what the address says of its fields', () => {
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

  it('is asked for without the parts that the system fills alone; what is computed stays', () => {
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
      formOfNew(wide).form.tabs.map(({ title, sections }) => [title, sections.map(({ fields }) => fields)]),
    ).toEqual([['Order', [['code', 'price', 'name', 'note'], ['total']]]]);
    expect(wide.form.tabs).toHaveLength(2);
    expect(formOfNew(wide)).toBe(formOfNew(wide));
    expect(
      formOfNew({
        ...wide,
        fields: wide.fields.map((field) => ({ ...field, readOnly: true })),
        form: { tabs: [wide.form.tabs[1]!] },
      }).form.tabs,
    ).toHaveLength(1);
  });
});
