import { describe, expect, it } from 'vitest';
import {
  fieldsOfShape,
  fromControl,
  lineFields,
  listOfShape,
  shapeOfList,
  toControl,
} from '../../../src/descriptor/shape_fields.ts';
import type { JsonSchema } from '../../../src/descriptor/types.ts';

const renewal: JsonSchema = {
  type: 'object',
  properties: {
    remind_days: { type: 'array', title: 'Remind before, days', items: { type: 'integer' } },
    floor_percent: { type: 'number', minimum: 0, maximum: 100 },
    auto: { type: 'boolean', title: 'Automatically' },
    group_by: { enum: ['contract', 'building'], title: 'One bill for each' },
    dunning: {
      type: 'array',
      title: 'Reminders',
      items: { type: 'object', properties: { after_days: { type: 'integer' }, by: { enum: ['mail', 'call'] } } },
    },
    odd: { type: 'object' },
  },
  required: ['floor_percent'],
};

describe('fields defined by another record', () => {
  const fields = fieldsOfShape(renewal);
  const named = (name: string) => fields.find((field) => field.name === name)!;

  it('have the control of their type, a title and required flags', () => {
    expect(fields.map(({ name, type, title, required }) => [name, type, title, required])).toEqual([
      ['remind_days', 'tags', 'Remind before, days', false],
      ['floor_percent', 'decimal', 'Floor percent', true],
      ['auto', 'boolean', 'Automatically', false],
      ['group_by', 'enum', 'One bill for each', false],
      ['dunning', 'rows', 'Reminders', false],
    ]);
    expect(named('group_by').options).toEqual([
      { value: 'contract', label: 'Contract' },
      { value: 'building', label: 'Building' },
    ]);
    expect(named('dunning').rows!.map(({ type }) => type)).toEqual(['integer', 'enum']);
  });

  it('store numbers as numbers, and leave invalid ones to the check', () => {
    expect(toControl(named('remind_days'), [90, 30])).toEqual(['90', '30']);
    expect(fromControl(named('remind_days'), ['90', 'soon'])).toEqual([90, 'soon']);
    expect(toControl(named('floor_percent'), 90)).toBe('90');
    expect(fromControl(named('floor_percent'), '87.5')).toBe(87.5);
    expect(fromControl(named('floor_percent'), null)).toBeUndefined();
  });
});

describe('the list of field definitions', () => {
  it('is restored from its schema', () => {
    const plain = {
      ...renewal,
      properties: { ...renewal.properties, floor_percent: { ...renewal.properties!.floor_percent, title: 'Floor' } },
    };
    const back = shapeOfList(listOfShape(plain));
    expect(back).toEqual({
      ...plain,
      properties: { ...plain.properties, odd: { type: 'object', title: 'Odd' } },
    });
    expect(Object.keys(back.properties!)).toEqual(Object.keys(plain.properties));
  });

  it('derives unique names from titles, and ignores lines without one', () => {
    expect(
      shapeOfList([
        { title: 'Notice, days', kind: 'integer', minimum: 0, required: true },
        { title: 'Notice, days', kind: 'text' },
        { kind: 'text' },
        { title: 'Kind', kind: 'choice', choices: ['a', 'b'] },
      ]),
    ).toEqual({
      type: 'object',
      properties: {
        notice_days: { type: 'integer', minimum: 0, title: 'Notice, days' },
        notice_days_2: { type: 'string', title: 'Notice, days' },
        kind: { enum: ['a', 'b'], title: 'Kind' },
      },
      required: ['notice_days'],
    });
  });

  it('shows limits for numbers and options for choices only', () => {
    const names = (kind: string) => lineFields({ kind }).map(({ name }) => name);
    expect(names('text')).toEqual(['title', 'kind', 'required']);
    expect(names('integer')).toEqual(['title', 'kind', 'required', 'minimum', 'maximum']);
    expect(names('choice')).toEqual(['title', 'kind', 'required', 'choices']);
  });
});
