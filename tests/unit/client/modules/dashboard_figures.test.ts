import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FIGURES, STATES, figureAddress, within } from '../../../../src/client/modules/fms/dashboard_figures.ts';

const { schema, workflow } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../schemas/fms_contracts/tis_inspection.json'), 'utf8'),
) as { schema: { properties: Record<string, { enum?: string[] }> }; workflow: { states: object } };
schema.properties.status = { enum: Object.keys(workflow.states) };

it('days count from today, over the ends of months and years', () => {
  const today = new Date(2026, 11, 30);
  expect(
    within(
      { title: '', note: '', tone: 'brand', filter: ['status', 'eq', 'planned'], days: ['planned_on', 0, 6] },
      today,
    ),
  ).toEqual(['and', ['status', 'eq', 'planned'], ['planned_on', 'between', ['2026-12-30', '2027-01-05']]]);
  expect(within({ title: '', note: '', tone: 'brand', filter: ['unsafe', 'eq', true] }, today)).toEqual([
    'unsafe',
    'eq',
    true,
  ]);
});

it('every figure and state asks for fields and values that inspections have', () => {
  const filters = [...FIGURES.map(({ filter }) => filter), ...STATES.map(({ filter }) => filter)] as [
    string,
    string,
    unknown,
  ][];
  for (const [field, , value] of filters) {
    const known = schema.properties[field];
    expect(known, field).toBeDefined();
    if (known?.enum) expect(known.enum).toContain(value);
  }
  for (const { days } of FIGURES) if (days) expect(schema.properties[days[0]]).toBeDefined();
  expect(STATES.map(({ filter }) => filter[2])).toEqual(schema.properties.status!.enum);
});

it('leads to the list with the same filter', () => {
  expect(figureAddress('/tis_landing', ['status', 'eq', 'submitted'])).toBe(
    '/tis_landing?filter=%5B%22status%22%2C%22eq%22%2C%22submitted%22%5D',
  );
});
