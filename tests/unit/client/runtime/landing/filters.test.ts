import { afterEach, describe, expect, it } from 'vitest';
import { datePresets, dayOf, endOfDay, startOfDay } from '../../../../../src/client/runtime/landing/date_presets.ts';
import { conditionOf, draftOf, operatorChoices } from '../../../../../src/client/runtime/landing/filter_draft.ts';
import { conditionWords } from '../../../../../src/client/runtime/landing/filter_words.ts';
import type { Condition } from '../../../../../src/client/runtime/landing/list_address.ts';
import { parseFilter } from '../../../../../src/descriptor/filter.ts';
import { USUAL_PLACE, setPlace } from '../../../../../src/descriptor/place.ts';
import { depotScreen, field } from '../screen_fixture.ts';

const screen = depotScreen();
const named = (name: string) => screen.fields.find((one) => one.name === name) ?? field(name, 'text');
const draft = (name: string, part: object) => conditionOf(named(name), { ...draftOf(named(name), null), ...part });

describe('an edited condition', () => {
  it('becomes a filter that the server accepts', () => {
    const conditions: Condition[] = [];
    const put = (name: string, part: object) => {
      const answer = draft(name, part);
      if ('error' in answer || !answer.condition) throw new Error(`${name} gave no condition`);
      conditions.push(answer.condition);
    };
    put('name', { text: ' chennai ' });
    put('tags', { text: 'cold' });
    put('status', { chosen: ['draft', 'open'] });
    put('leased', { chosen: [false] });
    put('area', { from: '1,20,000', to: '2,50,000.5' });
    put('opened_on', { from: '1/4/2026', to: '31 Mar 2027' });
    put('checked_at', { from: '01-04-2026', to: '01-04-2026' });
    put('branch_id', { chosen: [4, 7] });
    put('branch_id', { op: 'contains', text: 'chen' });
    put('opened_on', { op: 'empty' });
    for (const condition of conditions) expect(parseFilter(condition, screen)).toEqual({ filter: condition });
    expect(conditions).toContainEqual(['area', 'between', ['120000', '250000.5']]);
    expect(conditions).toContainEqual(['opened_on', 'between', ['2026-04-01', '2027-03-31']]);
    expect(conditions).toContainEqual(['leased', 'eq', false]);
  });

  it('is empty without a value', () => {
    expect(draft('name', { text: '  ' })).toEqual({ condition: null });
    expect(draft('status', { chosen: [] })).toEqual({ condition: null });
    expect(draft('leased', { chosen: [true, false] })).toEqual({ condition: null });
    expect(draft('area', {})).toEqual({ condition: null });
  });

  it('with one end is "from" or "up to"', () => {
    expect(draft('area', { from: '10' })).toEqual({ condition: ['area', 'gte', '10'] });
    expect(draft('opened_on', { to: '01-04-2026' })).toEqual({ condition: ['opened_on', 'lte', '2026-04-01'] });
  });

  it('reports unreadable input', () => {
    expect(draft('area', { from: 'many' })).toHaveProperty('error');
    expect(draft('opened_on', { from: '31-02-2026' })).toHaveProperty('error');
    expect(draft('area', { from: '20', to: '3' })).toEqual({ error: 'The first value must not be above the second.' });
  });

  it('covers the whole day for a date and time', () => {
    const answer = draft('checked_at', { from: '01-04-2026', to: '01-04-2026' });
    const [, , ends] = ('condition' in answer ? answer.condition : null) as [string, string, [string, string]];
    expect(Date.parse(ends[1]) - Date.parse(ends[0])).toBe(24 * 3_600_000 - 1);
  });

  it('is restored as it was entered', () => {
    const condition: Condition = ['opened_on', 'between', ['2026-04-01', '2027-03-31']];
    expect(draftOf(named('opened_on'), condition)).toMatchObject({
      op: 'between',
      from: '01-04-2026',
      to: '31-03-2027',
    });
    expect(draftOf(named('status'), ['status', 'eq', 'open'])).toMatchObject({ op: 'in', chosen: ['open'] });
  });

  it('is not offered for secrets', () => {
    expect(operatorChoices(named('pin'))).toEqual([]);
  });
});

describe('a condition in words', () => {
  const words = (condition: Condition) =>
    conditionWords(condition, screen, (type, id) => (id === 4 ? `${type} Chennai` : undefined));

  it('names the field and its comparison', () => {
    expect(words(['status', 'in', ['draft', 'open']])).toEqual({ title: 'Status', text: 'Draft, Open' });
    expect(words(['name', 'contains', 'chen'])).toEqual({ title: 'Name', text: 'contains "chen"' });
    expect(words(['opened_on', 'between', ['2026-04-01', '2027-03-31']])).toEqual({
      title: 'Opened on',
      text: '01-04-2026 to 31-03-2027',
    });
    expect(words(['leased', 'eq', true]).text).toBe('Yes');
    expect(words(['branch_id', 'in', [4, 9]]).text).toBe('branch Chennai, #9');
    expect(words(['branch_id', 'in', [1, 2, 3, 4]]).text).toBe('#1, #2 and 2 more');
    expect(words(['or', ['name', 'eq', 'a'], ['name', 'eq', 'b']])).toEqual({ title: 'Any of', text: '2 conditions' });
  });
});

describe('the limits of a day', () => {
  afterEach(() => setPlace(() => USUAL_PLACE));

  it('are in the time zone of the person’s branch, whatever the machine’s clock', () => {
    const bounds = (timezone: string) => {
      setPlace(() => ({ ...USUAL_PLACE, timezone }));
      return [startOfDay('2026-03-08'), endOfDay('2026-03-08')];
    };
    expect(bounds('Asia/Kolkata')).toEqual(['2026-03-07T18:30:00.000Z', '2026-03-08T18:29:59.999Z']);
    // The day of 23 hours on which clocks go forward.
    expect(bounds('America/New_York')).toEqual(['2026-03-08T05:00:00.000Z', '2026-03-09T03:59:59.999Z']);
    expect(dayOf('2026-03-09T03:59:59.999Z')).toBe('2026-03-08');
  });
});

describe('date presets', () => {
  const preset = (day: string, label: string, startMonth = 4) =>
    datePresets(day, startMonth).find((one) => one.label === label);

  it('count financial years from the company’s first month', () => {
    expect(preset('2026-03-31', 'This financial year')).toMatchObject({ from: '2025-04-01', to: '2026-03-31' });
    expect(preset('2026-04-01', 'This financial year')).toMatchObject({ from: '2026-04-01', to: '2027-03-31' });
    expect(preset('2026-03-31', 'This financial year', 1)).toMatchObject({ from: '2026-01-01', to: '2026-12-31' });
    expect(preset('2026-06-30', 'Last financial year', 7)).toMatchObject({ from: '2024-07-01', to: '2025-06-30' });
  });

  it('begin weeks on Monday and end months on their last day', () => {
    expect(preset('2026-11-22', 'This week')).toMatchObject({ from: '2026-11-16', to: '2026-11-22' });
    expect(preset('2028-02-10', 'This month')).toMatchObject({ from: '2028-02-01', to: '2028-02-29' });
    expect(preset('2026-01-15', 'Last month')).toMatchObject({ from: '2025-12-01', to: '2025-12-31' });
  });
});
