import { describe, expect, it } from 'vitest';
import type { FilterExpression, Screen } from '../../../../../src/descriptor/types.ts';
import { operatorsFor, parseFilter } from '../../../../../src/descriptor/filter.ts';
import { datePresets } from '../../../../../src/client/runtime/landing/date_presets.ts';
import type { FilterDraft } from '../../../../../src/client/runtime/landing/filter_draft.ts';
import { conditionOf, draftOf, operatorChoices } from '../../../../../src/client/runtime/landing/filter_draft.ts';
import { conditionWords, idsInConditions } from '../../../../../src/client/runtime/landing/filter_words.ts';
import { contractScreen } from '../contract_screen.ts';

const screen: Screen = contractScreen();
const field = (name: string) => screen.fields.find((one) => one.name === name)!;
const answer = (name: string, part: Partial<FilterDraft>) => conditionOf(field(name), { ...draftOf(field(name), null), ...part });
const words = (condition: FilterExpression, labels = (_type: string, _id: number): string | undefined => undefined) => {
  const { title, text } = conditionWords(condition, screen, labels);
  return `${title} ${text}`;
};

describe('a condition being edited', () => {
  it('offers only comparisons that the server takes', () => {
    for (const one of screen.fields) {
      for (const { op } of operatorChoices(one)) {
        // Yes and No are ticked; one tick alone is sent as "eq".
        expect(operatorsFor(one), `${one.name} ${op}`).toContain(one.type === 'boolean' && op === 'in' ? 'eq' : op);
      }
    }
  });

  it.each<[string, Partial<FilterDraft>, unknown]>([
    ['name', { op: 'contains', text: '  lift ' }, ['name', 'contains', 'lift']],
    ['name', { op: 'empty', text: 'left over' }, ['name', 'empty']],
    ['status', { op: 'in', chosen: ['draft', 'active'] }, ['status', 'in', ['draft', 'active']]],
    ['branch_id', { op: 'in', chosen: [3, 7] }, ['branch_id', 'in', [3, 7]]],
    ['branch_id', { op: 'contains', text: 'chen' }, ['branch_id', 'contains', 'chen']],
    ['renewed', { op: 'in', chosen: [true] }, ['renewed', 'eq', true]],
    ['renewed', { op: 'in', chosen: [true, false] }, null],
    ['value', { op: 'between', from: '1,00,000', to: '2,50,000.50' }, ['value', 'between', ['100000', '250000.50']]],
    ['value', { op: 'between', from: '1000', to: '' }, ['value', 'gte', '1000']],
    ['floors', { op: 'between', from: '', to: '12' }, ['floors', 'lte', 12]],
    ['starts_on', { op: 'between', from: '1/4/26', to: '31-03-2027' }, ['starts_on', 'between', ['2026-04-01', '2027-03-31']]],
    ['starts_on', { op: 'before', from: '01-04-2026' }, ['starts_on', 'before', '2026-04-01']],
    ['name', { op: 'contains', text: '' }, null],
  ])('%s %o', (name, part, expected) => {
    const got = answer(name, part);
    expect('condition' in got && normal(got.condition)).toEqual(expected === null ? null : normal(expected));
    if ('condition' in got) expect(parseFilter(got.condition, screen)).toHaveProperty('filter');
  });

  it('says what cannot be read, and which way round a range goes', () => {
    expect(answer('starts_on', { op: 'between', from: '31-02-2026' })).toHaveProperty('error');
    expect(answer('value', { op: 'between', from: 'many' })).toHaveProperty('error');
    expect(answer('value', { op: 'between', from: '20', to: '3' })).toHaveProperty('error');
    expect(answer('starts_on', { op: 'between', from: '02-04-2026', to: '01-04-2026' })).toHaveProperty('error');
  });

  it.each<FilterExpression>([
    ['name', 'contains', 'lift'],
    ['status', 'in', ['draft']],
    ['renewed', 'eq', false],
    ['starts_on', 'between', ['2026-04-01', '2027-03-31']],
    ['floors', 'gte', 3],
    ['branch_id', 'in', [3]],
    ['branch_id', 'empty'],
  ])('opens %j and closes to the same', (...condition) => {
    const one = field(condition[0] as string);
    expect(conditionOf(one, draftOf(one, condition as FilterExpression))).toEqual({ condition });
  });
});

/** Decimals may be written with more zeros. */
function normal(condition: unknown): unknown {
  return JSON.parse(JSON.stringify(condition), (_key, value: unknown) => (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? String(Number(value)) : value)) as unknown;
}

describe('a chip', () => {
  it.each<[FilterExpression, string]>([
    [['name', 'contains', 'lift'], 'Name contains "lift"'],
    [['status', 'in', ['draft', 'active']], 'Status Draft, Active'],
    [['value', 'gte', '125000'], 'Value from 1,25,000.00'],
    [['starts_on', 'between', ['2026-04-01', '2027-03-31']], 'Starts on 01-04-2026 to 31-03-2027'],
    [['starts_on', 'between', ['2026-04-01', '2026-04-01']], 'Starts on 01-04-2026'],
    [['branch_id', 'empty'], 'Branch is empty'],
    [['or', ['name', 'contains', 'a'], ['name', 'contains', 'b']], 'Any of 2 conditions'],
  ])('%j says %s', (condition, expected) => {
    expect(words(condition)).toBe(expected);
  });

  it('names references by their labels, a long list by its first two', () => {
    const labels = (type: string, id: number) => (type === 'branch' && id !== 9 ? `Branch ${id}` : undefined);
    expect(words(['branch_id', 'in', [3]], labels)).toBe('Branch Branch 3');
    expect(words(['branch_id', 'in', [9]], labels)).toBe('Branch #9');
    expect(words(['branch_id', 'in', [1, 2, 3, 4]], labels)).toBe('Branch Branch 1, Branch 2 and 2 more');
  });

  it('asks for the labels of the ids it names and of nothing else', () => {
    const wanted = idsInConditions([['branch_id', 'in', [3, 7]], ['branch_id', 'contains', 'chen'], ['floors', 'eq', 3]], screen);
    expect(wanted.map(({ field: { name }, ids }) => [name, ids])).toEqual([['branch_id', [3, 7]]]);
  });
});

describe('ranges of days', () => {
  const of = (day: string) => Object.fromEntries(datePresets(new Date(`${day}T10:00:00`)).map(({ label, from, to }) => [label, `${from} ${to}`]));

  it('counts weeks from Monday and years from April', () => {
    expect(of('2026-11-21')).toMatchObject({
      Today: '2026-11-21 2026-11-21',
      'This week': '2026-11-16 2026-11-22',
      'This month': '2026-11-01 2026-11-30',
      'This financial year': '2026-04-01 2027-03-31',
    });
    expect(of('2026-03-31')['This financial year']).toBe('2025-04-01 2026-03-31');
    expect(of('2026-01-04')).toMatchObject({ 'This week': '2025-12-29 2026-01-04', 'Last month': '2025-12-01 2025-12-31' });
  });
});
